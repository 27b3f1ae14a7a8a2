import { type RouteAnswer, route } from '../../../operations/route/route.js'
import type { Context, FlagValues } from '../../command.js'
import { paidOrReceived, tellQuote } from '../../quotes/quote.js'
import { renderVerification } from '../../quotes/render-verify.js'
import { routeCsv } from '../../quotes/route/csv.js'
import { renderExplain } from '../../quotes/route/explain.js'
import { renderRoute } from '../../quotes/route/route.js'
import type { RouteContext } from '../../quotes/route/view.js'
import { routeRequestOf } from '../../quotes/route-request.js'
import { isWatched } from '../../watch/options.js'

/** Quotes what the arguments ask for, keeps the quote and prints it; with `--stdin`, line by line. */
export async function runRoute(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  if (isWatched(flags)) {
    const { watchRoute } = await import('../../quotes/watch-quotes.js')
    return watchRoute(context, args, flags)
  }
  if (flags['stdin'] === true) {
    // Only bodies from outside need the schema, whose library is the largest there is.
    const { routeLines } = await import('../../quotes/answer-lines.js')
    return routeLines(context, { args, flags })
  }
  const answer = await route(context.app, await routeRequestOf(context, args, flags))
  return tellQuote(context, answer, paidOrReceived(answer), {
    csv: (view) => routeCsv(answer, view),
    human: (view) => humanText(context, answer, view),
  })
}

/** The quote, and below it what was asked for besides. */
function humanText({ out, form }: Context, answer: RouteAnswer, view: RouteContext): string {
  const { explain, verify } = answer
  const texts = [
    renderRoute(answer, view, out.style),
    ...(verify === undefined ? [] : [renderVerification(verify, answer, view, out.style)]),
    ...(explain === undefined ? [] : [renderExplain(explain, answer, view, out.style)]),
  ]
  return texts.join(out.style.tty || form.human ? '\n\n' : '\n')
}
