import type { Scaled } from '../../../engine/math/scaled.js'
import { SCALED_ZERO } from '../../../engine/math/scaled.js'
import type { ReadStorage, Storage } from '../../wasm/contract.js'
import { type BidPool, EMPTY_POOL } from './bid-pool.js'
import { epochSumKey, nonEmptyKey, orderKey, poolKey } from './keys.js'
import type { Order } from './order.js'
import type { BookSide, OrderPrice } from './price.js'

/** The pool at a price; an empty one where there never was any. */
export const loadPool = (storage: ReadStorage, side: BookSide, price: OrderPrice): BidPool =>
  storage.get<BidPool>(poolKey(side, price)) ?? EMPTY_POOL

/** Stores a pool, and in the list of those that are not empty whether it is one. */
export function savePool(storage: Storage, side: BookSide, price: OrderPrice, pool: BidPool): void {
  storage.set(poolKey(side, price), pool)
  const key = nonEmptyKey(side, price)
  const listed = storage.get(key) !== undefined
  if (pool.total > 0n && !listed) storage.set(key, null)
  else if (pool.total === 0n && listed) storage.set(key, undefined)
}

/** Keeps the sum at which an epoch of a pool ended: its orders are still to be paid from it. */
export const saveEpochSum = (
  storage: Storage,
  side: BookSide,
  price: OrderPrice,
  epoch: number,
  sum: Scaled,
): void => storage.set(epochSumKey(side, price, epoch), sum)

export const epochSums =
  (storage: ReadStorage, side: BookSide, price: OrderPrice) =>
  (epoch: number): Scaled =>
    storage.get<Scaled>(epochSumKey(side, price, epoch)) ?? SCALED_ZERO

export const loadOrder = (
  storage: ReadStorage,
  owner: string,
  side: BookSide,
  price: OrderPrice,
): Order | undefined => storage.get<Order>(orderKey(owner, side, price))

/** Stores an order, or removes one that neither offers nor is owed anything. */
export function saveOrder(
  storage: Storage,
  owner: string,
  side: BookSide,
  price: OrderPrice,
  order: Order,
): void {
  const done = order.amount === 0n && order.filled === 0n
  storage.set(orderKey(owner, side, price), done ? undefined : order)
}
