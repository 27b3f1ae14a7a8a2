import { SCALED_ONE, SCALED_ZERO, type Scaled } from '../../math/scaled.js'

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
