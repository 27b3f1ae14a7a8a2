import type { Side } from '../../src/engine/market/pair.js'
import type { RestingOrder } from '../../src/engine/orders/resting-order.js'
import { must } from './matching.js'

/** An owner's order at a fixed price. */
export const restingOrder = (
  side: Side,
  price: string,
  remaining: bigint,
  filled = 0n,
): RestingOrder => ({
  side,
  price: { fixed: must(price) },
  rate: must(price),
  updatedAt: 0n,
  offered: remaining,
  remaining,
  filled,
})
