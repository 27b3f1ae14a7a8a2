import { versionEntry } from '../../modules/contract.js'
import { addTo, type BidPool, EMPTY_POOL, type Order, snapshotOf } from './bid-pool.js'
import { CONFIG_KEY, type FinConfig, type FinVersion } from './config.js'
import type { OrderPlace } from './price.js'
import { nonEmptyKey, orderKey, poolKey } from './storage.js'

/** The initial configuration of a pair; `makers` in any order. */
export type GenesisPair = FinConfig & { readonly version: FinVersion }

/** One order, in atomics of the denom it gives; `time` in nanoseconds, 0 if absent. */
export type GenesisOrder = OrderPlace & {
  readonly owner: string
  readonly offer: bigint
  readonly time?: bigint
}

/**
 * The initial storage of a pair. Each order is added to the pool of its price after the previous ones.
 */
export function* finGenesis(
  { version, ...config }: GenesisPair,
  orders: readonly GenesisOrder[],
): Iterable<readonly [key: string, value: unknown]> {
  // Makers are a set in the order of their addresses.
  yield [CONFIG_KEY, { ...config, makers: [...new Set(config.makers)].sort() }]
  yield versionEntry('rujira-fin', `${version}.0`)
  const pools = new Map<string, { readonly of: GenesisOrder; readonly pool: BidPool }>()
  for (const of of orders) {
    const { owner, offer, time = 0n } = of
    const key = poolKey(of)
    const pool = addTo(pools.get(key)?.pool ?? EMPTY_POOL, offer)
    pools.set(key, { of, pool })
    const order: Order = {
      updatedAt: time,
      offer,
      amount: offer,
      filled: 0n,
      ...snapshotOf(pool),
    }
    yield [orderKey(owner, of), order]
  }
  for (const [key, { of, pool }] of pools) {
    yield [key, pool]
    if (pool.total > 0n) yield [nonEmptyKey(of), null]
  }
}
