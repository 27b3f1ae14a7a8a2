import type { SplitAnswer } from '../../../operations/split/split.js'
import { formatBps, formatPrice, formatSignedBps, renderImpact } from '../../../render/amount.js'
import { field, joinSections, titleLines, unbroken } from '../../../render/layout.js'
import { namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { type Figure, figureLines } from '../route/route-headline.js'
import type { RouteContext } from '../route/route-view.js'
import { frontierSections, otherLines } from './alternatives.js'
import { legSections } from './legs.js'
import { renderSplitPlain } from './split-fields.js'
import { noteLines } from './split-notes.js'
import type { SplitView } from './split-view.js'

/** Amounts and prices, and the gain over the best single path. */
export function headline(view: SplitView): readonly string[] {
  const { best, style } = view
  const estimate = 'not every book is known in full; the contracts may pay more or less'
  return [
    ...figureLines(figuresOf(view), style),
    ...(best.legs.every(({ exact }) => exact)
      ? []
      : field(style.yellow('Estimate'), [estimate], style)),
  ]
}

function figuresOf(view: SplitView): readonly Figure[] {
  const { answer, best, names, style } = view
  const { input, output, slippage_bps } = answer
  const [from, to] = [names.symbol(input.denom), names.symbol(output.denom)]
  const received = (amount: string) => names.amount({ denom: output.denom, amount })
  const gap = best.optimum_gap_bps
  return [
    ...(output.amount === undefined
      ? []
      : [{ label: 'You pay', number: names.amount(input), unit: from }]),
    {
      label: 'You get',
      number: received(best.expected_output),
      unit: to,
      aside: { label: 'Impact', text: renderImpact(best.price_impact_bps, style) },
    },
    {
      label: 'At least',
      number: received(best.min_return),
      unit: to,
      aside: { label: 'Slippage', text: formatBps(slippage_bps) },
    },
    {
      label: 'Price',
      number: formatPrice(best.price, { group: style.tty }),
      unit: `${to} per ${from}`,
      ...(gap !== null && {
        aside: { label: 'Optimum', text: gap === 0 ? 'reached' : `at most ${formatBps(gap)} more` },
      }),
    },
    ...gainOf(view),
  ]
}

/** The gain over the best single path. */
function gainOf({ answer, best, names, style }: SplitView): readonly Figure[] {
  const { single_best: single, output } = answer
  if (single === null || best.gain_over_single_bps === null || best.legs.length === 1) return []
  const gain = BigInt(best.expected_output) - BigInt(single.expected_output)
  const number = names.amount({ denom: output.denom, amount: `${gain}` })
  return [
    {
      label: 'Gain',
      number: gain > 0n ? style.green(`+${number}`) : number,
      unit: names.symbol(output.denom),
      aside: { label: 'Over single', text: formatSignedBps(best.gain_over_single_bps) },
    },
  ]
}

/** Renders a division: sections on a terminal, lines of key and value in a pipe. */
export function renderSplit(answer: SplitAnswer, context: RouteContext, style: Style): string {
  if (!style.tty && !context.human) return renderSplitPlain(answer, context)
  const { quoteId } = context
  const view = { answer, best: answer.routes[0]!, quoteId, names: namesOf(context, style), style }
  const sections = [
    headline(view),
    ...legSections(view),
    otherLines(view),
    ...frontierSections(view),
    noteLines(view),
  ]
  return [...titleLines(titleOf(view), answer, style), joinSections(sections, style)].join('\n')
}

function titleOf({ answer, best, names, style }: SplitView): string {
  const { arrow, dot } = glyphsOf(style)
  const { input, output } = answer
  const coin = (denom: string, amount: string) => unbroken(names.coin({ denom, amount }))
  const [from, to] = [input, output].map(({ denom }) => names.symbol(denom))
  const swap =
    output.amount === undefined
      ? `${coin(input.denom, input.amount)} ${arrow} ${to}`
      : `at least ${coin(output.denom, output.amount)} for ${from}`
  // Given legs are not compared with other divisions.
  const searched = best.optimum_gap_bps !== null || answer.single_best !== null
  const count = best.legs.length === 1 ? '1 leg' : `${best.legs.length} legs`
  const kind = searched ? `best split, ${count}` : `this division, ${count}`
  return `${swap} ${dot} ${kind}${best.legs.every(({ exact }) => exact) ? '' : ', estimate'}`
}
