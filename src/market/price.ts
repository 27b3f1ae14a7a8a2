import { ONE } from '../math/decimal.js'
import { type Rational, rational } from '../math/rational.js'
import type { Book } from './book.js'
import { bestRate } from './compiled-side.js'
import { type PairState, restingOf, type Side } from './pair.js'

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
    return bestRate(book.shown(side))
  } catch {
    // A side whose best level the contract aborts on has no price.
    return undefined
  }
}

/**
 * What a side holds, in the denom that the taker receives: its pools and what its makers have to pay
 * out. A maker's ladder ends a little before its reserve does.
 */
export function depthOf(state: PairState, side: Side): bigint {
  const { fixed, oracle } = restingOf(state, side)
  const pools = [...fixed, ...oracle].reduce((sum, pool) => sum + pool.total, 0n)
  return state.makers.reduce((sum, maker) => {
    if (maker.kind === 'xyk') {
      const offered = side === 'ask' ? state.pair.quote : state.pair.base
      return sum + (offered === maker.y ? maker.reserveX : maker.reserveY)
    }
    if (maker.kind === 'silent' || maker.stale) return sum
    const levels = side === 'ask' ? maker.asks : maker.bids
    return levels.reduce((total, level) => total + level.size, sum)
  }, pools)
}
