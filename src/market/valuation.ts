import { type Rational, rational } from '../math/rational.js'
import type { Book } from './book.js'
import type { Market } from './market.js'
import { bestOf, midOf } from './price.js'
import type { Denom } from './token.js'

/** Digits that a price keeps from hop to hop, below the 18 that are shown. */
const KEPT = 10n ** 36n

/**
 * What each token is worth, in atomics of the reference token per atomic, from the mid prices of the
 * books: over as few books as possible, and among those over the one with the narrowest spread.
 * Tokens that no book with both sides connects to the reference token have no price.
 */
export function pricesOf(market: Market): ReadonlyMap<Denom, Rational> {
  const prices = new Map<Denom, Rational>()
  if (market.usd === undefined || !market.tokens.has(market.usd)) return prices
  prices.set(market.usd, rational(1n, 1n))
  const books = [...market.books.values()].flatMap((book) => quoted(book)).sort(bySpread)
  for (let grown = true; grown; ) {
    const known = new Map(prices)
    for (const { book } of books) pass(book, known, prices)
    grown = prices.size > known.size
  }
  return prices
}

type Quoted = { readonly book: Book; readonly spread: Rational }

/** A book with both sides, and its spread over the sum of its best prices. */
function quoted(book: Book): readonly Quoted[] {
  const [ask, bid] = [bestOf(book, 'ask'), bestOf(book, 'bid')]
  if (ask === undefined || bid === undefined) return []
  return [{ book, spread: rational(ask - bid, ask + bid) }]
}

function bySpread(a: Quoted, b: Quoted): number {
  const left = a.spread.numerator * b.spread.denominator
  const right = b.spread.numerator * a.spread.denominator
  if (left !== right) return left < right ? -1 : 1
  return a.book.state.pair.address < b.book.state.pair.address ? -1 : 1
}

/** Prices the unknown denom of a pair from the known one. */
function pass(book: Book, known: ReadonlyMap<Denom, Rational>, prices: Map<Denom, Rational>): void {
  const { base, quote } = book.state.pair
  for (const [unknown, priced, side] of [
    [base, quote, 'bid'],
    [quote, base, 'ask'],
  ] as const) {
    const worth = known.get(priced)
    const mid = midOf(book, side)
    if (worth === undefined || mid === undefined || prices.has(unknown)) continue
    const numerator = mid.numerator * worth.numerator * KEPT
    prices.set(unknown, rational(numerator / (mid.denominator * worth.denominator), KEPT))
  }
}
