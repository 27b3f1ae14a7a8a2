import type { RouteAnswer } from '../../../operations/route/route-answer.js'
import { titledSections } from '../../../render/layout.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { renderRoutePlain } from '../pipe-fields.js'
import { withDetails } from '../render-verify.js'
import { hopLines, otherLines, pathLines } from './paths.js'
import { renderExplain } from './route-explanation.js'
import { headline } from './route-headline.js'
import { routeNotes } from './route-notes.js'
import { type RouteContext, type RouteView, swapText, viewMembers } from './route-view.js'

/**
 * Renders a quote: sections on a terminal, lines of key and value in a pipe. Fees in tokens, other
 * routes and the like only where it is verbose or explained.
 */
export function renderRoute(answer: RouteAnswer, context: RouteContext, style: Style): string {
  if (!style.tty) return renderRoutePlain(answer, context)
  const view = { answer, best: answer.routes[0]!, ...viewMembers(answer, context, style) }
  const sections = view.verbose
    ? [headline, pathLines, hopLines, otherLines, routeNotes]
    : [headline, pathLines, routeNotes]
  const shown = sections.map((section) => section(view))
  return titledSections(titleOf(view), answer, style, shown)
}

function titleOf(view: RouteView): string {
  const { answer, best, style } = view
  const kind = best.exact ? 'best single route' : 'best single route, estimate'
  const examined = answer.explain ? ` of ${answer.explain.examined} examined` : ''
  return `${swapText(view)} ${glyphsOf(style).dot} ${kind}${examined}`
}

/** The quote, then the requested verification and explanation. */
export function routeText(answer: RouteAnswer, view: RouteContext, style: Style): string {
  const explanation = answer.explain && renderExplain(answer.explain, answer, view, style)
  return withDetails(renderRoute(answer, view, style), answer, explanation, view, style)
}
