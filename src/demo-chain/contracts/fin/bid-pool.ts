import type { FinRules } from '../../../engine/market/venues/fin-rules.js'
import {
  endShare,
  FRESH_POOL,
  type OrderShare,
  type PoolFill,
  syncShare,
  takePool,
} from '../../../engine/market/venues/resting-pool.js'
import type { Decimal } from '../../../engine/math/decimal.js'
import {
  type Scaled,
  scaledAdd,
  scaledComplement,
  scaledEqual,
  scaledMul,
  scaledRatio,
} from '../../../engine/math/scaled.js'
import { ContractError } from '../../modules/contract.js'

/**
 * All orders at one price. `product` is the remainder of a share of one, `sum` the payment to such a share, both since
 * the pool was last drained, which begins the next epoch (docs/venues.md#precision-of-a-pool).
 */
export type BidPool = {
  /** Atomics of the denom that the orders give. */
  readonly total: bigint
  readonly sum: Scaled
  readonly product: Scaled
  readonly epoch: number
}

export const EMPTY_POOL: BidPool = { total: 0n, ...FRESH_POOL, epoch: 0 }

/** A pool after a fill, and the sum of the epoch that ended with it. */
type PoolResult = { readonly taken: PoolFill; readonly pool: BidPool; readonly ended?: Scaled }

export const NOTHING: PoolFill = { sold: 0n, bought: 0n }

/**
 * Fills from a pool and divides the payment among its orders. `factor`: bought per sold.
 *
 * @throws ContractError `DistributionError` when the pool has no precision left for the step.
 */
export function drawFrom(
  rules: FinRules,
  factor: Decimal,
  pool: BidPool,
  offer: bigint,
): PoolResult {
  const { total } = pool
  if (offer === 0n || total === 0n) return { taken: NOTHING, pool }
  const taken = takePool(rules, factor, total, offer)
  const sum = scaledAdd(pool.sum, scaledMul(pool.product, scaledRatio(taken.sold, total)))
  if (taken.bought === total)
    return { taken, pool: { ...EMPTY_POOL, epoch: pool.epoch + 1 }, ended: sum }
  const product = scaledMul(pool.product, scaledComplement(taken.bought, total))
  if (scaledEqual(sum, pool.sum) || product.mantissa === 0n)
    throw new ContractError('DistributionError')
  return { taken, pool: { total: total - taken.bought, sum, product, epoch: pool.epoch } }
}

export const addTo = (pool: BidPool, amount: bigint): BidPool => ({
  ...pool,
  total: pool.total + amount,
})

/** @throws ContractError `WithdrawError` when the pool holds less. */
export function withdrawFrom(pool: BidPool, amount: bigint): BidPool {
  if (amount > pool.total) throw new ContractError(`WithdrawError ${amount}`)
  return { ...pool, total: pool.total - amount }
}

/** One owner's order: a share of its pool as of a snapshot. */
export type Order = OrderShare & {
  /** Block time when it was last placed, raised or lowered, nanoseconds. */
  readonly updatedAt: bigint
  /** The offer at that time, in atomics of the denom it gives. */
  readonly offer: bigint
  readonly epoch: number
}

/**
 * The current order: the rest of its share and the amount paid to it, both rounded down, so that all orders together
 * never claim more than the pool received. `endOf` returns the sum at the end of an epoch.
 */
export function syncOrder(order: Order, pool: BidPool, endOf: (epoch: number) => Scaled): Order {
  const { amount, filled } =
    order.epoch < pool.epoch ? endShare(order, endOf(order.epoch)) : syncShare(order, pool)
  return { ...order, amount, filled, ...snapshotOf(pool) }
}

/** The snapshot of a new share. */
export const snapshotOf = ({ product, sum, epoch }: BidPool) => ({ product, sum, epoch })
