import type { OrderShare } from '../market/venues/resting-pool.js'
import type { Decimal } from '../math/decimal.js'
import type { OrderPlace } from './order-price.js'

/** One owner's order at a height. */
export type RestingOrder = OrderPlace & {
  /** Quote per base at the height; `undefined` if the pair's oracle has no price. */
  readonly rate: Decimal | undefined
  /** The resting amount when it was last placed, raised or lowered, in atomics of the offered denom. */
  readonly offered: bigint
  /** The amount still resting. */
  readonly remaining: bigint
  /** The claimable amount before the maker fee, in atomics of the wanted denom. */
  readonly filled: bigint
  /** Block time when it was last placed, raised or lowered, in nanoseconds since 1970. */
  readonly updatedAt: bigint
  /**
   * The share that the pair stores. Without it `remaining` and `filled` are rounded once more when
   * the order is filled on, and such a preview is not exact.
   */
  readonly share?: OrderShare
}

/** `cancelled`: neither a resting nor a claimable amount, as after a message. */
export type OrderStatus = 'open' | 'partly_filled' | 'filled' | 'cancelled'

export const statusOf = ({
  offered,
  remaining,
  filled,
}: Pick<RestingOrder, 'offered' | 'remaining' | 'filled'>): OrderStatus => {
  if (remaining === 0n) return filled > 0n ? 'filled' : 'cancelled'
  return filled > 0n || remaining < offered ? 'partly_filled' : 'open'
}
