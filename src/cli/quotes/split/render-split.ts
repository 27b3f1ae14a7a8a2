import { counted } from '../../../engine/math/counted.js'
import type { HopDocument } from '../../../operations/route/route-documents.js'
import type { SplitAnswer } from '../../../operations/split/split-documents.js'
import { formatBps, formatSignedBps } from '../../../render/amount.js'
import {
  type FieldRow,
  field,
  joinSections,
  titleLines,
  withoutBreaks,
} from '../../../render/layout.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { withDetails } from '../render-verify.js'
import { estimateLines, type Figure, figuresWithCost } from '../route/route-headline.js'
import { hintRow, impactHint, noteLines } from '../route/route-notes.js'
import {
  type RouteContext,
  type SplitView,
  swapText,
  venueName,
  viewMembers,
} from '../route/route-view.js'
import { foldedLegs, legSections } from './legs.js'
import { frontierSections, otherLines, renderSplitExplain } from './split-explanation.js'

/** Amounts with their dollars, the cost against the mid prices, and the gain over the best single path. */
function headline(view: SplitView): readonly string[] {
  const { best, verbose, style } = view
  const gap = best.optimum_gap_bps
  const isExact = best.legs.every(({ exact }) => exact)
  return [
    ...figuresWithCost(view, gainOf(view)),
    ...(verbose && gap !== null ? field(style, 'Optimum', [optimumText(gap)]) : []),
    ...estimateLines(isExact, style),
  ]
}

/**
 * How much more than this split the best possible one pays at most, rounded up. The gap is a share of what that one
 * pays.
 */
function optimumText(gapBps: number): string {
  if (gapBps === 0) return 'reached'
  const moreBps = Math.ceil((gapBps * 10_000) / (10_000 - gapBps))
  return `at most ${formatBps(moreBps)} more`
}

/** The gain over the best single path. */
function gainOf({ answer, best, names, style }: SplitView): Figure | false {
  const { single_best: single, output } = answer
  if (single === null || best.gain_over_single_bps === null || best.legs.length === 1) return false
  const gain = BigInt(best.expected_output) - BigInt(single.expected_output)
  const number = names.amount({ denom: output.denom, amount: `${gain}` })
  return [
    'Gain',
    gain > 0n ? style.good(`+${number}`) : number,
    names.symbol(output.denom),
    ['Over single', formatSignedBps(best.gain_over_single_bps)],
  ]
}

/** Most lines of a split that is not verbose, on at least `FULL_WIDTH` columns. */
const MOST_LINES = 18
const FULL_WIDTH = 80
/** Lines added on fewer columns, where fields are wrapped. */
const NARROW_LINES = 5

/** Lines of a leg and of the note on the others. */
const LEAST_LEGS = 2

/**
 * Renders a split for people. Where it is neither verbose nor explained it takes at most `MOST_LINES` lines of 80
 * columns, the smallest legs folded.
 */
export function renderSplit(answer: SplitAnswer, context: RouteContext, style: Style): string {
  const view = { answer, best: answer.routes[0]!, ...viewMembers(answer, context, style) }
  const [title, head, notes] = [
    titleLines(titleOf(view), answer, style),
    headline(view),
    noteLines(view, view.best.legs, {
      details: [sharedRow(view), simulateRow(view)],
      hints: [hintsRow(view)],
    }),
  ]
  // One empty line before the legs, one after them.
  const most = style.width < FULL_WIDTH ? MOST_LINES + NARROW_LINES : MOST_LINES
  const taken = title.length + head.length + notes.length + 2 + (context.closingLines ?? 0)
  const room = most - taken
  if (view.verbose) {
    const sections = [head, ...legSections(view), otherLines(view), ...frontierSections(view)]
    return [...title, joinSections(style, [...sections, notes])].join('\n')
  }
  const frontier = frontierSections(view)
  // With many warnings there is no room for empty lines.
  if (room < LEAST_LEGS && frontier.length === 0)
    return [...title, ...head, ...foldedLegs(view, room + 2), ...notes].join('\n')
  const sections = [head, foldedLegs(view, room), ...frontier, notes]
  return [...title, joinSections(style, sections)].join('\n')
}

function titleOf(view: SplitView): string {
  const { answer, best, style } = view
  // Given legs are not compared with other splits.
  const searched = best.optimum_gap_bps !== null || answer.single_best !== null
  const legs = withoutBreaks(counted(best.legs.length, 'leg'))
  const kind = `${searched ? 'best split' : 'this split'}, ${legs}`
  const estimate = best.legs.every(({ exact }) => exact) ? '' : ', estimate'
  return `${swapText(view)} ${glyphsOf(style).dot} ${kind}${estimate}`
}

/** The split, then the requested verification and explanation. */
export function splitText(answer: SplitAnswer, view: RouteContext, style: Style): string {
  const explanation = answer.explain && renderSplitExplain(answer.explain, answer, view, style)
  return withDetails(renderSplit(answer, view, style), answer, explanation, view, style)
}

/** A note for legs that share a book: the order of the calls matters. */
function sharedRow({ best, names }: SplitView): FieldRow {
  const all = best.legs.flatMap(({ hops }) => hops)
  const isAgain = (hop: HopDocument, i: number) =>
    all.findIndex(({ address }) => address === hop.address) < i
  const shared = new Set(all.filter(isAgain).map((hop) => venueName(hop, names)))
  const text = `legs share ${[...shared].join(', ')}: send them in this order`
  return shared.size > 0 && ['Order', [text]]
}

function simulateRow({ best }: SplitView): FieldRow {
  const failing = best.legs.flatMap(({ simulated_output }, i) =>
    simulated_output === null ? [`L${i + 1}`] : [],
  )
  const why = 'it does not see arbitrage steps nor what lies in the router; an execution works'
  return failing.length > 0 && ['Simulate', [`fails on ${failing.join(', ')}: ${why}`]]
}

/** A split is called the best if no other can pay so much more. */
const PROVED_BPS = 1

function hintsRow(view: SplitView): FieldRow {
  const { best, answer, style } = view
  const isBest = best.optimum_gap_bps !== null && best.optimum_gap_bps < PROVED_BPS
  const free = answer.free_division
  const impact = impactHint(view, { path: best.legs[0]!.path, isSplit: true })
  const hints = [
    isBest && best.legs.length === 1 && 'one call with the full input is best, undivided',
    free && `shares of any size pay ${formatBps(free.gain_bps)} more: leave out --split-step`,
    impact?.text,
  ].filter(Boolean)
  return hints.length > 0 && hintRow(hints.join('; '), impact?.isSevere === true, style)
}
