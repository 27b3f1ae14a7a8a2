import type { BidPool } from '../../src/demo-chain/contracts/fin/bid-pool.js'
import {
  finGenesis,
  type GenesisOrder,
  type GenesisPair,
} from '../../src/demo-chain/contracts/fin/fin-genesis.js'
import { ordersPrefix, poolKey } from '../../src/demo-chain/contracts/fin/storage.js'
import type { Scaled } from '../../src/engine/math/scaled.js'

/** The orders at one price without their owners: the sum of their offers, in atomics. */
export type GenesisPool = Pick<GenesisOrder, 'side' | 'price'> & {
  readonly total: bigint
  readonly sum?: Scaled
  readonly product?: Scaled
}

const NO_OWNER = ''

/** The storage of a pair with pools whose orders it does not list. */
export function* finStorage(
  pair: GenesisPair,
  pools: readonly GenesisPool[],
  orders: readonly GenesisOrder[] = [],
): Iterable<readonly [key: string, value: unknown]> {
  const resting = pools.map(({ side, price, total }) => ({
    owner: NO_OWNER,
    side,
    price,
    offer: total,
  }))
  const precisions = new Map(
    pools.map(({ side, price, sum, product }) => [
      poolKey({ side, price }),
      { ...(sum && { sum }), ...(product && { product }) },
    ]),
  )
  for (const [key, value] of finGenesis(pair, [...resting, ...orders]))
    if (!key.startsWith(ordersPrefix(NO_OWNER)))
      yield [key, precisions.has(key) ? { ...(value as BidPool), ...precisions.get(key) } : value]
}
