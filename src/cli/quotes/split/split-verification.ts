import type { SplitAnswer } from '../../../operations/split/split.js'
import type { SplitVerification } from '../../../operations/split/verify-split.js'
import { paragraph } from '../../../render/layout.js'
import { namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { renderVerifyPlain } from '../pipe-fields.js'
import { askedLine, callRows, columns, othersLines } from '../render-verify.js'
import type { RouteContext } from '../route/route-view.js'

/** Simulations by the contracts: of the best division leg by leg, of the others in one line. */
export function renderSplitVerification(
  verification: SplitVerification,
  answer: SplitAnswer,
  context: RouteContext,
  style: Style,
): string {
  if (!style.tty) return renderVerifyPlain(verification)
  const names = namesOf(context, style)
  const [best] = verification.routes
  const { legs } = answer.routes[0]!
  const rows = best?.legs.flatMap((call, i) =>
    callRows(call, legs[i]!.path, names, style).map((row) => [`L${i + 1}`, ...row]),
  )
  const isShared = legs.length > 1
  return [
    askedLine(verification.height, style),
    ...table([{ head: 'LEG' }, ...columns], rows ?? [], style),
    ...(isShared ? paragraph('Each leg is asked for by itself, on untouched books.', style) : []),
    ...othersLines(verification.routes.slice(1), style),
  ].join('\n')
}
