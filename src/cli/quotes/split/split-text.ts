import type { SplitAnswer } from '../../../operations/split/split.js'
import type { Style } from '../../../render/style.js'
import type { RouteContext } from '../route/route-view.js'
import { renderSplit } from './render-split.js'
import { renderSplitExplain } from './split-explanation.js'
import { renderSplitVerification } from './split-verification.js'

/** The division, then the requested verification and explanation. */
export function splitText(answer: SplitAnswer, view: RouteContext, style: Style): string {
  const { explain, verify } = answer
  const texts = [
    renderSplit(answer, view, style),
    ...(verify === undefined ? [] : [renderSplitVerification(verify, answer, view, style)]),
    ...(explain === undefined ? [] : [renderSplitExplain(explain, answer, view, style)]),
  ]
  return texts.join(style.tty ? '\n\n' : '\n')
}
