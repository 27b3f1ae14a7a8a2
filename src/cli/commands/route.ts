import type { RouteAnswer } from '../../app/route.js'
import type { Command, Context } from '../command.js'

export const routeCommand: Command = {
  name: 'route',
  summary: 'Find the best single path to swap one token for another',
  usage: [
    ['swap route <amount> <in> <out>', 'what the amount buys'],
    ['swap route <in> <amount> <out>', 'how much it takes to receive the amount'],
    ['swap route --stdin', 'one request body a line in, one answer a line out'],
  ],
  examples: [
    ['swap route 1.5 btc rune', 'the best path, and the next four'],
    ['swap route usdc 40000 rune', 'how much USDC for at least 40,000 RUNE?'],
    ['swap route 25000 usdc rune --json | jq -r .routes[0].min_return', 'for a script'],
    ['swap route 0.5 btc ruji --via rune --explain', 'every level, and why others lost'],
  ],
  groups: [
    {
      title: 'PATHS',
      flags: [
        {
          flags: '--max-hops <n>',
          meaning: 'at most this many swaps one after the other, 1 to 6 (default 4)',
        },
        { flags: '--limit <n>', meaning: 'routes to show, 1 to 25 (default 5)' },
        { flags: '--via <names>', meaning: 'tokens or pairs that must be used', many: true },
        {
          flags: '--exclude <names>',
          meaning: 'tokens or pairs that must not be used',
          many: true,
        },
        {
          flags: '--path <pairs>',
          meaning: 'exactly these pairs, in order: btc/usdc,rune/usdc',
          many: true,
        },
      ],
    },
    {
      title: 'TERMS AND GUARDS',
      flags: [
        {
          flags: '--slippage <0.5%|50bps>',
          meaning: 'accept this much less than quoted (default 0.5%)',
        },
        { flags: '--slippage-bps <n>', meaning: 'the same, in basis points' },
        { flags: '--min-out <amount>', meaning: 'refuse below this output, e.g. 39500rune' },
        {
          flags: '--max-impact <percent>',
          meaning: 'refuse above this price impact, e.g. 1% or 80bps',
        },
        { flags: '--affiliate <code>', meaning: 'a code registered with the router' },
        { flags: '--recipient <address>', meaning: 'who is paid (default: who signs)' },
      ],
    },
    {
      title: 'OUTPUT',
      flags: [
        { flags: '--explain', meaning: 'every level consumed, why others lost, what was refused' },
        { flags: '--atomic', meaning: 'amounts in base units, in and in -q' },
        { flags: '--stdin', meaning: 'NDJSON: request bodies in, answers out, one market for all' },
      ],
    },
  ],
  exit: '0 ok, 2 usage, 3 no route, 5 guard, 11 halted',
  async run(context, args, flags) {
    if (flags['stdin'] === true) {
      const { routeLines } = await import('../batch.js')
      const { refuseMore } = await import('../arguments.js')
      refuseMore('route --stdin', args)
      return routeLines(context)
    }
    const { readRouteRequest } = await import('../request.js')
    const { route } = await import('../../app/route.js')
    const answer = await route(context.app, await readRouteRequest(context, args, flags))
    await print(context, answer)
  },
}

async function print(context: Context, answer: RouteAnswer): Promise<void> {
  const { app, out, form, config, surroundings } = context
  const { stringify } = await import('../../app/json.js')
  const document = stringify(answer)
  const { keepQuote } = await import('../quote-store.js')
  const kept = await keepQuote(surroundings, document)
  if (kept.note !== undefined) out.note(kept.note)
  if (form.quiet > 1) return
  const { market } = await app.venue()
  if (form.quiet === 1) return out.result(await outputOf(answer, market.tokens, form.atomic))
  if (form.kind !== 'human' && kept.id !== undefined) out.note(`quote ${kept.id}`)
  if (form.kind === 'json') return out.result(document)
  const view = {
    tokens: market.tokens,
    aliases: config.aliases,
    ...(kept.id !== undefined && { quoteId: kept.id }),
  }
  if (form.kind === 'csv') {
    const { routeCsv } = await import('../../render/csv.js')
    return out.result(routeCsv(answer, view))
  }
  const { renderRoute } = await import('../../render/route.js')
  const text = renderRoute(answer, view, out.style)
  if (answer.explain === undefined) return out.result(text)
  const { renderExplain } = await import('../../render/explain.js')
  return out.result(`${text}\n\n${renderExplain(answer.explain, answer, view, out.style)}`)
}

/** The one value a script wants: what is received, or for exact-out what is paid. */
async function outputOf(
  answer: RouteAnswer,
  tokens: ReadonlyMap<string, { readonly decimals: number }>,
  atomic: boolean,
): Promise<string> {
  const coin =
    answer.output.amount === undefined
      ? { denom: answer.output.denom, amount: answer.routes[0]!.expected_output }
      : answer.input
  if (atomic) return coin.amount
  const { formatUnits } = await import('../../render/amount.js')
  return formatUnits(BigInt(coin.amount), tokens.get(coin.denom)!.decimals)
}
