import { type Decimal, divCeil, divFloor, inverse, mulFloor, uint128 } from '../../math/decimal.js'
import {
  SCALED_ONE,
  SCALED_ZERO,
  type Scaled,
  scaledAdd,
  scaledComplement,
  scaledEqual,
  scaledMul,
  scaledRatio,
} from '../../math/scaled.js'
import type { Side } from '../pair.js'
import { ContractFailure } from '../refusal.js'
import type { FinRules } from './fin-rules.js'

/** `sold` offer atomics for `bought` atomics before the fee. `sold` may exceed what was offered. */
export type PoolFill = { readonly sold: bigint; readonly bought: bigint }

const NOTHING: PoolFill = { sold: 0n, bought: 0n }

/** Bought per sold at a pool's rate: the rate itself on a bid, its inverse rounded down on an ask. */
export const poolFactor = (side: Side, rate: Decimal): Decimal =>
  side === 'ask' ? inverse(rate) : rate

/** Whether a pool takes offers and pays nothing: a bid at a rate of zero, an ask at one whose inverse is zero. */
export const paysNothing = (side: Side, rate: Decimal): boolean =>
  side === 'bid' ? rate === 0n : rate > 0n && inverse(rate) === 0n

/**
 * What a limit pool of `total` pays for `offer` (docs/venues.md#bid-pools), with the drain rule of
 * the pair's version. Mirrors rujira-rs `bid_pool/pool.rs`.
 *
 * A partial fill takes the whole offer and pays `floor(offer × factor)`. Under the `atom` tolerance
 * a drain may cost more than was offered: the caller has to refuse that if nothing covers it.
 */
export function takePool(rules: FinRules, factor: Decimal, total: bigint, offer: bigint): PoolFill {
  if (offer === 0n || total === 0n) return NOTHING
  const value = uint128(mulFloor(offer, factor))
  const isOneShort = value + 1n === total
  if (value >= total || (isOneShort && rules.tolerance === 'atom'))
    return { sold: uint128(drainCost(rules, factor, total)), bought: total }
  if (!isOneShort || rules.tolerance === 'none') return { sold: offer, bought: value }
  const cost = divFloor(total, factor)
  if (cost > offer)
    throw new ContractFailure(
      'abort_window',
      `an offer of ${offer} ends one atomic short of draining a pool of ${total}, and aborts`,
      cost - offer,
    )
  return { sold: offer, bought: value }
}

/** The offer that draining a pool costs, whatever was offered. Above 128 bits the contract aborts. */
export const drainCost = (rules: FinRules, factor: Decimal, total: bigint): bigint =>
  rules.drain === 'ceil' ? divCeil(total, factor) : divFloor(total, factor)

/** The least offer at which `takePool` drains the pool (its cost may still be higher than that). */
export function drainThreshold(rules: FinRules, factor: Decimal, total: bigint): bigint {
  const value = rules.tolerance === 'atom' ? total - 1n : total
  const least = divCeil(value, factor)
  return least > 0n ? least : 1n
}

/**
 * A pool's running sum and product after a partial fill. Throws `ContractFailure` where the contract
 * answers `DistributionError` (docs/venues.md#precision-of-a-pool).
 */
export function distribute(
  sum: Scaled,
  product: Scaled,
  total: bigint,
  taken: PoolFill,
): { readonly sum: Scaled; readonly product: Scaled } {
  const nextSum = scaledAdd(sum, scaledMul(product, scaledRatio(taken.sold, total)))
  const nextProduct = scaledMul(product, scaledComplement(taken.bought, total))
  if (scaledEqual(nextSum, sum) || nextProduct.mantissa === 0n)
    throw new ContractFailure(
      'pool_precision',
      `a pool of ${total} has no precision left for a fill of ${taken.sold}`,
    )
  return { sum: nextSum, product: nextProduct }
}

/** A pool's running sum and product since it was last drained (docs/venues.md#precision-of-a-pool). */
export type PoolPrecision = { readonly sum: Scaled; readonly product: Scaled }

/** A pool that nothing was taken from since it was last drained. */
export const FRESH_POOL: PoolPrecision = { sum: SCALED_ZERO, product: SCALED_ONE }

/** One owner's part of a pool as of a moment, as the pair stores it (docs/venues.md#shares-of-a-pool). */
export type OrderShare = PoolPrecision & {
  /** What it offered at that moment, in atomics of the denom it gives. */
  readonly amount: bigint
  /** What was paid for it up to then and not claimed, before the maker fee. */
  readonly filled: bigint
}

/** The share at its pool's present sum and product: both amounts round down. */
export const syncShare = (share: OrderShare, { sum, product }: PoolPrecision): OrderShare => ({
  amount: timesQuotient(share.amount, product, share.product),
  filled: share.filled + paidUntil(share, sum),
  sum,
  product,
})

/** The share after its pool was drained at this sum: nothing is left of it. */
export const endShare = (share: OrderShare, sum: Scaled): OrderShare => ({
  amount: 0n,
  filled: share.filled + paidUntil(share, sum),
  ...FRESH_POOL,
})

/** `⌊amount·(sum − sum₀)/product₀⌋`: never negative. */
function paidUntil({ amount, sum: before, product }: OrderShare, sum: Scaled): bigint {
  const scale = Math.max(sum.scale, before.scale)
  const mantissa = raise(sum, scale) - raise(before, scale)
  return mantissa <= 0n ? 0n : timesQuotient(amount, { mantissa, scale }, product)
}

const raise = ({ mantissa, scale }: Scaled, to: number): bigint =>
  mantissa * 10n ** BigInt(to - scale)

/** `⌊amount·a/b⌋`. */
function timesQuotient(amount: bigint, a: Scaled, b: Scaled): bigint {
  const shift = b.scale - a.scale
  return shift >= 0
    ? (amount * a.mantissa * 10n ** BigInt(shift)) / b.mantissa
    : (amount * a.mantissa) / (b.mantissa * 10n ** BigInt(-shift))
}
