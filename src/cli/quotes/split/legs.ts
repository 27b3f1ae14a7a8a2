import { counted } from '../../../engine/math/counted.js'
import type { LegDocument } from '../../../operations/split/split-documents.js'
import { formatBps } from '../../../render/amount.js'
import { field, flow, formOf, paragraph, unbroken } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { layOutTable, table } from '../../../render/table.js'
import { pathLines } from '../route/paths.js'
import { coinsOf, legPrice, pathPieces, type SplitView, shareText } from '../route/route-view.js'
import { legDiagram } from './leg-diagram.js'

/** Terminal columns of the longest bar. */
const [BAR, WIDE_BAR] = [14, 20]

/** The legs in the order of execution, with their shares, amounts and paths. */
export function legSections(view: SplitView): readonly (readonly string[])[] {
  const { style, best } = view
  const form = formOf(style)
  if (form === 'stacked') return [best.legs.flatMap((leg) => stackedLeg(leg, view))]
  const braid = style.width < BRAID_WIDTH ? [] : legDiagram(view)
  if (braid.length > 0) return [legTable(view), braid]
  return form === 'wide' ? [legTable(view), chains(view)] : [standardLegs(view)]
}

/** The least terminal columns of a braid. */
const BRAID_WIDTH = 80

/**
 * The largest legs, a line each, in at most `room` lines, of which the last one says what is folded.
 * At least one leg is shown.
 */
export function foldedLegs(view: SplitView, room: number): readonly string[] {
  const { best, answer, style } = view
  const { legs } = best
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
  const [only] = best.legs
  if (best.legs.length === 1) return pathLines({ best: only!, names, style })
  if (formOf(style) === 'stacked') return best.legs.flatMap((leg) => stackedLeg(leg, view))
  const braid = style.width < BRAID_WIDTH ? [] : legDiagram(view)
  if (braid.length > 0) return braid
  const total = BigInt(answer.input.amount)
  const rows = best.legs.map((leg) => [
    shareText(leg.split.amount, answer.input.amount),
    bar(BigInt(leg.split.amount), total, BAR, style),
    names.path(leg.path),
    names.coin(coinsOf(leg).output),
    formatBps(leg.price_impact_bps),
  ])
  return table(shownColumns, rows, style)
}

const shownColumns = [
  { head: '', align: 'right' },
  { head: '', drop: 2 },
  { head: '' },
  { head: '', align: 'right' },
  { head: '', align: 'right', drop: 1 },
] as const

function stackedLeg(leg: LegDocument, { names, answer, style }: SplitView): readonly string[] {
  const { input, output } = coinsOf(leg)
  const share = shareText(leg.split.amount, answer.input.amount)
  return [
    ...field(share, [names.path(leg.path)], style),
    ...field('', [unbroken(names.coin(input)), `for ${unbroken(names.coin(output))}`], style, ' '),
  ]
}

function standardLegs(view: SplitView): readonly string[] {
  const { names, answer, style, best } = view
  const { arrow } = glyphsOf(style)
  const total = BigInt(answer.input.amount)
  const rows = best.legs.map((leg) => {
    const { input, output } = coinsOf(leg)
    return [
      shareText(leg.split.amount, answer.input.amount),
      bar(BigInt(leg.split.amount), total, BAR, style),
      names.coin(input),
      arrow,
      names.coin(output),
      formatBps(leg.price_impact_bps),
    ]
  })
  const columns = [
    { head: '', align: 'right' },
    { head: '', drop: 2 },
    { head: '', align: 'right' },
    { head: '' },
    { head: '', align: 'right' },
    { head: '', align: 'right', drop: 1 },
  ] as const
  const laid = layOutTable(columns, rows, style)
  return best.legs.flatMap((leg, i) => [...laid.rows[i]!, ...chainLines(leg, names, style)])
}

function legTable({ names, answer, style, best }: SplitView): readonly string[] {
  const total = BigInt(answer.input.amount)
  const first = coinsOf(best.legs[0]!)
  const columns = [
    { head: 'LEG' },
    { head: 'SHARE', align: 'right' },
    { head: '' },
    { head: `${names.symbol(first.input.denom)} IN`, align: 'right' },
    { head: `${names.symbol(first.output.denom)} OUT`, align: 'right' },
    { head: 'AT LEAST', align: 'right', drop: 2 },
    { head: 'PRICE', align: 'right', drop: 1 },
    { head: 'IMPACT', align: 'right' },
    { head: 'DEPTH USED', align: 'right', drop: 3 },
  ] as const
  const rows = best.legs.map((leg, i) => {
    const { input, output } = coinsOf(leg)
    return [
      `L${i + 1}${leg.exact ? '' : ' (estimate)'}`,
      shareText(leg.split.amount, answer.input.amount),
      bar(BigInt(leg.split.amount), total, WIDE_BAR, style),
      names.amount(input),
      names.amount(output),
      names.amount({ ...output, amount: leg.min_return }),
      legPrice(leg, names, style),
      formatBps(leg.price_impact_bps),
      `${Math.max(...leg.hops.map((hop) => hop.depth_used_percent)).toFixed(2)} %`,
    ]
  })
  return table(columns, rows, style)
}

const chains = ({ best, names, style }: SplitView): readonly string[] =>
  best.legs.flatMap((leg, i) => [`  L${i + 1}`, ...chainLines(leg, names, style)])

/** A path with the venues between its tokens, after a branch mark: `    └ BTC ── fin …`. */
function chainLines({ path, hops }: LegDocument, names: Names, style: Style): readonly string[] {
  const { line, arrowHead, branch } = glyphsOf(style)
  const dash = line.repeat(2)
  const pieces = pathPieces(path, hops, names, { dash, arrow: dash + arrowHead })
  return flow(pieces, ' ', style.width - 6).map(
    (text, i) => `    ${i === 0 ? branch : ' '} ${text}`,
  )
}
