import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { bestPrices } from '../../engine/market/mid-price.js'
import type { Denom } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import {
  compareRationals,
  over,
  type Rational,
  rational,
  times,
} from '../../engine/math/rational.js'

/** Prices of a denom over one or more pairs, in atomics of the last denom per atomic of the first. */
type PricePath = {
  readonly denoms: readonly Denom[]
  readonly books: readonly Book[]
  readonly bid: Rational
  readonly ask: Rational
  readonly mid: Rational
}

/**
 * The path from `base` to `quote` over the fewest pairs with both sides, and among those the one with the
 * narrowest spread; ties by pair addresses. `undefined` if no pairs connect the two.
 */
export function pricePath(market: Market, base: Denom, quote: Denom): PricePath | undefined {
  const one = rational(1n, 1n)
  const reached = new Set<Denom>()
  let layer: readonly PricePath[] = [{ denoms: [base], books: [], bid: one, ask: one, mid: one }]
  while (layer.length > 0) {
    for (const { denoms } of layer) reached.add(denoms.at(-1)!)
    const best = new Map<Denom, PricePath>()
    for (const longer of layer.flatMap((path) => extensions(market, path, reached))) {
      const end = longer.denoms.at(-1)!
      const knownPath = best.get(end)
      if (knownPath === undefined || isNarrower(longer, knownPath)) best.set(end, longer)
    }
    const result = best.get(quote)
    if (result !== undefined) return result
    layer = [...best.values()]
  }
  return undefined
}

/** The path extended by each pair to a denom that is not reached yet. */
function extensions(
  market: Market,
  path: PricePath,
  denoms: ReadonlySet<Denom>,
): readonly PricePath[] {
  const from = path.denoms.at(-1)!
  return [...market.books.values()].flatMap((book) => {
    const { pair } = book.state
    const to = pair.base === from ? pair.quote : pair.quote === from ? pair.base : undefined
    if (to === undefined || denoms.has(to)) return []
    const { bid, ask, mid } = bestPrices(book, from)
    if (bid === undefined || ask === undefined || mid === undefined) return []
    return [
      {
        denoms: [...path.denoms, to],
        books: [...path.books, book],
        bid: times(path.bid, bid),
        ask: times(path.ask, ask),
        mid: times(path.mid, mid),
      },
    ]
  })
}

/** Compares by ask over bid, then by addresses. */
function isNarrower(a: PricePath, b: PricePath): boolean {
  const order = compareRationals(over(a.ask, a.bid), over(b.ask, b.bid))
  return order === 0 ? addresses(a) < addresses(b) : order < 0
}

const addresses = ({ books }: PricePath): string =>
  books.map(({ state }) => state.pair.address).join(' ')

/** Traded volume of a pair. */
export type PairVolume = {
  /** Executed hops. */
  readonly swaps: number
  /** Atomics of both denoms of the pair, before its fee. */
  readonly traded: ReadonlyMap<Denom, bigint>
  /** Dollars at the mid prices of their blocks; `undefined` if unknown. */
  readonly usd: Decimal | undefined
}

/** Executed swaps of 24 hours of block time, `from < time <= to`, without a gap. */
export type DayFigures = {
  /** RFC 3339 UTC. */
  readonly from: string
  readonly to: string
  /** By the address of the pair. */
  readonly volumes: ReadonlyMap<string, PairVolume>
  /** Dollars per atomic at `from`, or up to an hour before. */
  readonly prices: ReadonlyMap<Denom, Rational>
}
