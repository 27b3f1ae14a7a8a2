import type { Decimal } from '../../../engine/math/decimal.js'
import type { Scaled } from '../../../engine/math/scaled.js'
import { added, type BidPool, EMPTY_POOL, type Order, snapshotOf } from './bid-pool.js'
import type { FinConfig, FinVersion, OracleAsset } from './config.js'
import type { BookSide, OrderPrice } from './price.js'
import { CONFIG_KEY, nonEmptyKey, orderKey, poolKey, VERSION_KEY } from './storage.js'

/** The initial configuration of a pair. Fees are shares, `tick` significant figures. */
export type GenesisPair = {
  readonly denoms: readonly [base: string, quote: string]
  readonly tick: number
  readonly feeTaker: Decimal
  readonly feeMaker: Decimal
  readonly feeAddress: string
  readonly makers: readonly string[]
  readonly oracles: readonly [OracleAsset, OracleAsset] | null
  readonly version: FinVersion
}

/** The orders at one price without their owners: the sum of their offers, in atomics. */
export type GenesisPool = {
  readonly side: BookSide
  readonly price: OrderPrice
  readonly total: bigint
  readonly sum?: Scaled
  readonly product?: Scaled
}

/** One order, in atomics of the denom it gives; `time` in nanoseconds, 0 if absent. */
export type GenesisOrder = {
  readonly owner: string
  readonly side: BookSide
  readonly price: OrderPrice
  readonly offer: bigint
  readonly time?: bigint
}

/**
 * The storage that a pair begins with. An order joins the pool of its price as one that was placed
 * after everything in it.
 */
export function* finGenesis(
  pair: GenesisPair,
  pools: readonly GenesisPool[],
  orders: readonly GenesisOrder[],
): Iterable<readonly [key: string, value: unknown]> {
  yield [CONFIG_KEY, configOf(pair)]
  yield [VERSION_KEY, { contract: 'rujira-fin', version: `${pair.version}.0` }]
  const book = new Map<string, { readonly of: GenesisPool | GenesisOrder; pool: BidPool }>()
  const poolAt = (of: GenesisPool | GenesisOrder) => {
    const key = poolKey(of.side, of.price)
    const entry = book.get(key) ?? { of, pool: EMPTY_POOL }
    book.set(key, entry)
    return entry
  }
  for (const given of pools) {
    const entry = poolAt(given)
    const { sum = entry.pool.sum, product = entry.pool.product } = given
    entry.pool = { ...added(entry.pool, given.total), sum, product }
  }
  for (const given of orders) {
    const entry = poolAt(given)
    entry.pool = added(entry.pool, given.offer)
    const { owner, side, price, offer, time = 0n } = given
    const snapshot = snapshotOf(entry.pool)
    const order: Order = { updatedAt: time, offer, amount: offer, filled: 0n, ...snapshot }
    yield [orderKey(owner, side, price), order]
  }
  for (const [key, { of, pool }] of book) {
    yield [key, pool]
    if (pool.total > 0n) yield [nonEmptyKey(of.side, of.price), null]
  }
}

/** Makers are a set in the order of their addresses. */
const configOf = (pair: GenesisPair): FinConfig => ({
  denoms: pair.denoms,
  oracles: pair.oracles,
  makers: [...new Set(pair.makers)].sort(),
  tick: pair.tick,
  feeTaker: pair.feeTaker,
  feeMaker: pair.feeMaker,
  feeAddress: pair.feeAddress,
})
