import { sroute } from '../../app/split/split.js'
import { splitCsv } from '../../render/split/csv.js'
import { renderSplit } from '../../render/split/split.js'
import type { Context, FlagValues } from '../command.js'
import { paidOrReceived, tellQuote } from '../quote.js'
import { splitRequestOf } from './split-request.js'

/** Quotes the best division, keeps the quote and prints it; with `--stdin`, line by line. */
export async function runSroute(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  if (flags['stdin'] === true) {
    // Only bodies from outside need the schema, whose library is the largest there is.
    const { splitLines } = await import('./lines.js')
    return splitLines(context, args)
  }
  const answer = await sroute(context.app, await splitRequestOf(context, args, flags))
  return tellQuote(context, answer, paidOrReceived(answer), {
    csv: (view) => splitCsv(answer, view),
    human: (view) => renderSplit(answer, view, context.out.style),
  })
}
