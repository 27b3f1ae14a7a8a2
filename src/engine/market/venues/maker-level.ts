import { type Decimal, decimal, inverse, MAX_UINT128, ONE, uint128 } from '../../math/decimal.js'
import { truncateCeil, truncateFloor } from '../../math/tick.js'
import type { MakerLevel, Side } from '../pair.js'
import type { PoolFill } from './resting-pool.js'

/**
 * What a maker's level with `size` left pays for `offer`. Mirrors rujira-fin `market_maker.rs`: both
 * the payment and the cost of a drained level round down (docs/venues.md#market-maker-levels).
 * Throws `ArithmeticAbort` where the contract's 128-bit products overflow.
 */
export function takeLevel(price: Decimal, size: bigint, offer: bigint): PoolFill {
  const value = uint128((uint128(offer * ONE) * price) / ONE) / ONE
  const cost = uint128((size * ONE * ONE) / price) / ONE
  return size > value ? { sold: offer, bought: value } : { sold: cost, bought: size }
}

/** The offer that draining a level costs, rounded down. */
export const levelCost = (price: Decimal, size: bigint): bigint => (size * ONE) / price

/** The least offer at which `takeLevel` drains the level, given what draining costs. */
export const levelThreshold = (price: Decimal, size: bigint, cost: bigint): bigint =>
  cost * price === size * ONE ? cost : cost + 1n

/** The largest offer that a level can be shown without leaving 128 bits. */
export const levelOfferLimit = (price: Decimal): bigint =>
  price <= ONE ? LARGEST_SHOWN : MAX_UINT128 / price

const LARGEST_SHOWN = MAX_UINT128 / ONE

/** Whether taking from a level of this cost stays inside 128 bits, with a margin. */
export const levelCostFits = (cost: bigint): boolean => cost + 1n < LARGEST_SHOWN

/**
 * The rate by which the contract sorts and shows a level: its price as quote per base, truncated to
 * the tick against the taker. Throws `ArithmeticAbort` where receiving such a level aborts.
 */
export function levelRate(side: Side, tick: number, level: MakerLevel): Decimal {
  if (level.size > LARGEST_SHOWN) uint128(level.size * ONE)
  uint128(level.size * level.price)
  return side === 'ask'
    ? decimal(uint128(truncateCeil(inverse(level.price), tick)))
    : truncateFloor(level.price, tick)
}
