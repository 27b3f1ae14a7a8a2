import type { CurveAnswer, SizeDocument } from '../../../operations/split/size-documents.js'
import { formatPrice, renderImpact } from '../../../render/amount.js'
import { field, formOf, joinSections, titleLines, unbroken } from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { glyphsOf, plainStyle, type Style } from '../../../render/style.js'
import { alignPoints, table } from '../../../render/table.js'

/** Terminal columns of the longest bar. */
const BAR = 16

/** A ladder of sizes: a table for people; in a pipe tab-separated rows without a heading. */
export function renderCurve(answer: CurveAnswer, context: Naming, style: Style): string {
  if (!style.tty) return answer.points.map((each) => sizeRow(each, context)).join('\n')
  const names = namesOf(context, style)
  const { arrow, dot } = glyphsOf(style)
  const [from, to] = [names.symbol(answer.input.denom), names.symbol(answer.output.denom)]
  const how = answer.split ? 'divided' : 'single paths'
  const title = `${from} ${arrow} ${to} ${dot} ${answer.points.length} sizes, ${how}`
  const lines =
    formOf(style) === 'stacked'
      ? answer.points.flatMap((point) => stacked(point, names, style))
      : pointTable(answer, names, style)
  return [...titleLines(title, answer, style), joinSections([lines], style)].join('\n')
}

/** In, out, price, impact: atomics and raw numbers; empty where no path takes the size. */
export function sizeRow(
  { input, output, price, price_impact_bps }: SizeDocument,
  context: Naming,
): string {
  const names = namesOf(context, plainStyle)
  const cells = [input.amount, names.units(input), output?.amount, output && names.units(output)]
  return [...cells, price, price_impact_bps].map((cell) => `${cell ?? ''}`).join('\t')
}

function pointTable(answer: CurveAnswer, names: Names, style: Style): readonly string[] {
  const { points, input, output } = answer
  const worst = Math.max(...points.map((each) => each.price_impact_bps ?? 0))
  const columns = [
    { head: names.symbol(input.denom), align: 'right' },
    { head: names.symbol(output.denom), align: 'right' },
    { head: 'PRICE', align: 'right', drop: 1 },
    { head: 'IMPACT' },
    { head: '', drop: 2 },
  ] as const
  const sizes = alignPoints(points.map((each) => names.amount(each.input)))
  const rows = points.map((each, i) => [
    sizes[i]!,
    each.output === null ? '-' : names.amount(each.output),
    each.price === null ? '-' : formatPrice(each.price, { group: style.tty }),
    each.output === null ? 'no path takes it' : renderImpact(each.price_impact_bps, style),
    bar(hundredthsOf(each.price_impact_bps ?? 0), hundredthsOf(worst), BAR, style),
  ])
  return table(columns, rows, style)
}

const hundredthsOf = (bps: number): bigint => BigInt(Math.round(bps * 100))

const stacked = (point: SizeDocument, names: Names, style: Style): readonly string[] =>
  field(
    names.amount(point.input),
    point.output === null
      ? ['no path takes it']
      : [names.coin(point.output), renderImpact(point.price_impact_bps, style)].map(unbroken),
    style,
    '  ',
  )
