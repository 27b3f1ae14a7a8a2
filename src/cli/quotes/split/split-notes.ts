import { formatBps } from '../../../render/amount.js'
import { field } from '../../../render/layout.js'
import {
  depthLines,
  excludedLines,
  feeLines,
  impactHint,
  labelledHint,
  moreFlags,
  quoteLines,
  recipientLines,
} from '../route/route-notes.js'
import { venueName } from '../route/route-view.js'
import type { SplitView } from './split-view.js'

/** Warnings, a hint and the id; where the quote is verbose also fees and exclusions. */
export const noteLines = (view: SplitView): readonly string[] => [
  ...(view.verbose ? feeLines(view.best.legs, view) : []),
  ...recipientLines(view.best.legs[0]!.tx.swap, view),
  ...(view.verbose ? [...sharedLines(view), ...simulateLines(view)] : []),
  ...depthLines(
    view.best.legs.flatMap(({ hops }) => hops),
    view,
  ),
  ...hintLines(view),
  ...(view.verbose ? excludedLines(view) : []),
  ...quoteLines(view, moreFlags(view)),
]

/** A note for legs that share a book: the order of the calls matters. */
function sharedLines({ best, names, style }: SplitView): readonly string[] {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { hops } of best.legs)
    for (const hop of hops) {
      if (seen.has(hop.address)) shared.add(venueName(hop, names))
      seen.add(hop.address)
    }
  if (shared.size === 0) return []
  const text = `legs share ${[...shared].join(', ')}: send them in this order`
  return field('Order', [text], style)
}

function simulateLines({ best, style }: SplitView): readonly string[] {
  const failing = best.legs.flatMap(({ simulated_output }, i) =>
    simulated_output === null ? [`L${i + 1}`] : [],
  )
  if (failing.length === 0) return []
  const why = 'it does not see arbitrage steps nor what lies in the router; an execution works'
  return field('Simulate', [`fails on ${failing.join(', ')}: ${why}`], style)
}

function hintLines(view: SplitView): readonly string[] {
  const { best, answer, style } = view
  const searched = answer.single_best !== null
  const alone =
    searched && best.legs.length === 1 ? ['one call with the full input is best, undivided'] : []
  const free = answer.free_division
  const finer =
    free === undefined
      ? []
      : [`shares of any size pay ${formatBps(free.gain_bps)} more: leave out --split-step`]
  const impact = impactHint(view, { path: best.legs[0]!.path, isSplit: true })
  // A severe warning leaves no room for it.
  const cut =
    answer.search_cut === undefined || impact?.isSevere
      ? []
      : ['the search was cut short: leave out --explain and --frontier, or lower --max-hops']
  const hints = [...alone, ...finer, ...cut, ...(impact === undefined ? [] : [impact.text])]
  return hints.length === 0 ? [] : labelledHint(hints.join('; '), impact?.isSevere === true, style)
}
