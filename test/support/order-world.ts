import { type BidPool, syncOrder } from '../../src/demo-chain/contracts/fin/bid-pool.js'
import {
  CONFIG_KEY,
  type FinConfig,
  oraclePrice,
} from '../../src/demo-chain/contracts/fin/config.js'
import {
  type BookSide,
  type OrderPrice as ContractPrice,
  marketSide,
  rateOf,
} from '../../src/demo-chain/contracts/fin/price.js'
import {
  epochSums,
  loadOrder,
  loadPool,
  ordersPrefix,
  type PriceKind,
  placeOf,
  poolPrices,
  priceOf,
} from '../../src/demo-chain/contracts/fin/storage.js'
import { balanceOf } from '../../src/demo-chain/modules/bank.js'
import type { ReadStorage } from '../../src/demo-chain/modules/contract.js'
import { storageOf } from '../../src/demo-chain/modules/dispatch.js'
import type { Reader } from '../../src/demo-chain/store/state.js'
import type { Maker, PairState, RestingPool, RestingSide } from '../../src/engine/market/pair.js'
import { finRules } from '../../src/engine/market/venues/fin-rules.js'
import type { Decimal } from '../../src/engine/math/decimal.js'
import type { OwnerOrders } from '../../src/engine/orders/order-ledger.js'
import type { OrderPrice } from '../../src/engine/orders/order-price.js'
import type { RestingOrder } from '../../src/engine/orders/resting-order.js'
import { smartQuery, type World } from './contract-world.js'
import { must } from './matching.js'

const enginePrice = (price: ContractPrice): OrderPrice =>
  'fixed' in price ? price : { bps: price.oracle }

const configOf = (state: Reader, pair: string) => storageOf(state, pair).get<FinConfig>(CONFIG_KEY)!

/** The oracle price of a pair; `undefined` without oracles. */
export const oracleOf = (world: World, state: Reader, pair: string): Decimal | undefined =>
  oraclePrice(configOf(state, pair), {
    oracle: (chain, symbol) => world.machine.oracle(state, chain, symbol),
  })

/** A pair of the demo chain's contracts as the engine knows one that was read from its storage. */
export function pairStateOf(
  world: World,
  state: Reader,
  pair: string,
  version: '1.0' | '1.1',
): PairState {
  const config = configOf(state, pair)
  const storage = storageOf(state, pair)
  const oracle = oracleOf(world, state, pair)
  const pools = (side: BookSide, kind: PriceKind): readonly RestingPool[] =>
    [...poolPrices(storage, side, kind)].map((price): RestingPool => {
      const { total, sum, product } = loadPool(storage, { side, price })
      const rate = rateOf(price, oracle)
      const common = { rate, total, sum, product, certain: true }
      return 'fixed' in price
        ? { ...common, origin: 'fixed' }
        : { ...common, origin: 'oracle', bps: price.oracle }
    })
  const side = (name: BookSide): RestingSide => ({
    fixed: pools(name, 'fixed'),
    oracle: pools(name, 'oracle'),
    knownTo: undefined,
  })
  const [base, quote] = config.denoms
  return {
    pair: {
      address: pair,
      base,
      quote,
      tick: config.tick,
      version: `${version}.0`,
      ranges: [],
      takerFee: config.feeTaker,
      makerFee: config.feeMaker,
      rules: finRules(`${version}.0`),
      oracles: config.oracles && [{ ...config.oracles[0] }, { ...config.oracles[1] }],
    },
    asks: side('base'),
    bids: side('quote'),
    makers: config.makers.map((address) => xykOf(world, state, address)),
    balances: { base: balanceOf(state, pair, base), quote: balanceOf(state, pair, quote) },
    exact: true,
  }
}

function xykOf(world: World, state: Reader, address: string): Maker {
  const { xyk } = smartQuery(world, address, { strategy: {} }, state) as {
    xyk: readonly [Record<string, string>, Record<string, string>]
  }
  const [{ x = '', y = '', step = '', min_quote = '', fee = '' }, reserves] = xyk
  return {
    kind: 'xyk',
    address,
    x,
    y,
    step: must(step),
    minQuote: BigInt(min_quote),
    fee: must(fee),
    reserveX: BigInt(reserves['x']!),
    reserveY: BigInt(reserves['y']!),
  }
}

/** An owner's orders with the shares that the contract stores, and the pools that are idle. */
export function ownerOrdersOf(
  world: World,
  state: Reader,
  pair: string,
  owner: string,
): Required<OwnerOrders> {
  const storage = storageOf(state, pair)
  const oracle = oracleOf(world, state, pair)
  const orders = [...storage.keys(ordersPrefix(owner))].map((key): RestingOrder => {
    const place = placeOf(owner, key)
    const { side, price } = place
    const pool = loadPool(storage, place)
    const stored = loadOrder(storage, owner, place)!
    const { updatedAt, offer, ...now } = syncOrder(stored, pool, epochSums(storage, place))
    const share = stored.epoch < pool.epoch ? { ...now, amount: 0n } : stored
    return {
      side: marketSide(side),
      price: enginePrice(price),
      rate: rateOf(price, oracle),
      offered: offer,
      remaining: now.amount,
      filled: now.filled,
      updatedAt,
      share: { amount: share.amount, filled: share.filled, sum: share.sum, product: share.product },
    }
  })
  return { orders, idlePools: idlePoolsOf(storage), oracle }
}

const ALL_POOLS = '\0\x09bid-pools'

function idlePoolsOf(storage: ReadStorage): Required<OwnerOrders>['idlePools'] {
  return [...storage.keys(ALL_POOLS)].flatMap((key) => {
    const { total, sum, product } = storage.get<BidPool>(key)!
    if (total > 0n) return []
    const side: BookSide = key.charCodeAt(ALL_POOLS.length + 2) === 0 ? 'base' : 'quote'
    const price = priceOf(key.slice(ALL_POOLS.length + 6))
    return [{ side: marketSide(side), price: enginePrice(price), sum, product }]
  })
}
