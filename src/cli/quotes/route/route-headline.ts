import { formatBps, formatPrice, renderImpact } from '../../../render/amount.js'
import { field, formOf, roomOf } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { displayWidth, padEnd, padStart } from '../../../render/width.js'
import type { RouteView } from './route-view.js'

/** A number of the headline with its unit, and a labelled number beside it. */
export type Figure = {
  readonly label: string
  readonly number: string
  readonly unit: string
  readonly aside?: { readonly label: string; readonly text: string }
}

/** Amounts and prices, aligned, with impact, slippage and mid price beside them. */
export function headline(view: RouteView): readonly string[] {
  const { best, style } = view
  const estimate = 'not every book is known in full; the contract may pay more or less'
  return [
    ...figureLines(figuresOf(view), style),
    ...(best.exact ? [] : field(style.yellow('Estimate'), [estimate], style)),
  ]
}

function figuresOf({ answer, best, names, style }: RouteView): readonly Figure[] {
  const { input, output, slippage_bps } = answer
  const [from, to] = [names.symbol(input.denom), names.symbol(output.denom)]
  const received = (amount: string) => names.amount({ denom: output.denom, amount })
  const price = (text: string) => formatPrice(text, { group: style.tty })
  const impact = renderImpact(best.price_impact_bps, style)
  const mid = best.mid_price === null ? 'n/a' : price(best.mid_price)
  const pay = { label: 'You pay', number: names.amount(input), unit: from }
  return [
    ...(output.amount === undefined ? [] : [pay]),
    {
      label: 'You get',
      number: received(best.expected_output),
      unit: to,
      aside: { label: 'Impact', text: impact },
    },
    {
      label: 'At least',
      number: received(best.min_return),
      unit: to,
      aside: { label: 'Slippage', text: formatBps(slippage_bps) },
    },
    {
      label: 'Price',
      number: price(best.price),
      unit: `${to} per ${from}`,
      aside: { label: 'Mid', text: mid },
    },
  ]
}

/** Figures with aligned numbers; stacked under 60 columns. */
export function figureLines(figures: readonly Figure[], style: Style): readonly string[] {
  if (formOf(style) === 'stacked')
    return figures.flatMap(({ label, number, unit, aside }) => [
      ...field(label, [`${number} ${unit}`], style),
      ...(aside ? field(aside.label, [aside.text], style) : []),
    ])
  const digits = Math.max(...figures.map(({ number }) => displayWidth(number)))
  const texts = figures.map(({ number, unit }) => `${padStart(number, digits)} ${unit}`)
  const remarks = figures.map(({ aside }) =>
    aside ? `${aside.label.toLowerCase()} ${aside.text}` : '',
  )
  const column = Math.max(...texts.map(displayWidth))
  const widest = column + Math.max(...remarks.map(displayWidth))
  // Remarks are aligned if there is room for all of them.
  const isAligned = widest <= roomOf(style) - 3
  return figures.flatMap(({ label }, i) =>
    field(label, [padEnd(texts[i]!, isAligned ? column : 0), remarks[i]!], style),
  )
}
