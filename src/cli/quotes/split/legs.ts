import { counted } from '../../../engine/math/counted.js'
import type { LegDocument } from '../../../operations/split/split-documents.js'
import { formatBps } from '../../../render/amount.js'
import { field, fields, flow, formOf, paragraph, withoutBreaks } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { type Column, layOutTable, table } from '../../../render/table.js'
import { pathLines } from '../route/render-route.js'
import { coinsOf, pathPieces, priceText, type SplitView, shareText } from '../route/route-view.js'
import { legDiagram } from './leg-diagram.js'

/** Terminal columns of the longest bar. */
const BAR = 14
/** The same on a wide terminal. */
const WIDE_BAR = 20

/** The legs in the order of execution, with their shares, amounts and paths. */
export function legSections(view: SplitView): readonly (readonly string[])[] {
  const { style, best } = view
  const form = formOf(style)
  if (form === 'stacked') return [best.legs.flatMap((leg) => stackedLeg(leg, view))]
  const braid = style.width < BRAID_WIDTH ? [] : legDiagram(view)
  if (braid.length > 0) return [legTable(view), braid]
  if (form !== 'wide') return [standardLegs(view)]
  const { names } = view
  const chains = best.legs.map((leg, i) => [`  L${i + 1}`, ...chainLines(leg, names)])
  return [legTable(view), chains.flat()]
}

/** The least terminal columns of a braid. */
const BRAID_WIDTH = 80

/**
 * The largest legs, a line each, in at most `room` lines, of which the last one says what is folded.
 * At least one leg is shown.
 */
export function foldedLegs(view: SplitView, room: number): readonly string[] {
  const { best, answer, names, style } = view
  const { legs } = best
  if (legs.length === 1) return pathLines({ best: legs[0]!, names, style })
  const sizeOf = ({ split }: LegDocument) => BigInt(split.amount)
  const bySize = legs.toSorted(
    (a, b) => Number(sizeOf(b) > sizeOf(a)) - Number(sizeOf(b) < sizeOf(a)),
  )
  const lines = formOf(style) === 'stacked' ? Math.floor(room / 2) : room
  const count = legs.length <= lines ? legs.length : Math.max(1, lines - 1)
  const [shown, folded] = [bySize.slice(0, count), bySize.slice(count)]
  const drawn = shownLegs({ ...view, best: { ...best, legs: shown } })
  if (folded.length === 0) return drawn
  const amount = folded.reduce((sum, leg) => sum + sizeOf(leg), 0n)
  const share = shareText(`${amount}`, answer.input.amount)
  return [
    ...drawn,
    ...paragraph(`and ${counted(folded.length, 'more leg')}, ${share} together (-v)`, style),
  ]
}

function shownLegs(view: SplitView): readonly string[] {
  const { style, best, names, answer } = view
  const [first, second] = best.legs
  if (formOf(style) === 'stacked' && second === undefined)
    return field(style, shareText(first!.split.amount, answer.input.amount), [
      names.path(first!.path),
    ])
  if (formOf(style) === 'stacked') return best.legs.flatMap((leg) => stackedLeg(leg, view))
  const braid = style.width < BRAID_WIDTH ? [] : legDiagram(view)
  if (braid.length > 0) return braid
  return table(best.legs, style, [
    ...shareColumns(answer.input.amount, style),
    ['', ({ path }) => names.path(path)],
    ['', (leg) => names.coin(coinsOf(leg).output), { align: 'right' }],
    ['', (leg) => formatBps(leg.price_impact_bps), { align: 'right', drop: 1 }],
  ])
}

/** The share of a leg in a total of atomics, and a bar of it. */
export const shareColumns = (total: string, style: Style): readonly Column<LegDocument>[] => [
  ['', ({ split }) => shareText(split.amount, total), { align: 'right' }],
  ['', ({ split }) => bar(BigInt(split.amount), BigInt(total), BAR, style), { drop: 2 }],
]

function stackedLeg(leg: LegDocument, { names, answer, style }: SplitView): readonly string[] {
  const { input, output } = coinsOf(leg)
  const share = shareText(leg.split.amount, answer.input.amount)
  const paid = `for ${withoutBreaks(names.coin(output))}`
  return fields(style, [
    [share, [names.path(leg.path)]],
    ['', [withoutBreaks(names.payment(input)), paid], ' '],
  ])
}

function standardLegs(view: SplitView): readonly string[] {
  const { names, answer, style, best } = view
  const { arrow } = glyphsOf(style)
  const laid = layOutTable(best.legs, style, [
    ...shareColumns(answer.input.amount, style),
    ['', (leg) => names.payment(coinsOf(leg).input), { align: 'right' }],
    ['', () => arrow],
    ['', (leg) => names.coin(coinsOf(leg).output), { align: 'right' }],
    ['', (leg) => formatBps(leg.price_impact_bps), { align: 'right', drop: 1 }],
  ])
  return best.legs.flatMap((leg, i) => [...laid.rows[i]!, ...chainLines(leg, names)])
}

function legTable({ names, answer, style, best }: SplitView): readonly string[] {
  const total = BigInt(answer.input.amount)
  const { input, output } = coinsOf(best.legs[0]!)
  const [from, to] = [names.symbol(input.denom), names.symbol(output.denom)]
  const priceOf = (leg: LegDocument) => {
    const { input, output } = coinsOf(leg)
    return priceText(output, input, names)
  }
  const depthUsed = ({ hops }: LegDocument) =>
    `${Math.max(...hops.map((hop) => hop.depth_used_percent)).toFixed(2)} %`
  return table(best.legs, style, [
    ['LEG', ({ exact }, i) => `L${i + 1}${exact ? '' : ' (estimate)'}`],
    ['SHARE', ({ split }) => shareText(split.amount, answer.input.amount), { align: 'right' }],
    ['', ({ split }) => bar(BigInt(split.amount), total, WIDE_BAR, style)],
    [`IN ${from}`, (leg) => names.amount(coinsOf(leg).input), { align: 'right' }],
    [`OUT ${to}`, (leg) => names.amount(coinsOf(leg).output), { align: 'right' }],
    [
      `AT LEAST ${to}`,
      (leg) => names.amount({ ...output, amount: leg.min_return }),
      { align: 'right', drop: 2 },
    ],
    [`PRICE ${to}`, priceOf, { align: 'right', drop: 1 }],
    ['IMPACT', (leg) => formatBps(leg.price_impact_bps), { align: 'right' }],
    ['DEPTH USED', depthUsed, { align: 'right', drop: 3 }],
  ])
}

/** A path with the venues between its tokens, after a branch mark: `    └ BTC ── fin …`. */
function chainLines({ path, hops }: LegDocument, names: Names): readonly string[] {
  const { style } = names
  const { line, arrowHead, branch } = glyphsOf(style)
  const dash = line.repeat(2)
  const pieces = pathPieces(path, hops, names, { dash, arrow: dash + arrowHead })
  return flow(pieces, ' ', style.width - 6).map(
    (text, i) => `    ${i === 0 ? branch : ' '} ${text}`,
  )
}
