import type { MaxAnswer } from '../../../operations/split/max.js'
import { formatBps, formatPrice, renderImpact } from '../../../render/amount.js'
import { field, joinSections, titleLines } from '../../../render/layout.js'
import { namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { type Figure, figureLines } from '../../quotes/route/route-headline.js'
import { type SizeContext, sizeRow } from './render.js'

/** The most that fits under a limit; in a pipe one tab-separated row. */
export function renderMax(answer: MaxAnswer, context: SizeContext, style: Style): string {
  if (!style.tty && !context.human) return sizeRow(answer, context)
  const names = namesOf(context, style)
  const { arrow, dot } = glyphsOf(style)
  const { input, output, price, max_impact_bps, price_impact_bps, split } = answer
  const [from, to] = [names.symbol(input.denom), names.symbol(output!.denom)]
  const title = `${from} ${arrow} ${to} ${dot} the most within ${formatBps(max_impact_bps)}`
  const figures: readonly Figure[] = [
    { label: 'Sell', number: names.amount(input), unit: from },
    {
      label: 'You get',
      number: names.amount(output!),
      unit: to,
      aside: { label: 'Impact', text: renderImpact(price_impact_bps, style) },
    },
    {
      label: 'Price',
      number: formatPrice(price!, { group: style.tty }),
      unit: `${to} per ${from}`,
    },
  ]
  const command = split ? 'sroute' : 'route'
  const typed = [input.denom, output!.denom].map(names.typed).join(' ')
  const next = `swap ${command} ${names.units(input)} ${names.text(typed)} --max-impact ${max_impact_bps}bps`
  const sections = [figureLines(figures, style), field('Next', [next], style).map(style.dim)]
  return [...titleLines(title, answer, style), joinSections(sections, style)].join('\n')
}
