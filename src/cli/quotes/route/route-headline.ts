import { apportion } from '../../../engine/math/integers.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import type { CostDocument } from '../../../operations/route/route-documents.js'
import {
  formatBps,
  formatPayment,
  formatPrice,
  hundredthsOf,
  paintImpact,
  renderImpact,
} from '../../../render/amount.js'
import { field, formOf, roomOf, withoutBreaks } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { displayWidth, padEnd, padStart } from '../../../render/width.js'
import { dollarsBeside, priceText, type QuoteView, type RouteView } from './route-view.js'

/** A number of the headline with its unit, and a labelled number beside it. */
export type Figure = readonly [
  label: string,
  number: string,
  unit: string,
  aside?: readonly [label: string, text: string] | false,
]

/** Amounts with their dollars, the cost against the mid price, and the price both ways. */
export function headline(view: RouteView): readonly string[] {
  const { answer, best, names, style } = view
  const [from, to] = [answer.input, answer.output].map(({ denom }) => names.symbol(denom))
  const mid = best.mid_price === null ? 'n/a' : formatPrice(best.mid_price, style)
  const unit = best.mid_price === null ? '' : `${to} per ${from}`
  const more: Figure = ['Mid', mid, unit]
  return [...figuresWithCost(view, view.verbose && more), ...estimateLines(best.exact, style)]
}

/** The figures of any quote, with the cost between the amounts and the prices. */
export function figuresWithCost(view: QuoteView, more: Figure | false): readonly string[] {
  const figures = [...amountFigures(view), ...(more ? [more] : [])]
  const laid = layOutFigures(figures, view.style)
  const at = figures.findIndex(([label]) => label === 'Price')
  const { slippage } = view.answer
  const reason = slippage ? field(view.style, 'Slippage', [slippage.reason]) : []
  const cost = field(view.style, 'Cost', costPieces(view.best.cost, view.style), ' ')
  return [...laid.slice(0, at), cost, ...laid.slice(at), reason].flat()
}

/** A warning where something that the numbers rest on is unknown. */
export const estimateLines = (exact: boolean, style: Style): readonly string[] =>
  exact ? [] : field(style, style.warning('Estimate'), [UNKNOWN_BOOKS])

export const UNKNOWN_BOOKS = 'not every book is known in full; it may pay more or less'

/** Paid, received, the least received, and the price. */
function amountFigures({ answer, best, verbose, names, style }: QuoteView): readonly Figure[] {
  const { input, input_usd, output, slippage_bps } = answer
  const [from, to] = [names.symbol(input.denom), names.symbol(output.denom)]
  const received = (amount: string) => names.amount({ denom: output.denom, amount })
  const paid = formatPayment(BigInt(input.amount), names.decimals(input.denom), style)
  const unit = (symbol: string, usd: string | null) => symbol + dollarsBeside(usd, style)
  const impact = renderImpact(best.price_impact_bps, style)
  const inverse = inverseText(input, { ...output, amount: best.expected_output }, names)
  return [
    ...(output.amount === undefined ? [] : [['You pay', paid, unit(from, input_usd)] as const]),
    [
      'You get',
      received(best.expected_output),
      unit(to, best.expected_output_usd),
      verbose && ['Impact', impact],
    ],
    [
      'At least',
      received(best.min_return),
      unit(to, best.min_return_usd),
      ['Slippage', formatBps(slippage_bps)],
    ],
    ['Price', formatPrice(best.price, style), `${to} per ${from}`, ['Or', inverse]],
  ]
}

/** What a unit of the output costs. @example '0.0000066114361 BTC per RUNE' */
export const inverseText = (input: CoinDocument, output: CoinDocument, names: Names): string =>
  `${priceText(input, output, names)} ${names.per({ base: output.denom, quote: input.denom })}`

/** Figures with aligned numbers; stacked under 60 columns. */
export const figureLines = (figures: readonly Figure[], style: Style): readonly string[] =>
  layOutFigures(figures, style).flat()

/** The lines of each figure. */
function layOutFigures(figures: readonly Figure[], style: Style): readonly (readonly string[])[] {
  if (formOf(style) === 'stacked')
    return figures.map(([label, number, unit, aside]) => [
      ...field(style, label, [`${number} ${unit}`]),
      ...(aside ? field(style, aside[0], [aside[1]]) : []),
    ])
  const digits = Math.max(...figures.map(([, number]) => displayWidth(number)))
  const texts = figures.map(([, number, unit]) => `${padStart(number, digits)} ${unit}`)
  const remarks = figures.map(([, , , aside]) =>
    aside ? `${aside[0].toLowerCase()} ${aside[1]}` : '',
  )
  const column = Math.max(...texts.map(displayWidth))
  const widest = column + Math.max(...remarks.map(displayWidth))
  // Remarks are aligned if there is room for all of them.
  const isAligned = widest <= roomOf(style) - 3
  return figures.map(([label], i) =>
    field(style, label, [padEnd(texts[i]!, isAligned ? column : 0), remarks[i]!]),
  )
}

/**
 * The total cost against the mid prices and its parts, which add up to it as they are written.
 *
 * @example '2.48 %', '= impact 2.09', '+ venues 0.29', '+ protocol 0.10', '($2,922)'
 */
export function costPieces(cost: CostDocument | null, style: Style): readonly string[] {
  if (cost === null) return ['not known: a book on the path has no mid price, one side is empty']
  const { impact_bps, venue_fees_bps, protocol_fee_bps, affiliate_fee_bps, cost_usd } = cost
  const parts = apportion(
    [impact_bps, venue_fees_bps, protocol_fee_bps, affiliate_fee_bps].map(hundredthsOf),
    100n,
  )
  const total = percentText(parts.reduce((a, b) => a + b))
  const [impact, venues, protocol, affiliate] = parts.map(percentText)
  return [
    `${total} %`,
    `= ${paintImpact(`impact ${impact}`, impact_bps, style)}`,
    `+ venues ${venues}`,
    `+ protocol ${protocol}`,
    ...(affiliate_fee_bps === 0 ? [] : [`+ affiliate ${affiliate}`]),
    ...(cost_usd === null ? [] : [dollarsBeside(cost_usd, style).trim()]),
  ].map(withoutBreaks)
}

/** Hundredths of a percent. */
const percentText = (hundredths: bigint): string => (Number(hundredths) / 100).toFixed(2)
