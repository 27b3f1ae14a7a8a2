import type { HopDocument } from '../../../operations/route-document.js'
import type { LegDocument } from '../../../operations/split/split-document.js'
import { formatBps } from '../../../render/amount.js'
import { field, flow, formOf, unbroken } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { layOutTable, table } from '../../../render/table.js'
import { venueName } from '../route/route-view.js'
import { legDiagram } from './leg-diagram.js'
import { coinsOf, legPrice, type SplitView, shareText } from './split-view.js'

/** Terminal columns of the longest bar. */
const [BAR, WIDE_BAR] = [14, 20]

/** The legs in the order of execution, with their shares, amounts and paths. */
export function legSections(view: SplitView): readonly (readonly string[])[] {
  const form = formOf(view.style)
  if (form === 'stacked') return [view.best.legs.flatMap((leg) => stackedLeg(leg, view))]
  if (form === 'standard') return [standardLegs(view)]
  const braid = legDiagram(view)
  return [legTable(view), braid.length > 0 ? braid : chains(view)]
}

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
  return best.legs.flatMap((leg, i) => [
    ...laid.rows[i]!,
    ...chainLines(leg.path[0]!, leg.hops, names, style, 4),
  ])
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
  best.legs.flatMap((leg, i) => [
    `  L${i + 1}`,
    ...chainLines(leg.path[0]!, leg.hops, names, style, 4),
  ])

/** A path with the venues between its tokens, after a branch mark: `└ BTC ── fin …`. */
export function chainLines(
  first: string,
  hops: readonly HopDocument[],
  names: Names,
  style: Style,
  indent: number,
): readonly string[] {
  const { line, arrowHead, branch } = glyphsOf(style)
  const dash = formOf(style) === 'stacked' ? line : line.repeat(2)
  const steps = hops.map(
    (hop) =>
      `${dash} ${venueName(hop, names)} ${dash}${arrowHead} ${names.symbol(hop.output.denom)}`,
  )
  return flow([names.symbol(first), ...steps], ' ', style.width - indent - 2).map(
    (text, i) => `${' '.repeat(indent)}${i === 0 ? branch : ' '} ${text}`,
  )
}
