import { stringify } from '../../app/json.js'
import { type SplitAnswer, sroute } from '../../app/split/split.js'
import type { Token } from '../../market/token.js'
import { formatUnits } from '../../render/amount.js'
import { pairsOf } from '../../render/names.js'
import { splitCsv } from '../../render/split/csv.js'
import { renderSplit } from '../../render/split/split.js'
import type { Context, FlagValues } from '../command.js'
import { keepQuote } from '../quote-store.js'
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
  const { app, out, form, config, surroundings } = context
  const answer = await sroute(app, await splitRequestOf(context, args, flags))
  const document = stringify(answer)
  const kept = keepQuote(surroundings, document)
  if (kept.note !== undefined) out.note(kept.note)
  if (form.quiet > 1) return
  const { market } = await app.venue()
  const { tokens } = market
  if (form.quiet === 1) return out.result(oneValue(answer, tokens, form.atomic))
  if (form.kind !== 'human' && kept.id !== undefined) out.note(`quote ${kept.id}`)
  if (form.kind === 'json') return out.result(document)
  const view = {
    tokens,
    pairs: pairsOf(market),
    aliases: config.aliases,
    human: form.human,
    ...(kept.id !== undefined && { quoteId: kept.id }),
  }
  return out.result(
    form.kind === 'csv' ? splitCsv(answer, view) : renderSplit(answer, view, out.style),
  )
}

/** The one value a script wants: what is received, or for exact-out what is paid. */
function oneValue(
  { input, output, routes }: SplitAnswer,
  tokens: ReadonlyMap<string, Token>,
  atomic: boolean,
): string {
  const coin =
    output.amount === undefined
      ? { denom: output.denom, amount: routes[0]!.expected_output }
      : input
  return atomic ? coin.amount : formatUnits(BigInt(coin.amount), tokens.get(coin.denom)!.decimals)
}
