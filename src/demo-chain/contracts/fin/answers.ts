import type { Scaled } from '../../../engine/math/scaled.js'
import { ContractError, type QueryCall } from '../../modules/contract.js'
import { type Fields, fieldsOf, parseVariant, read, wireDecimal, writeJson } from '../serde.js'
import { type BidPool, type Order, synced } from './bid-pool.js'
import {
  configAnswer,
  type FinConfig,
  type FinVersion,
  queryView,
  sideTaking,
  storedConfig,
  type View,
} from './config.js'
import { groupsOf, totalOf } from './groups.js'
import { type BookSide, type OrderPrice, rateOf, readPrice, readSide, wirePrice } from './price.js'
import {
  CONFIG_KEY,
  epochSums,
  isEpochSumKey,
  isOrderKey,
  isPoolKey,
  loadOrder,
  loadPool,
  orderOf,
  ordersPrefix,
} from './storage.js'
import { walk } from './walk.js'

const QUERY = 'rujira_rs::interfaces::fin::query::QueryMsg'

const variants = ['config', 'simulate', 'order', 'orders', 'book'] as const

/** The pair's answer to a query. @throws ContractError */
export function answer(version: FinVersion, call: QueryCall, message: string): string {
  const { variant, body } = parseVariant(QUERY, message, variants)
  switch (variant) {
    case 'simulate': {
      const offer = read.coin(QUERY, body)
      const view = queryView(version, call)
      const side = sideTaking(view.config, offer.denom)
      const { returned, fee } = walk(view, side, offer.amount, {})
      return writeJson({ returned, fee })
    }
    case 'book':
      return bookAnswer(version, call, fieldsOf(QUERY, body))
    case 'order': {
      const [owner, side, price] = read.tuple(3)(QUERY, body)
      const which = { side: readSide(QUERY, side), price: readPrice(QUERY, price) }
      const view = queryView(version, call)
      return writeJson(orderAnswer(view, read.text(QUERY, owner), which))
    }
    case 'orders':
      return ordersAnswer(version, call, fieldsOf(QUERY, body))
    default:
      fieldsOf(QUERY, body)
      return writeJson(configAnswer(version, queryView(version, call).config))
  }
}

const DEFAULT_LEVELS = 100

function bookAnswer(version: FinVersion, call: QueryCall, fields: Fields): string {
  const limit = fields.optional('limit', read.u8) ?? DEFAULT_LEVELS
  const offset = fields.optional('offset', read.u8) ?? 0
  const view = queryView(version, call)
  const levels = (side: BookSide) => bookLevels(view, side, offset, limit)
  return writeJson({ base: levels('base'), quote: levels('quote') })
}

function bookLevels(view: View, side: BookSide, offset: number, limit: number): unknown[] {
  const levels: unknown[] = []
  const source = groupsOf(view, side)
  for (let at = 0; at < offset + limit; at++) {
    const next = source.next()
    if (next.done) break
    if (at >= offset)
      levels.push({ price: wireDecimal(next.value.rate), total: totalOf(next.value) })
  }
  return levels
}

function orderAnswer(
  view: View,
  owner: string,
  { side, price }: { readonly side: BookSide; readonly price: OrderPrice },
): unknown {
  const { storage } = view.call
  const stored = loadOrder(storage, owner, side, price)
  if (stored === undefined) throw new ContractError('NotFound')
  const pool = loadPool(storage, side, price)
  const order = synced(stored, pool, epochSums(storage, side, price))
  return {
    owner,
    side,
    price: wirePrice(price),
    rate: wireDecimal(rateOf(price, view.oracle)),
    updated_at: order.updatedAt,
    offer: order.offer,
    remaining: order.amount,
    filled: order.filled,
  }
}

const DEFAULT_ORDERS = 10
const MOST_ORDERS = 31

function ordersAnswer(version: FinVersion, call: QueryCall, fields: Fields): string {
  const owner = fields.text('owner')
  const side = fields.optional('side', readSide)
  const offset = fields.optional('offset', read.u8) ?? 0
  const limit = Math.min(fields.optional('limit', read.u8) ?? DEFAULT_ORDERS, MOST_ORDERS)
  const view = queryView(version, call)
  const keys = [...call.storage.keys(ordersPrefix(owner, side))]
  if (side === 'quote') keys.reverse()
  const orders = keys
    .slice(offset, offset + limit)
    .map((key) => orderAnswer(view, owner, orderOf(owner, key)))
  return writeJson({ orders })
}

const scaled = ({ mantissa, scale }: Scaled): unknown => [mantissa, scale]

/** A stored value as the JSON bytes that the real contract keeps (docs/venues.md#storage). */
export const rawBytes = (version: FinVersion, key: string, value: unknown): Uint8Array =>
  Buffer.from(writeJson(stored(version, key, value)))

function stored(version: FinVersion, key: string, value: unknown): unknown {
  if (key === CONFIG_KEY) return storedConfig(version, value as FinConfig)
  if (isEpochSumKey(key)) return scaled(value as Scaled)
  if (isPoolKey(key)) {
    const { total, sum, product, epoch } = value as BidPool
    return { total, sum: scaled(sum), product: scaled(product), epoch }
  }
  if (!isOrderKey(key)) return value
  const { updatedAt, offer, amount, filled, product, sum, epoch } = value as Order
  const share = {
    amount,
    filled,
    product_snapshot: scaled(product),
    sum_snapshot: scaled(sum),
    epoch_snapshot: epoch,
  }
  return [updatedAt, offer, share]
}
