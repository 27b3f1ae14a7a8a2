import type { Run } from '../command.js'
import { formFlag } from '../common-flags.js'
import { clashing } from '../invalid-request.js'
import { isWatched } from '../watch/watch-options.js'
import {
  type Asked,
  heldBySigner,
  paidOrReceived,
  printQuote,
  type QuoteAnswer,
  type QuoteKind,
  quotedAsTyped,
} from './quote.js'

/** Quotes a request, stores the quote and prints it; with `--stdin` a request a line, with `--watch` at every block. */
export const runQuote =
  <Request extends Asked, Answer extends QuoteAnswer>(kind: QuoteKind<Request, Answer>): Run =>
  async (context, args, flags) => {
    if (isWatched(flags)) {
      const { watchQuote } = await import('./watch-quotes.js')
      return watchQuote(context, args, flags, kind)
    }
    if (flags['stdin'] === true) {
      // Only untrusted bodies need the schema, whose library is slow to load.
      const { answerLines } = await import('./answer-lines.js')
      return answerLines(context, { args, flags }, kind.command)
    }
    const [written] = formFlag(flags) ?? []
    if (flags['id'] === true && written !== undefined)
      throw clashing('--id', written, 'the id alone is printed', '/output')
    const held = heldBySigner(context)
    const request = await kind.request(context, args, flags)
    const answer = await quotedAsTyped(context, args, request, (asked) =>
      kind.answer(context.app, asked),
    )
    const { style } = context.out
    return printQuote(context, answer, paidOrReceived(answer), {
      csv: (view) => kind.csv(answer, view),
      warnings: async (view) => (await import('./quote-notes.js')).quoteWarnings(answer, view),
      human: async (view) =>
        style.tty ? (await kind.text())(answer, view, style) : kind.plain(answer, view),
      isIdOnly: flags['id'] === true,
      held,
    })
  }
