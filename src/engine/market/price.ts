import { ONE } from '../math/decimal.js'
import { type Rational, rational } from '../math/rational.js'
import type { Book } from './book.js'
import { bestRate } from './compiled-side.js'
import type { Side } from './pair.js'

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
    return bestRate(book.simulatedSide(side))
  } catch {
    // A side whose best level the contract aborts on has no price.
    return undefined
  }
}
