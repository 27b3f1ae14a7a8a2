import { ONE } from '../math/decimal.js'
import { minus, over, type Rational, rational, toBps } from '../math/rational.js'
import type { Book } from './book.js'
import { groupAt } from './compiled-side.js'
import type { Side } from './pair.js'
import type { Denom } from './token.js'

/**
 * The mid price as received atomics per offered atomic of this side, from the best prices that the
 * book shows; `undefined` where a side is empty or cannot be read.
 */
export function midOf(book: Book, side: Side): Rational | undefined {
  const [ask, bid] = [bestPriceOf(book, 'ask'), bestPriceOf(book, 'bid')]
  if (ask === undefined || bid === undefined) return undefined
  return side === 'bid' ? rational(ask + bid, 2n * ONE) : rational(2n * ONE, ask + bid)
}

/** The best prices of a denom and their middle, in atomics per atomic; `undefined` where a side is empty. */
export type BestPrices = {
  readonly [Name in 'bid' | 'ask' | 'mid']: Rational | undefined
}

/** The prices of one denom of a pair in the other. */
export function bestPrices(book: Book, of: Denom): BestPrices {
  const isForward = of === book.state.pair.base
  const rate = (side: Side): Rational | undefined => {
    const price = bestPriceOf(book, side)
    if (price === undefined) return undefined
    return isForward ? rational(price, ONE) : rational(ONE, price)
  }
  // Asks of the pair are bids of its quote.
  const [bid, ask] = isForward ? (['bid', 'ask'] as const) : (['ask', 'bid'] as const)
  return { bid: rate(bid), ask: rate(ask), mid: midOf(book, bid) }
}

/** The distance of the best prices over their middle, in bps with two decimals; `null` where a side is empty. */
export const spreadBps = ({ bid, ask, mid }: BestPrices): number | null =>
  bid && ask && mid ? toBps(over(minus(ask, bid), mid)) : null

/** The best price that a side shows (quote per base, 18 digits), if it can be read. */
export function bestPriceOf(book: Book, side: Side): bigint | undefined {
  try {
    return groupAt(book.simulatedSide(side), 0)?.rate
  } catch {
    // A side whose best level the contract aborts on has no price.
    return undefined
  }
}
