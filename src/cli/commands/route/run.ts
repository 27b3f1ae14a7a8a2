import { type RouteAnswer, route } from '../../../operations/route/route.js'
import type { Context, FlagValues } from '../../command.js'
import { paidOrReceived, printQuote } from '../../quotes/quote.js'
import { renderVerification } from '../../quotes/render-verify.js'
import { renderRoute } from '../../quotes/route/render-route.js'
import { routeCsv } from '../../quotes/route/route-csv.js'
import { renderExplain } from '../../quotes/route/route-explanation.js'
import type { RouteContext } from '../../quotes/route/route-view.js'
import { routeRequestOf } from '../../quotes/route-request.js'
import { isWatched } from '../../watch/watch-options.js'

/** Quotes the request, stores the quote and prints it; with `--stdin`, a request a line. */
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
    // Only untrusted bodies need the schema, whose library is slow to load.
    const { routeLines } = await import('../../quotes/answer-lines.js')
    return routeLines(context, { args, flags })
  }
  const answer = await route(context.app, await routeRequestOf(context, args, flags))
  return printQuote(context, answer, paidOrReceived(answer), {
    csv: (view) => routeCsv(answer, view),
    human: (view) => humanText(context, answer, view),
  })
}

/** The quote, then the requested verification and explanation. */
function humanText({ out, form }: Context, answer: RouteAnswer, view: RouteContext): string {
  const { explain, verify } = answer
  const texts = [
    renderRoute(answer, view, out.style),
    ...(verify === undefined ? [] : [renderVerification(verify, answer, view, out.style)]),
    ...(explain === undefined ? [] : [renderExplain(explain, answer, view, out.style)]),
  ]
  return texts.join(out.style.tty || form.human ? '\n\n' : '\n')
}
