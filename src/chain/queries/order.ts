import type { OrderShare } from '../../engine/market/venues/resting-pool.js'
import type { Decimal } from '../../engine/math/decimal.js'
import { WIRE_SIDES } from '../../engine/orders/order-message.js'
import type { OrderPlace, OrderPrice } from '../../engine/orders/order-price.js'
import type { RestingOrder } from '../../engine/orders/resting-order.js'
import {
  amount,
  decimalOf,
  integer,
  isAbsent,
  items,
  type JsonCursor,
  member,
  oneOf,
  refuse,
  scaledOf,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { concatBytes, utf8 } from '../../platform/bytes.js'
import { fromHex } from '../../platform/encoding.js'
import {
  namespaceKey,
  ORACLE_BYTES,
  ORACLE_ZERO,
  part,
  priceIn,
  startsWith,
  uint16,
} from './pool-storage.js'
import { itemsUpTo } from './wire.js'

/** The place of an oracle-priced order. */
export type OracleOrder = {
  readonly owner: string
  readonly side: 'base' | 'quote'
  readonly bps: number
}

/** The prefix of the storage keys of a pair's orders. */
export const ORDERS_KEY: Uint8Array = utf8('\0\x06orders')

/** The parts of a key after the namespace, owner, side and price: each but the last one follows its length. */
const SIDE_PART = 3

/** The order of a key, if it is oracle-priced; a fixed price has more bytes. */
export function oracleOrderOf(key: Uint8Array): OracleOrder | undefined {
  if (!startsWith(key, ORDERS_KEY)) return undefined
  const suffix = key.subarray(ORDERS_KEY.length)
  if (suffix.length < 2) return undefined
  const end = 2 + uint16(suffix)
  if (suffix.length !== end + SIDE_PART + ORACLE_BYTES) return undefined
  const place = placeIn(suffix.subarray(end))
  if (place === undefined || !('bps' in place.price)) return undefined
  const owner = String.fromCharCode(...suffix.subarray(2, end))
  return { owner, side: WIRE_SIDES[place.side], bps: place.price.bps }
}

/** The rate of an `order` answer: quote per base as of the height. @throws MalformedDocument */
export const decodeOrderRate = (node: JsonCursor): Decimal => decimalOf(member(node, 'rate'))

/** Page size that every version supports. */
export const ORDERS_PAGE = 31

/** A page of a pair's `orders` answer for one owner. @throws MalformedDocument */
export const decodeOrders =
  (owner: string) =>
  (node: JsonCursor): readonly RestingOrder[] =>
    itemsUpTo(member(node, 'orders'), ORDERS_PAGE, 'orders').map(decodeOrder(owner))

/** An `order` answer. @throws MalformedDocument */
export const decodeOrder =
  (owner: string) =>
  (node: JsonCursor): RestingOrder => {
    if (text(member(node, 'owner')) !== owner) refuse(member(node, 'owner'), `must be ${owner}`)
    const rate = member(node, 'rate')
    return {
      side: oneOf(member(node, 'side'), ['base', 'quote']) === 'base' ? 'ask' : 'bid',
      price: decodePrice(member(node, 'price')),
      rate: isAbsent(rate) ? undefined : decimalOf(rate),
      offered: amount(member(node, 'offer')),
      remaining: amount(member(node, 'remaining')),
      filled: amount(member(node, 'filled')),
      updatedAt: amount(member(node, 'updated_at')),
    }
  }

function decodePrice(node: JsonCursor): OrderPrice {
  const oracle = member(node, 'oracle')
  if (!isAbsent(oracle)) return { bps: integer(oracle, -ORACLE_ZERO, ORACLE_ZERO - 1) }
  return { fixed: decimalOf(member(node, 'fixed')) }
}

const sideByte = ({ side }: OrderPlace): Uint8Array => Uint8Array.of(side === 'ask' ? 0 : 1)

function priceBytes({ price }: OrderPlace): Uint8Array {
  if ('fixed' in price) return fromHex(price.fixed.toString(16).padStart(32, '0'))
  const encoded = price.bps + ORACLE_ZERO
  return Uint8Array.of(encoded >> 8, encoded & 0xff)
}

/** The prefix of the storage keys of an owner's orders (docs/venues.md#storage). */
export const ownerKey = (owner: string): Uint8Array => concatBytes(ORDERS_KEY, part(utf8(owner)))

/** The storage key of an owner's order. */
export const orderKey = (owner: string, place: OrderPlace): Uint8Array =>
  concatBytes(ownerKey(owner), part(sideByte(place)), priceBytes(place))

/** The storage key of the pool of a place. */
export const placePoolKey = (place: OrderPlace): Uint8Array =>
  concatBytes(
    namespaceKey('bid-pools'),
    part(sideByte(place)),
    part(Uint8Array.of('fixed' in place.price ? 0 : 1)),
    priceBytes(place),
  )

/** The place of an order's key, which starts with `ownerKey`; `undefined` for another layout. */
export const placeOfKey = (owner: string, key: Uint8Array): OrderPlace | undefined =>
  placeIn(key.subarray(ownerKey(owner).length))

/** The place in the part of a key after the owner. */
function placeIn(bytes: Uint8Array): OrderPlace | undefined {
  const [high, low, side] = bytes
  if (high !== 0 || low !== 1 || (side !== 0 && side !== 1)) return undefined
  const price = priceIn(bytes.subarray(SIDE_PART))
  return price && { side: side === 0 ? 'ask' : 'bid', price }
}

/** A stored order: its share as of its owner's last change, and the epoch of its pool at that time. */
export type StoredOrder = { readonly share: OrderShare; readonly epoch: number }

/** @throws MalformedDocument */
export function decodeStoredOrder(node: JsonCursor): StoredOrder {
  const [, , share] = items(node)
  if (share === undefined) return refuse(node, 'must be [time, offer, share]')
  return {
    share: {
      amount: amount(member(share, 'amount')),
      filled: amount(member(share, 'filled')),
      sum: scaledOf(member(share, 'sum_snapshot')),
      product: scaledOf(member(share, 'product_snapshot')),
    },
    epoch: integer(member(share, 'epoch_snapshot'), 0, MOST_EPOCH),
  }
}

const MOST_EPOCH = 2 ** 32 - 1

/** The epoch of a stored pool. @throws MalformedDocument */
export const decodeEpoch = (node: JsonCursor): number =>
  integer(member(node, 'epoch'), 0, MOST_EPOCH)
