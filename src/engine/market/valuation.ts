import { ONE } from '../math/decimal.js'
import { append } from '../math/grouped.js'
import { compareRationals, over, type Rational, rational, times } from '../math/rational.js'
import type { Book } from './book.js'
import type { Market } from './market.js'
import { bestPriceOf } from './mid-price.js'
import { otherDenom } from './pair.js'
import type { Denom } from './token.js'

/** A pair with both sides of its book: the best prices, in quote per base with 18 digits. */
export type PairPrices = {
  readonly address: string
  readonly base: Denom
  readonly quote: Denom
  readonly ask: bigint
  readonly bid: bigint
}

/** The value of one token, as in `pricesFrom`. */
export type PriceOf = (denom: Denom) => Rational | undefined

/** Books between a token and the reference token that are searched before all books are priced. */
const NEAR = 3

/**
 * Prices tokens one by one, from the books near them alone: reading the best prices of every book of a
 * large market takes a quarter of a second.
 */
export function pricerOf(market: Market): PriceOf {
  const { usd } = market
  if (usd === undefined || !market.tokens.has(usd)) return () => undefined
  const byDenom = booksByDenom(market)
  const quotes = new Map<Book, readonly PairPrices[]>()
  const values = new Map<Denom, ValuedToken | undefined>([[usd, REFERENCE]])
  let all: ReadonlyMap<Denom, ValuedToken> | undefined
  const quotesOf = (book: Book): readonly PairPrices[] => {
    const prices = quotes.get(book) ?? pairPricesOf(book)
    quotes.set(book, prices)
    return prices
  }
  /** The books of a denom from whose other side `count` more lead to the reference token. */
  const booksTowards = (denom: Denom, count: number): readonly Book[] =>
    (byDenom.get(denom) ?? []).filter(({ state }) => isWithin(otherDenom(state.pair, denom), count))
  const isWithin = (denom: Denom, count: number): boolean =>
    denom === usd ||
    (count > 0 && booksTowards(denom, count - 1).some((book) => quotesOf(book).length > 0))
  const compute = (denom: Denom): ValuedToken | undefined => {
    for (let count = 0; count < NEAR; count += 1) {
      const books = booksTowards(denom, count)
        .flatMap(quotesOf)
        .map((pair) => valuedThrough(pair, denom, valuedOf(otherDenom(pair, denom))!))
      if (books.length > 0) return books.reduce((a, b) => (isNarrower(b, a) ? b : a))
    }
    all ??= valuedFrom([...market.books.values()].flatMap(quotesOf), usd)
    return all.get(denom)
  }
  const valuedOf = (denom: Denom): ValuedToken | undefined => {
    if (!values.has(denom)) values.set(denom, compute(denom))
    return values.get(denom)
  }
  return (denom) => valuedOf(denom)?.worth
}

function booksByDenom(market: Market): ReadonlyMap<Denom, readonly Book[]> {
  const byDenom = new Map<Denom, Book[]>()
  for (const book of market.books.values())
    for (const denom of [book.state.pair.base, book.state.pair.quote]) append(byDenom, denom, book)
  return byDenom
}

/**
 * The value of each token in atomics of the reference token per atomic, from mid prices: over the fewest
 * books, and among those paths the one with the narrowest total spread. Tokens without a path of two-sided
 * books to the reference token have no price.
 */
export const pricesFrom = (
  quotes: readonly PairPrices[],
  usd: Denom,
): ReadonlyMap<Denom, Rational> =>
  new Map([...valuedFrom(quotes, usd)].map(([denom, { worth }]) => [denom, worth]))

type ValuedToken = {
  readonly worth: Rational
  /** The best asks of these books over their best bids, multiplied. */
  readonly spread: Rational
  /** Their addresses from the token on. */
  readonly addresses: string
}

const REFERENCE: ValuedToken = { worth: rational(1n, 1n), spread: rational(1n, 1n), addresses: '' }

function valuedFrom(quotes: readonly PairPrices[], usd: Denom): ReadonlyMap<Denom, ValuedToken> {
  const values = new Map([[usd, REFERENCE]])
  for (let hasGrown = true; hasGrown; ) {
    const additions = new Map<Denom, ValuedToken>()
    for (const pair of quotes)
      for (const denom of [pair.base, pair.quote]) {
        const neighbour = values.get(otherDenom(pair, denom))
        if (neighbour === undefined || values.has(denom)) continue
        const valued = valuedThrough(pair, denom, neighbour)
        const best = additions.get(denom)
        if (best === undefined || isNarrower(valued, best)) additions.set(denom, valued)
      }
    for (const [denom, valued] of additions) values.set(denom, valued)
    hasGrown = additions.size > 0
  }
  return values
}

export function pairPricesOf(book: Book): readonly PairPrices[] {
  const { address, base, quote } = book.state.pair
  const [ask, bid] = [bestPriceOf(book, 'ask'), bestPriceOf(book, 'bid')]
  if (ask === undefined || bid === undefined) return []
  return [{ address, base, quote, ask, bid }]
}

/** By the asks over the bids of all books, then by their addresses. */
function isNarrower(a: ValuedToken, b: ValuedToken): boolean {
  const order = compareRationals(a.spread, b.spread)
  return order === 0 ? a.addresses < b.addresses : order < 0
}

/** A denom of a pair at its mid price, from the value of the other one. */
function valuedThrough(pair: PairPrices, denom: Denom, neighbour: ValuedToken): ValuedToken {
  const { address, base, ask, bid } = pair
  const mid = rational(ask + bid, 2n * ONE)
  const { worth, spread, addresses } = neighbour
  return {
    worth: denom === base ? times(worth, mid) : over(worth, mid),
    spread: rational(ask * spread.numerator, bid * spread.denominator),
    addresses: `${address} ${addresses}`,
  }
}
