import type { RouteAnswer } from '../../../operations/route/route.js'
import type { Style } from '../../../render/style.js'
import { renderVerification } from '../render-verify.js'
import { renderRoute } from './render-route.js'
import { renderExplain } from './route-explanation.js'
import type { RouteContext } from './route-view.js'

/** The quote, then the requested verification and explanation. */
export function routeText(answer: RouteAnswer, view: RouteContext, style: Style): string {
  const { explain, verify } = answer
  const texts = [
    renderRoute(answer, view, style),
    ...(verify === undefined ? [] : [renderVerification(verify, answer, view, style)]),
    ...(explain === undefined ? [] : [renderExplain(explain, answer, view, style)]),
  ]
  return texts.join(style.tty ? '\n\n' : '\n')
}
