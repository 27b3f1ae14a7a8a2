import { type SplitAnswer, sroute } from '../../../operations/split/split.js'
import type { Context, FlagValues } from '../../command.js'
import { paidOrReceived, printQuote } from '../../quotes/quote.js'
import type { RouteContext } from '../../quotes/route/route-view.js'
import { renderSplit } from '../../quotes/split/render-split.js'
import { splitCsv } from '../../quotes/split/split-csv.js'
import { renderSplitExplain } from '../../quotes/split/split-explanation.js'
import { renderSplitVerification } from '../../quotes/split/split-verification.js'
import { splitRequestOf } from '../../quotes/split-request.js'
import { isWatched } from '../../watch/watch-options.js'

/** Quotes the best division, stores the quote and prints it; with `--stdin`, a request a line. */
export async function runSroute(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  if (isWatched(flags)) {
    const { watchSroute } = await import('../../quotes/watch-quotes.js')
    return watchSroute(context, args, flags)
  }
  if (flags['stdin'] === true) {
    // Only untrusted bodies need the schema, whose library is slow to load.
    const { splitLines } = await import('./split-lines.js')
    return splitLines(context, { args, flags })
  }
  const answer = await sroute(context.app, await splitRequestOf(context, args, flags))
  return printQuote(context, answer, paidOrReceived(answer), {
    csv: (view) => splitCsv(answer, view),
    human: (view) => humanText(context, answer, view),
  })
}

/** The quote, then the requested verification and explanation. */
function humanText({ out, form }: Context, answer: SplitAnswer, view: RouteContext): string {
  const { explain, verify } = answer
  const { style } = out
  const texts = [
    renderSplit(answer, view, style),
    ...(verify === undefined ? [] : [renderSplitVerification(verify, answer, view, style)]),
    ...(explain === undefined ? [] : [renderSplitExplain(explain, answer, view, style)]),
  ]
  return texts.join(style.tty || form.human ? '\n\n' : '\n')
}
