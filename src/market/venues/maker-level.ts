import { type Decimal, decimal, inverse, ONE } from '../../math/decimal.js'
import { truncateCeil, truncateFloor } from '../../math/tick.js'
import { MAX_UINT128, uint128 } from '../../math/uint.js'
import type { MakerLevel, Side } from '../pair.js'
import type { Taken } from './resting-pool.js'

/**
 * What a maker's level with `size` left gives for `offer`. Mirrors rujira-fin `market_maker.rs`
 * (fin.md 5.5): floor on what is bought, floor on what a drained level costs, no tolerance.
 * Throws `ArithmeticAbort` where the contract's 128-bit products overflow.
 */
export function takeLevel(price: Decimal, size: bigint, offer: bigint): Taken {
  const value = uint128((uint128(offer * ONE) * price) / ONE) / ONE
  const cost = uint128((size * ONE * ONE) / price) / ONE
  return size > value ? { sold: offer, bought: value } : { sold: cost, bought: size }
}

/** The offer that draining a level costs. */
export const levelCost = (price: Decimal, size: bigint): bigint => (size * ONE) / price

/** The least offer at which `takeLevel` drains the level. */
export const levelThreshold = (price: Decimal, size: bigint): bigint =>
  (size * ONE + price - 1n) / price

/** The largest offer that a level can be shown without leaving 128 bits. */
export function levelOfferLimit(price: Decimal): bigint {
  const byOffer = MAX_UINT128 / ONE
  const byValue = MAX_UINT128 / price
  return byOffer < byValue ? byOffer : byValue
}

/** Whether draining (or partly filling) a level of this size stays inside 128 bits. */
export const levelCostFits = (price: Decimal, size: bigint): boolean =>
  (size * ONE * ONE) / price <= MAX_UINT128

/**
 * The rate by which the contract sorts and shows a level: its price as quote per base, truncated to
 * the tick against the taker. Throws `ArithmeticAbort` where receiving such a level aborts.
 */
export function levelRate(side: Side, tick: number, level: MakerLevel): Decimal {
  uint128(level.size * ONE)
  uint128(level.size * level.price)
  return side === 'ask'
    ? decimal(uint128(truncateCeil(inverse(level.price), tick)))
    : truncateFloor(level.price, tick)
}
