import { type SplitAnswer, sroute } from '../../../operations/split/split.js'
import type { Context, FlagValues } from '../../command.js'
import { paidOrReceived, tellQuote } from '../../quotes/quote.js'
import type { RouteContext } from '../../quotes/route/view.js'
import { splitCsv } from '../../quotes/split/csv.js'
import { renderSplitExplain } from '../../quotes/split/explain.js'
import { renderSplit } from '../../quotes/split/split.js'
import { renderSplitVerification } from '../../quotes/split/verify.js'
import { splitRequestOf } from '../../quotes/split-request.js'
import { isWatched } from '../../watch/options.js'

/** Quotes the best division, keeps the quote and prints it; with `--stdin`, line by line. */
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
    // Only bodies from outside need the schema, whose library is the largest there is.
    const { splitLines } = await import('./answer-lines.js')
    return splitLines(context, { args, flags })
  }
  const answer = await sroute(context.app, await splitRequestOf(context, args, flags))
  return tellQuote(context, answer, paidOrReceived(answer), {
    csv: (view) => splitCsv(answer, view),
    human: (view) => humanText(context, answer, view),
  })
}

/** The quote, and below it what was asked for besides. */
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
