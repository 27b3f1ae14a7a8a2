import type { RouteDocument } from '../app/document.js'
import type { RouteAnswer } from '../app/route.js'
import { formatBps, renderImpact } from './amount.js'
import { table } from './columns.js'
import { field, flow, formOf, indentOf, joinSections, titleLines } from './layout.js'
import { type Names, type Naming, namesOf } from './names.js'
import { formatPrice } from './price.js'
import { noteLines } from './route-notes.js'
import { renderRoutePlain } from './route-plain.js'
import { glyphsOf, type Style } from './style.js'
import { displayWidth, padEnd, padStart } from './width.js'

/** What a quote's renderers are told beside the answer. */
export type RouteContext = Naming & {
  /** The id under which the quote was stored. */
  readonly quoteId?: string | undefined
  /** For people even in a pipe: `-o human`. */
  readonly human?: boolean | undefined
}

/** What every section of a quote is rendered from. */
export type RouteView = {
  readonly answer: RouteAnswer
  readonly best: RouteDocument
  readonly context: RouteContext
  readonly names: Names
  readonly style: Style
}

/** A quote: for people on a terminal, as lines of key and value in a pipe. */
export function renderRoute(answer: RouteAnswer, context: RouteContext, style: Style): string {
  if (!style.tty && !context.human) return renderRoutePlain(answer, context)
  const names = namesOf(context, style)
  const view = { answer, best: answer.routes[0]!, context, names, style }
  const [head, ...rule] = titleLines(titleOf(view), answer, style)
  return [
    [head, ...rule].join('\n'),
    joinSections(
      [headline(view), pathLines(view), hopLines(view), otherLines(view), noteLines(view)],
      style,
    ),
  ].join('\n')
}

function titleOf({ answer, best, names, style }: RouteView): string {
  const { arrow, dot } = glyphsOf(style)
  const to = names.symbol(answer.output.denom)
  const { amount } = answer.output
  const swap =
    amount === undefined
      ? `${names.coin(answer.input)} ${arrow} ${to}`
      : `at least ${names.coin({ denom: answer.output.denom, amount })} for ${names.symbol(answer.input.denom)}`
  const kind = best.exact ? 'best single route' : 'best single route, estimate'
  const examined = answer.explain && formOf(style) !== 'stacked'
  return `${swap} ${dot} ${kind}${examined ? ` (of ${answer.explain.examined} examined)` : ''}`
}

/** A line of the headline: a label, a number with its unit, and remarks. */
type Figure = {
  readonly label: string
  readonly number: string
  readonly unit: string
  readonly asides: readonly string[]
}

function headline(view: RouteView): readonly string[] {
  const { answer, best, names, style } = view
  const output = (amount: string) => ({ denom: answer.output.denom, amount })
  const figure = (label: string, coin: { denom: string; amount: string }, asides: string[]) => ({
    label,
    number: names.amount(coin),
    unit: names.symbol(coin.denom),
    asides,
  })
  const impact = `impact ${renderImpact(best.price_impact_bps, style)}`
  const estimate = best.exact ? [] : [style.yellow('estimate')]
  const pay = answer.output.amount === undefined ? [] : [figure('You pay', answer.input, [])]
  const get = figure('You get', output(best.expected_output), estimate)
  const least = figure('At least', output(best.min_return), [
    `slippage ${formatBps(answer.slippage_bps)}`,
  ])
  const [price, mid] = prices(view)
  if (formOf(style) === 'wide') {
    const line = wideLine({ ...get, asides: [...estimate, price!.text, mid!] }, impact, style)
    if (line !== undefined) return [...figureLines([...pay], style), line, ...wideRest(least, style)]
  }
  if (formOf(style) === 'stacked') return stackedLines(view, [...pay, get, least], impact)
  const figures = [...pay, { ...get, asides: [impact, ...estimate] }, least, price!.figure]
  return figureLines(figures, style)
}
