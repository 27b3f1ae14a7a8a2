import { stringify } from '../../app/json.js'
import { type RouteAnswer, route } from '../../app/route.js'
import type { Token } from '../../market/token.js'
import { formatUnits } from '../../render/amount.js'
import { renderVerification } from '../../render/chain/verify.js'
import { routeCsv } from '../../render/csv.js'
import { renderExplain } from '../../render/explain.js'
import { pairsOf } from '../../render/names.js'
import { renderRoute } from '../../render/route.js'
import type { Context, FlagValues } from '../command.js'
import { keepQuote } from '../quote-store.js'
import { routeRequestOf } from './route-request.js'

/** Quotes what the arguments ask for, keeps the quote and prints it; with `--stdin`, line by line. */
export async function runRoute(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  if (flags['stdin'] === true) {
    // Only bodies from outside need the schema, whose library is the largest there is.
    const { routeLines } = await import('./batch.js')
    return routeLines(context, args)
  }
  const { app, out, form, config, surroundings } = context
  const answer = await route(app, await routeRequestOf(context, args, flags))
  const document = stringify(answer)
  const kept = keepQuote(surroundings, document)
  if (kept.note !== undefined) out.note(kept.note)
  if (form.quiet > 1) return
  const { market } = await app.venue()
  const { tokens } = market
  if (form.quiet === 1) return out.result(outputOf(answer, tokens, form.atomic))
  if (form.kind !== 'human' && kept.id !== undefined) out.note(`quote ${kept.id}`)
  if (form.kind === 'json') return out.result(document)
  const view = {
    tokens,
    pairs: pairsOf(market),
    aliases: config.aliases,
    human: form.human,
    ...(kept.id !== undefined && { quoteId: kept.id }),
  }
  if (form.kind === 'csv') {
    return out.result(routeCsv(answer, view))
  }
  const { explain, verify } = answer
  const texts = [
    renderRoute(answer, view, out.style),
    ...(verify === undefined ? [] : [renderVerification(verify, answer, view, out.style)]),
    ...(explain === undefined ? [] : [renderExplain(explain, answer, view, out.style)]),
  ]
  return out.result(texts.join(out.style.tty || form.human ? '\n\n' : '\n'))
}

/** The one value a script wants: what is received, or for exact-out what is paid. */
function outputOf(
  answer: RouteAnswer,
  tokens: ReadonlyMap<string, Token>,
  atomic: boolean,
): string {
  const coin =
    answer.output.amount === undefined
      ? { denom: answer.output.denom, amount: answer.routes[0]!.expected_output }
      : answer.input
  return atomic ? coin.amount : formatUnits(BigInt(coin.amount), tokens.get(coin.denom)!.decimals)
}
