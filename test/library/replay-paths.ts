/**
 * Replays recorded executions of contracts with the engine of the package. Runs in every JavaScript
 * runtime: it imports nothing, and the engine is given.
 */
type Coin = { readonly denom: string; readonly amount: string }
type Case = {
  readonly kind: string
  readonly path: readonly string[]
  readonly coin: Coin
  readonly min_return?: Coin
  readonly affiliate_code?: string | null
  readonly needs: readonly string[]
  readonly result: { readonly [member: string]: string } & { readonly router_left?: object }
}
export type RecordedMarket = {
  readonly snapshot: { readonly router: { readonly affiliates?: object } }
  readonly cases: readonly object[]
}

type Engine = typeof import('../../src/library/engine.js')

/** @returns how many cases were compared, and the first that differ */
export function replayPaths({ readMarket, quotePath }: Engine, lines: readonly RecordedMarket[]) {
  let compared = 0
  const wrong: string[] = []
  for (const { snapshot, cases } of lines) {
    const market = readMarket(snapshot)
    for (const each of cases as readonly Case[]) {
      const { kind, path, coin, result, needs, affiliate_code: code } = each
      if (kind !== 'execute' && kind !== 'route') continue
      const input = { denom: coin.denom, amount: BigInt(coin.amount) }
      if (input.amount === 0n) continue
      // The contract ignores a code that is not registered.
      const isKnown = code && code in (snapshot.router.affiliates ?? {})
      const quote = quotePath(market, path, input, isKnown ? { affiliate: code } : {})
      const isRefused = 'refused' in quote
      const theirs = kind === 'route' ? result['returned'] : result['recipient']
      const ours = isRefused
        ? undefined
        : kind === 'route'
          ? quote.simulated?.toString()
          : quote.output.amount.toString()
      // The contract leaves in the router what a book cannot take; a quote of that is refused.
      const isLeft = isRefused && quote.refused === 'beyond_depth' && hasMembers(result.router_left)
      // What a simulation answers is not known of a path that an execution refuses.
      if ((kind === 'route' && isRefused) || isLeft) continue
      compared += 1
      const isShort =
        !isRefused &&
        theirs === undefined &&
        BigInt(ours ?? 0) < BigInt(each.min_return?.amount ?? 0)
      if (ours === theirs || isShort || (!isRefused && !quote.exact && needs.length > 0)) continue
      wrong.push(`${kind} ${path.join(' ')} ${coin.amount} ${coin.denom}: ${ours} for ${theirs}`)
    }
  }
  return { compared, wrong: wrong.slice(0, 5) }
}

const hasMembers = (value: object = {}): boolean => Object.keys(value).length > 0
