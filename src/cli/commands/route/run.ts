import { route } from '../../../operations/route/route.js'
import type { Run } from '../../command.js'
import { renderRoutePlain } from '../../quotes/pipe-fields.js'
import {
  heldBySigner,
  isFields,
  paidOrReceived,
  printQuote,
  warningsOf,
} from '../../quotes/quote.js'
import { routeCsv } from '../../quotes/quote-csv.js'
import { routeRequestOf } from '../../quotes/route-request.js'
import { isWatched } from '../../watch/watch-options.js'

/** Quotes the request, stores the quote and prints it; with `--stdin`, a request a line. */
export const runRoute: Run = async (context, args, flags) => {
  if (isWatched(flags)) {
    const { watchRoute } = await import('../../quotes/watch-quotes.js')
    return watchRoute(context, args, flags)
  }
  if (flags['stdin'] === true) {
    // Only untrusted bodies need the schema, whose library is slow to load.
    const { routeLines } = await import('../../quotes/answer-lines.js')
    return routeLines(context, { args, flags })
  }
  const held = heldBySigner(context)
  const answer = await route(context.app, await routeRequestOf(context, args, flags))
  return printQuote(
    context,
    answer,
    paidOrReceived(answer),
    {
      csv: (view) => routeCsv(answer, view),
      warnings: warningsOf(answer),
      async human(view) {
        if (isFields(context, answer)) return renderRoutePlain(answer, view)
        const { routeText } = await import('../../quotes/route/render-route.js')
        return routeText(answer, view, context.out.style)
      },
    },
    { isIdOnly: flags['id'] === true, held },
  )
}
