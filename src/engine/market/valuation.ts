import { ONE } from '../math/decimal.js'
import { type Rational, rational } from '../math/rational.js'
import type { Book } from './book.js'
import type { Market } from './market.js'
import { bestOf } from './price.js'
import type { Denom } from './token.js'

/** Digits that a price keeps from hop to hop, below the 18 that are shown. */
const KEPT = 10n ** 36n

/** A pair with both sides of its book: the best prices, in quote per base with 18 digits. */
export type Quoted = {
  readonly address: string
  readonly base: Denom
  readonly quote: Denom
  readonly ask: bigint
  readonly bid: bigint
}

/**
 * What each token is worth, in atomics of the reference token per atomic, from the mid prices of the
 * books: over as few books as possible, and among those over the one with the narrowest spread.
 * Tokens that no book with both sides connects to the reference token have no price.
 */
export function pricesOf(market: Market): ReadonlyMap<Denom, Rational> {
  if (market.usd === undefined || !market.tokens.has(market.usd)) return new Map()
  return pricesFrom(
    [...market.books.values()].flatMap((book) => quoted(book)),
    market.usd,
  )
}

/** The same from the best prices alone. */
export function pricesFrom(quotes: readonly Quoted[], usd: Denom): ReadonlyMap<Denom, Rational> {
  const prices = new Map<Denom, Rational>([[usd, rational(1n, 1n)]])
  const narrowest = [...quotes].sort(bySpread)
  for (let grown = true; grown; ) {
    const known = new Map(prices)
    for (const each of narrowest) priceThrough(each, known, prices)
    grown = prices.size > known.size
  }
  return prices
}

function quoted(book: Book): readonly Quoted[] {
  const { address, base, quote } = book.state.pair
  const [ask, bid] = [bestOf(book, 'ask'), bestOf(book, 'bid')]
  if (ask === undefined || bid === undefined) return []
  return [{ address, base, quote, ask, bid }]
}

/** By the spread over the sum of the best prices. */
function bySpread(a: Quoted, b: Quoted): number {
  const left = (a.ask - a.bid) * (b.ask + b.bid)
  const right = (b.ask - b.bid) * (a.ask + a.bid)
  if (left !== right) return left < right ? -1 : 1
  return a.address < b.address ? -1 : 1
}

/** Prices the unknown denom of a pair from the known one, at the mid price. */
function priceThrough(
  { base, quote, ask, bid }: Quoted,
  known: ReadonlyMap<Denom, Rational>,
  prices: Map<Denom, Rational>,
): void {
  const mid = rational(ask + bid, 2n * ONE)
  for (const [unknown, priced, { numerator, denominator }] of [
    [base, quote, mid],
    [quote, base, rational(mid.denominator, mid.numerator)],
  ] as const) {
    const worth = known.get(priced)
    if (worth === undefined || prices.has(unknown)) continue
    const value = (numerator * worth.numerator * KEPT) / (denominator * worth.denominator)
    prices.set(unknown, rational(value, KEPT))
  }
}
