import type { Scaled } from '../../../engine/math/scaled.js'
import type { BidPool } from './bid-pool.js'

/** One owner's order: a share of its pool as of a moment. */
export type Order = {
  /** Block time of the last change by its owner, nanoseconds. */
  readonly updatedAt: bigint
  /** What it offered then, in atomics of the denom it gives. */
  readonly offer: bigint
  /** What it offered at the snapshot. */
  readonly amount: bigint
  /** Paid for it up to the snapshot and not yet claimed, in atomics of the denom it wants. */
  readonly filled: bigint
  readonly product: Scaled
  readonly sum: Scaled
  readonly epoch: number
}

/**
 * The order as of now: what is left of its share and what it was paid, both rounded down, so that
 * all orders together never claim more than the pool received. `endOf` gives the sum at which an
 * epoch ended.
 */
export function synced(order: Order, pool: BidPool, endOf: (epoch: number) => Scaled): Order {
  const ended = order.epoch < pool.epoch
  const sum = ended ? endOf(order.epoch) : pool.sum
  return {
    ...order,
    amount: ended ? 0n : timesQuotient(order.amount, pool.product, order.product),
    filled: order.filled + paid(order, sum),
    ...snapshotOf(pool),
  }
}

/** Where a share that is new now starts from. */
export const snapshotOf = ({ product, sum, epoch }: BidPool) => ({ product, sum, epoch })

function paid({ amount, sum: before, product }: Order, sum: Scaled): bigint {
  const scale = Math.max(sum.scale, before.scale)
  const mantissa = raised(sum, scale) - raised(before, scale)
  return mantissa <= 0n ? 0n : timesQuotient(amount, { mantissa, scale }, product)
}

const raised = ({ mantissa, scale }: Scaled, to: number): bigint =>
  mantissa * 10n ** BigInt(to - scale)

/** `floor(amount × a ÷ b)`. */
function timesQuotient(amount: bigint, a: Scaled, b: Scaled): bigint {
  if (a.mantissa === b.mantissa && a.scale === b.scale) return amount
  const shift = b.scale - a.scale
  return shift >= 0
    ? (amount * a.mantissa * 10n ** BigInt(shift)) / b.mantissa
    : (amount * a.mantissa) / (b.mantissa * 10n ** BigInt(-shift))
}
