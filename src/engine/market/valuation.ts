import { ONE } from '../math/decimal.js'
import { type Rational, rational } from '../math/rational.js'
import type { Book } from './book.js'
import { groupAt } from './compiled-side.js'
import type { Market } from './market.js'
import { otherDenom, type Side } from './pair.js'
import type { Denom } from './token.js'

/**
 * The mid price as received atomics per offered atomic of this side, from the best prices that the
 * book shows; `undefined` where a side is empty or cannot be read.
 */
export function midOf(book: Book, side: Side): Rational | undefined {
  const [ask, bid] = [bestOf(book, 'ask'), bestOf(book, 'bid')]
  if (ask === undefined || bid === undefined) return undefined
  return side === 'bid' ? rational(ask + bid, 2n * ONE) : rational(2n * ONE, ask + bid)
}

/** The best price that a side shows (quote per base, 18 digits), if it can be read. */
export function bestOf(book: Book, side: Side): bigint | undefined {
  try {
    return groupAt(book.simulatedSide(side), 0)?.rate
  } catch {
    // A side whose best level the contract aborts on has no price.
    return undefined
  }
}

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

/** The worth of one token, as `pricesOf` has it. */
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
  const touching = booksByDenom(market)
  const quotes = new Map<Book, readonly Quoted[]>()
  const known = new Map<Denom, Rational | undefined>([[usd, rational(1n, 1n)]])
  let all: ReadonlyMap<Denom, Rational> | undefined
  const quotesOf = (book: Book): readonly Quoted[] => {
    const found = quotes.get(book) ?? quoted(book)
    quotes.set(book, found)
    return found
  }
  /** The books of a denom from whose other side `count` more lead to the reference token. */
  const towards = (denom: Denom, count: number): readonly Book[] =>
    (touching.get(denom) ?? []).filter(({ state }) =>
      isWithin(otherDenom(state.pair, denom), count),
    )
  const isWithin = (denom: Denom, count: number): boolean =>
    denom === usd ||
    (count > 0 && towards(denom, count - 1).some((book) => quotesOf(book).length > 0))
  const compute = (denom: Denom): Rational | undefined => {
    for (let count = 0; count < NEAR; count += 1) {
      const [through] = towards(denom, count).flatMap(quotesOf).sort(bySpread)
      if (through !== undefined)
        return valueThrough(through, denom, priceOf(otherDenom(through, denom))!)
    }
    all ??= pricesOf(market)
    return all.get(denom)
  }
  const priceOf: PriceOf = (denom) => {
    if (!known.has(denom)) known.set(denom, compute(denom))
    return known.get(denom)
  }
  return priceOf
}

function booksByDenom(market: Market): ReadonlyMap<Denom, readonly Book[]> {
  const touching = new Map<Denom, Book[]>()
  for (const book of market.books.values())
    for (const denom of [book.state.pair.base, book.state.pair.quote]) {
      const books = touching.get(denom)
      if (books === undefined) touching.set(denom, [book])
      else books.push(book)
    }
  return touching
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

/** Prices the unknown denom of a pair from the known one. */
function priceThrough(
  pair: Quoted,
  known: ReadonlyMap<Denom, Rational>,
  prices: Map<Denom, Rational>,
): void {
  for (const unknown of [pair.base, pair.quote]) {
    const worth = known.get(otherDenom(pair, unknown))
    if (worth !== undefined && !prices.has(unknown))
      prices.set(unknown, valueThrough(pair, unknown, worth))
  }
}

/** What a denom of a pair is worth at its mid price, `worth` being that of the other one. */
function valueThrough({ base, ask, bid }: Quoted, denom: Denom, worth: Rational): Rational {
  const mid = rational(ask + bid, 2n * ONE)
  const { numerator, denominator } = denom === base ? mid : rational(mid.denominator, mid.numerator)
  const value = (numerator * worth.numerator * KEPT) / (denominator * worth.denominator)
  return rational(value, KEPT)
}
