import type { SplitAnswer } from '../../../operations/split/split.js'
import { joinSections, titleLines, unbroken } from '../../../render/layout.js'
import { namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import type { RouteContext } from '../route/route-view.js'
import { frontierSections, otherLines } from './alternatives.js'
import { legSections } from './legs.js'
import { renderSplitPlain } from './split-fields.js'
import { headline } from './split-headline.js'
import { noteLines } from './split-notes.js'
import type { SplitView } from './split-view.js'

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
