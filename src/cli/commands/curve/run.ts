import type { MaxAnswer } from '../../../operations/split/size-documents.js'
import { curve, max } from '../../../operations/split/sizes.js'
import { formatBps, formatPrice, renderImpact } from '../../../render/amount.js'
import { field, joinSections, titleLines } from '../../../render/layout.js'
import { type Naming, namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import type { Run } from '../../command.js'
import { amountText, namingIn, printAnswer } from '../../print-answer.js'
import { dollarsBeside } from '../../quotes/cost-line.js'
import { curveCsv, maxCsv } from '../../quotes/quote-csv.js'
import { type Figure, figureLines, inverseText } from '../../quotes/route/route-headline.js'
import { renderCurve, sizeRow } from './render.js'
import { curveRequestOf, maxRequestOf } from './size-request.js'

/** The most that fits under a limit; in a pipe one tab-separated row. */
export function renderMax(answer: MaxAnswer, context: Naming, style: Style): string {
  if (!style.tty) return sizeRow(answer, context)
  const names = namesOf(context, style)
  const { arrow, dot } = glyphsOf(style)
  const { input, output, price, max_impact_bps, price_impact_bps, split } = answer
  const [from, to] = [names.symbol(input.denom), names.symbol(output!.denom)]
  const title = `${from} ${arrow} ${to} ${dot} the most within ${formatBps(max_impact_bps)}`
  const figures: readonly Figure[] = [
    {
      label: 'Sell',
      number: names.amount(input),
      unit: from + dollarsBeside(answer.input_usd, style),
    },
    {
      label: 'You get',
      number: names.amount(output!),
      unit: to + dollarsBeside(answer.output_usd, style),
      aside: { label: 'Impact', text: renderImpact(price_impact_bps, style) },
    },
    {
      label: 'Price',
      number: formatPrice(price!, { group: style.tty }),
      unit: `${to} per ${from}`,
      aside: { label: 'Or', text: inverseText(input, output!, names, style) },
    },
  ]
  const command = split ? 'sroute' : 'route'
  const typed = [input.denom, output!.denom].map(names.typed).join(' ')
  const next = `swap ${command} ${names.units(input)} ${names.text(typed)} --max-impact ${max_impact_bps}bps`
  const sections = [figureLines(figures, style), field('Next', [next], style).map(style.muted)]
  return [...titleLines(title, answer, style), joinSections(sections, style)].join('\n')
}

/** Quotes a ladder of sizes and prints it. */
export const runCurve: Run = async (context, args, flags) => {
  const answer = await curve(context.app, await curveRequestOf(context, args, flags))
  const view = await namingIn(context)
  return printAnswer(context, answer, {
    quiet: () =>
      answer.points.map(({ output }) => amountText(context, output, view.tokens)).join('\n'),
    csv: () => curveCsv(answer, view),
    human: () => renderCurve(answer, view, context.out.style),
  })
}

/** Finds the most that fits under a limit and prints it. */
export const runMax: Run = async (context, args, flags) => {
  const answer = await max(context.app, await maxRequestOf(context, args, flags))
  const view = await namingIn(context)
  return printAnswer(context, answer, {
    quiet: () => amountText(context, answer.input, view.tokens),
    csv: () => maxCsv(answer, view),
    human: () => renderMax(answer, view, context.out.style),
  })
}
