import type { OrderShare } from '../market/venues/resting-pool.js'
import type { Decimal } from '../math/decimal.js'
import type { OrderPlace } from './order-price.js'

/** One owner's order as of a height. */
export type RestingOrder = OrderPlace & {
  /** Quote per base as of the height; `undefined` where the pair's oracle gives no price. */
  readonly rate: Decimal | undefined
  /** What rested after its owner's last change, in atomics of the denom it gives. */
  readonly offered: bigint
  /** What still rests of it. */
  readonly remaining: bigint
  /** What it was paid and can claim, before the maker fee, in atomics of the denom it wants. */
  readonly filled: bigint
  /** Block time of its owner's last change, in nanoseconds since 1970. */
  readonly updatedAt: bigint
  /**
   * The share that the pair stores. Without it `remaining` and `filled` are rounded once more when
   * the order is filled on, and such a preview is not exact.
   */
  readonly share?: OrderShare
}

/** `cancelled`: nothing rests and nothing can be claimed, as after a message. */
export type OrderStatus = 'open' | 'partly_filled' | 'filled' | 'cancelled'

export const statusOf = ({
  offered,
  remaining,
  filled,
}: Pick<RestingOrder, 'offered' | 'remaining' | 'filled'>): OrderStatus => {
  if (remaining === 0n) return filled > 0n ? 'filled' : 'cancelled'
  return filled > 0n || remaining < offered ? 'partly_filled' : 'open'
}
