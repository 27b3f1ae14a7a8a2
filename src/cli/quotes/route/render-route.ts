import type { RouteAnswer } from '../../../operations/route/route.js'
import { joinSections, titleLines, unbroken } from '../../../render/layout.js'
import { namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { hopLines, otherLines, pathLines } from './paths.js'
import { renderRoutePlain } from './route-fields.js'
import { headline } from './route-headline.js'
import { noteLines } from './route-notes.js'
import type { RouteContext, RouteView } from './route-view.js'

/** Renders a quote: sections on a terminal, lines of key and value in a pipe. */
export function renderRoute(answer: RouteAnswer, context: RouteContext, style: Style): string {
  if (!style.tty && !context.human) return renderRoutePlain(answer, context)
  const { quoteId } = context
  const view = { answer, best: answer.routes[0]!, quoteId, names: namesOf(context, style), style }
  const sections = [headline, pathLines, hopLines, otherLines, noteLines]
  return [
    ...titleLines(titleOf(view), answer, style),
    joinSections(
      sections.map((section) => section(view)),
      style,
    ),
  ].join('\n')
}

function titleOf({ answer, best, names, style }: RouteView): string {
  const { arrow, dot } = glyphsOf(style)
  const { input, output, explain } = answer
  const coin = (denom: string, amount: string) => unbroken(names.coin({ denom, amount }))
  const [from, to] = [input, output].map(({ denom }) => names.symbol(denom))
  const swap =
    output.amount === undefined
      ? `${coin(input.denom, input.amount)} ${arrow} ${to}`
      : `at least ${coin(output.denom, output.amount)} for ${from}`
  const kind = best.exact ? 'best single route' : 'best single route, estimate'
  return `${swap} ${dot} ${kind}${explain ? ` of ${explain.examined} examined` : ''}`
}
