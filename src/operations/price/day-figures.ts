import type { Denom } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { Rational } from '../../engine/math/rational.js'

/** What was traded in a pair. */
export type PairVolume = {
  /** Executed hops. */
  readonly swaps: number
  /** Atomics of both denoms of the pair, before its fee. */
  readonly traded: ReadonlyMap<Denom, bigint>
  /** Dollars at the mid prices of their blocks; `undefined` where none is known. */
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
