import { sroute } from '../../../operations/split/split.js'
import type { Run } from '../../command.js'
import { renderSplitPlain } from '../../quotes/pipe-fields.js'
import {
  heldBySigner,
  isFields,
  paidOrReceived,
  printQuote,
  warningsOf,
} from '../../quotes/quote.js'
import { splitCsv } from '../../quotes/quote-csv.js'
import { splitRequestOf } from '../../quotes/split-request.js'
import { isWatched } from '../../watch/watch-options.js'

/** Quotes the best division, stores the quote and prints it; with `--stdin`, a request a line. */
export const runSroute: Run = async (context, args, flags) => {
  if (isWatched(flags)) {
    const { watchSroute } = await import('../../quotes/watch-quotes.js')
    return watchSroute(context, args, flags)
  }
  if (flags['stdin'] === true) {
    // Only untrusted bodies need the schema, whose library is slow to load.
    const { splitLines } = await import('../../quotes/answer-lines.js')
    return splitLines(context, { args, flags })
  }
  const held = heldBySigner(context)
  const answer = await sroute(context.app, await splitRequestOf(context, args, flags))
  return printQuote(
    context,
    answer,
    paidOrReceived(answer),
    {
      csv: (view) => splitCsv(answer, view),
      warnings: warningsOf(answer),
      async human(view) {
        if (isFields(context, answer)) return renderSplitPlain(answer, view)
        const { splitText } = await import('../../quotes/split/render-split.js')
        return splitText(answer, view, context.out.style)
      },
    },
    { isIdOnly: flags['id'] === true, held },
  )
}
