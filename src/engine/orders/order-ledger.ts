import { restAfter } from '../market/commit.js'
import { drainedSum, type LiveGroup, type LivePart, type PoolPart } from '../market/group.js'
import {
  isBetter,
  type PairState,
  type RestingPool,
  type RestingSide,
  restingOf,
  type Side,
} from '../market/pair.js'
import {
  endShare,
  FRESH_POOL,
  type OrderShare,
  type PoolPrecision,
  syncShare,
} from '../market/venues/resting-pool.js'
import { type Decimal, decimal, ONE } from '../math/decimal.js'
import { OrderFault } from './order-failure.js'
import { type OrderPlace, type OrderPrice, oracleRate, placeKey } from './order-price.js'
import type { RestingOrder } from './resting-order.js'

/** A pair's state of one owner, at the height of the pair's state. */
export type OwnerOrders = {
  /** The owner's orders on this pair; at least those at the prices of a message. */
  readonly orders: readonly RestingOrder[]
  /** Sums and products of empty pools that were not drained, if known. */
  readonly idlePools?: readonly (OrderPlace & PoolPrecision)[]
  /** The pair's oracle price, quote per base, if known. */
  readonly oracle?: Decimal | undefined
}

/** An owner's order while a message is being computed. `share` is as the pair stores it. */
type LedgerOrder = Omit<RestingOrder, 'remaining' | 'filled' | 'share' | 'rate'> & {
  share: OrderShare
  readonly hasShare: boolean
}

/** The pools of a pair and one owner's orders, while a message is being computed. Mutable. */
export class OrderLedger {
  readonly #orders = new Map<string, LedgerOrder>()
  readonly #idle = new Map<string, PoolPrecision>()
  readonly #oracle: Decimal | undefined
  readonly #knowsIdle: boolean
  /** Places of pools that were added without knowing what an idle pool there would continue from. */
  readonly #assumedFresh = new Set<string>()
  /** False once something incompletely known was used. */
  exact = true

  constructor(
    public state: PairState,
    { orders, idlePools, oracle }: OwnerOrders,
  ) {
    this.#oracle = oracle
    this.#knowsIdle = idlePools !== undefined
    for (const pool of idlePools ?? [])
      this.#idle.set(placeKey(pool), { sum: pool.sum, product: pool.product })
    for (const { remaining, filled, share: stored, rate, ...order } of orders) {
      const pool = this.#poolAt(order)
      // A stored share has a meaning only with the precision of its pool, which a book does not contain.
      const isKnown = pool === undefined ? remaining === 0n : pool.sum !== undefined
      const share = isKnown ? stored : undefined
      if (pool === undefined && remaining > 0n) this.#insertUnlisted(order, rate, remaining)
      const current = { amount: remaining, filled, ...this.#precisionAt(order) }
      const entry = { ...order, share: share ?? current, hasShare: share !== undefined }
      this.#orders.set(placeKey(order), entry)
    }
  }

  /** The owner's current order at a price, both amounts rounded down; `undefined` without one. */
  orderAt(place: OrderPlace): (OrderShare & { readonly offered: bigint }) | undefined {
    const order = this.#orders.get(placeKey(place))
    if (order === undefined) return undefined
    return { offered: order.offered, ...syncShare(order.share, this.#precisionAt(place)) }
  }

  /** Stores an order after an entry, which claims its fills; an order without an amount is removed. */
  save(
    place: OrderPlace,
    { amount, offered }: { readonly amount: bigint; readonly offered: bigint },
  ): void {
    const key = placeKey(place)
    const previous = this.#orders.get(key)
    if (amount === 0n) {
      this.#orders.delete(key)
      return
    }
    this.#orders.set(key, {
      side: place.side,
      price: place.price,
      offered,
      updatedAt: previous?.updatedAt ?? 0n,
      share: { amount, filled: 0n, ...this.#precisionAt(place) },
      hasShare: previous?.hasShare ?? this.#isPrecise(place),
    })
  }

  /** The owner's current orders. */
  orders(): readonly RestingOrder[] {
    return [...this.#orders.values()].map(({ share, hasShare, ...order }) => {
      const { amount, filled } = syncShare(share, this.#precisionAt(order))
      const rate = this.rateOf(order.price)
      return { ...order, rate, remaining: amount, filled, ...(hasShare && { share }) }
    })
  }

  /**
   * Quote per base of an order's price: of an oracle price by the oracle, or by a pool at the same
   * distance; `undefined` where neither is known.
   */
  rateOf(price: OrderPrice): Decimal | undefined {
    if ('fixed' in price) return price.fixed
    if (this.#oracle !== undefined) return oracleRate(this.#oracle, price.bps)
    const { asks, bids } = this.state
    return [...asks.oracle, ...bids.oracle].find((pool) => pool.bps === price.bps)?.rate
  }

  /** As `rateOf`. Throws `OrderFault` where no rate is known, or it is zero. */
  requireRate(price: OrderPrice): Decimal {
    const rate = this.rateOf(price)
    if (rate) return rate
    if (this.state.pair.oracles === null)
      throw new OrderFault('no_oracle', 'No price to adjust for Premium')
    const why = rate === 0n ? 'at this distance is zero' : 'of the pair is not known'
    throw new OrderFault('no_oracle', undefined, `the oracle price ${why}`)
  }

  /** Takes groups of one side out of the pools, and credits the owner's orders. */
  fill(side: Side, groups: readonly LiveGroup[]): void {
    for (const { pools } of groups)
      for (const part of pools) if (part.sold > 0n || part.bought > 0n) this.#payOrders(part)
    this.#setSide(side, restAfter(this.state, side, groups))
  }

  /** Adds to the pool of a place. Throws `OrderFault` where its rate is not known. */
  add(place: OrderPlace, amount: bigint): void {
    if (amount === 0n) return
    const pool = this.#poolAt(place)
    if (pool !== undefined) {
      this.#replace(place, pool, { ...pool, total: pool.total + amount })
      return
    }
    const { side, price } = place
    const rate = this.requireRate(price)
    const { knownTo } = restingOf(this.state, side)
    const added: RestingPool = {
      rate,
      total: amount,
      ...this.#precisionAt(place),
      ...('bps' in price ? { origin: 'oracle', bps: price.bps } : { origin: 'fixed' }),
      certain: knownTo === undefined || !isBetter(side, knownTo, rate),
    }
    const key = placeKey(place)
    if (!this.#knowsIdle && !this.#idle.has(key)) this.#assumedFresh.add(key)
    this.#idle.delete(key)
    this.#insert(side, added)
  }

  /** Takes an order's coins out of the pool of its place. Throws `OrderFault` where it holds less. */
  withdraw(place: OrderPlace, amount: bigint): void {
    if (amount === 0n) return
    const pool = this.#poolAt(place)
    if (pool === undefined || pool.total < amount)
      throw new OrderFault('withdraw_error', `WithdrawError ${amount}`)
    if (pool.total === amount) this.#idle.set(placeKey(place), precisionIn(pool))
    const remaining = pool.total - amount
    this.#replace(place, pool, remaining === 0n ? undefined : { ...pool, total: remaining })
  }

  /** Adds the pool of an order that the book does not contain, since it is truncated or could not be read. */
  #insertUnlisted({ side, price }: OrderPlace, known: Decimal | undefined, total: bigint): void {
    // Closing an order does not depend on its rate, and an oracle price may be unknown.
    const rate = known ?? this.rateOf(price) ?? decimal(ONE)
    const bps = 'bps' in price && { bps: price.bps }
    this.exact = false
    this.#insert(side, { rate, total, origin: bps ? 'oracle' : 'fixed', ...bps, certain: false })
  }

  #payOrders(part: LivePart<PoolPart>): void {
    const { pool } = part.part
    for (const order of this.#orders.values()) {
      if (this.#poolAt(order) !== pool) continue
      const isAssumed = this.#assumedFresh.has(placeKey(order))
      this.exact &&= order.hasShare && pool.sum !== undefined && !isAssumed
      order.share = shareAfter(order.share, part)
    }
  }

  #poolAt({ side, price }: OrderPlace): RestingPool | undefined {
    const { fixed, oracle } = restingOf(this.state, side)
    if ('fixed' in price) return fixed.find((pool) => pool.rate === price.fixed)
    const oraclePool = oracle.find((pool) => pool.bps === price.bps)
    // A book does not distinguish the two kinds.
    return (
      oraclePool ?? fixed.find((pool) => pool.sum === undefined && pool.rate === this.rateOf(price))
    )
  }

  #precisionAt(place: OrderPlace): PoolPrecision {
    const pool = this.#poolAt(place)
    return pool ? precisionIn(pool) : (this.#idle.get(placeKey(place)) ?? FRESH_POOL)
  }

  #isPrecise(place: OrderPlace): boolean {
    return this.#poolAt(place)?.sum !== undefined
  }

  #replace({ side }: OrderPlace, old: RestingPool, now: RestingPool | undefined): void {
    const replaced = (pools: readonly RestingPool[]) =>
      pools.map((pool) => (pool === old ? now : pool)).filter((pool) => pool !== undefined)
    const resting = restingOf(this.state, side)
    const { fixed, oracle } = resting
    this.#setSide(side, { ...resting, fixed: replaced(fixed), oracle: replaced(oracle) })
  }

  #insert(side: Side, pool: RestingPool): void {
    const resting = restingOf(this.state, side)
    const list = pool.origin === 'oracle' ? 'oracle' : 'fixed'
    const comesBefore = (other: RestingPool) =>
      pool.bps === undefined || other.bps === undefined
        ? isBetter(side, pool.rate, other.rate)
        : side === 'ask'
          ? pool.bps < other.bps
          : pool.bps > other.bps
    const at = resting[list].findIndex(comesBefore)
    const pools = resting[list].toSpliced(at < 0 ? resting[list].length : at, 0, pool)
    this.#setSide(side, { ...resting, [list]: pools })
  }

  #setSide(side: Side, resting: RestingSide): void {
    this.state = { ...this.state, ...(side === 'ask' ? { asks: resting } : { bids: resting }) }
  }
}

const precisionIn = ({ sum, product }: RestingPool): PoolPrecision =>
  sum === undefined || product === undefined ? FRESH_POOL : { sum, product }

/** An order's share after its pool was taken from; an estimate if the pool's precision is unknown. */
function shareAfter(share: OrderShare, part: LivePart<PoolPart>): OrderShare {
  const { size } = part.part
  if (part.part.pool.sum === undefined)
    return {
      amount: (share.amount * part.left) / size,
      filled: share.filled + (share.amount * part.sold) / size,
      ...FRESH_POOL,
    }
  const end = part.left === 0n ? drainedSum(part) : undefined
  return end === undefined ? share : endShare(share, end)
}
