import { decimal } from '../../engine/math/decimal.js'
import { SCALED_ONE, SCALED_ZERO, type Scaled, scaledEqual } from '../../engine/math/scaled.js'
import type { OrderPrice } from '../../engine/orders/order-price.js'
import {
  amount,
  type JsonCursor,
  MalformedDocument,
  member,
  scaledOf,
} from '../../engine/snapshot/json-cursor.js'
import { concatBytes, utf8 } from '../../platform/bytes.js'
import { toHex } from '../../platform/encoding.js'

/** Storage namespaces of a pair: the list of non-empty pools, and the values of all pools. */
type PoolNamespace = 'pools' | 'bid-pools'

/** The place of a pool. `base` gives base (our asks); the price is fixed, or a distance from the oracle's. */
export type PoolPlace = {
  readonly side: 'base' | 'quote'
  readonly price: OrderPrice
}

/** A pool's total, with its running sum and product (docs/venues.md#precision-of-a-pool). */
export type PoolValue = { readonly total: bigint; readonly sum: Scaled; readonly product: Scaled }

/** Two bytes of length, big-endian, as cw-storage-plus writes them before a part of a key. */
const LENGTH_BYTES = 2
const FIXED_BYTES = 16
export const ORACLE_BYTES = 2
/** The encoding of a distance of 0 from the oracle price. */
export const ORACLE_ZERO = 0x8000

/** A part of a key, preceded by its length. */
export const part = (bytes: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes)

/** The prefix of the keys of a namespace. */
export const namespaceKey = (namespace: PoolNamespace): Uint8Array => namespaceKeys[namespace]

const namespaceKeys = { pools: part(utf8('pools')), 'bid-pools': part(utf8('bid-pools')) }

/** The integer in the first two bytes, big-endian. */
export const uint16 = ([high = 0, low = 0]: Uint8Array): number => (high << 8) | low

/** The price in the last bytes of a key; `undefined` for another length. */
export function priceIn(bytes: Uint8Array): OrderPrice | undefined {
  if (bytes.length === ORACLE_BYTES) return { bps: uint16(bytes) - ORACLE_ZERO }
  if (bytes.length !== FIXED_BYTES) return undefined
  return { fixed: decimal(BigInt(`0x${toHex(bytes)}`)) }
}

export const startsWith = (key: Uint8Array, start: Uint8Array): boolean =>
  key.length >= start.length && start.every((byte, at) => key[at] === byte)

/**
 * Side, kind and price of a key, which follow its namespace (docs/venues.md#storage).
 *
 * @param key of the namespace, whole
 * @throws MalformedDocument
 */
export function placeOf(namespace: PoolNamespace, key: Uint8Array): PoolPlace {
  const suffix = key.subarray(namespaceKey(namespace).length)
  const side = flagAt(suffix, 0)
  const kind = flagAt(suffix, LENGTH_BYTES + 1)
  const price = priceIn(suffix.subarray(2 * (LENGTH_BYTES + 1)))
  if (price === undefined || 'bps' in price !== (kind === 1)) return unknownKey(key)
  const isPrice = 'bps' in price || price.fixed !== 0n
  return isPrice ? { side: SIDES[side], price } : unknownKey(key)
}

const SIDES = ['base', 'quote'] as const

/** A key part of one byte, 0 or 1. */
function flagAt(bytes: Uint8Array, at: number): 0 | 1 {
  const [high, low, value] = bytes.subarray(at)
  return high === 0 && low === 1 && (value === 0 || value === 1) ? value : unknownKey(bytes)
}

function unknownKey(key: Uint8Array): never {
  const hex = toHex(key.subarray(0, 64))
  throw new MalformedDocument('', `the storage has a pool under the unknown key ${hex}`)
}

/** The same pool's key in the other namespace. */
export const keyIn = (to: PoolNamespace, from: PoolNamespace, key: Uint8Array): Uint8Array =>
  concatBytes(namespaceKey(to), key.subarray(namespaceKey(from).length))

/** A stored pool. @throws MalformedDocument */
export function decodePool(node: JsonCursor): PoolValue {
  return {
    total: amount(member(node, 'total')),
    sum: scaledOf(member(node, 'sum')),
    product: scaledOf(member(node, 'product')),
  }
}

/** Whether a pool was never filled. */
export const isFresh = ({ sum, product }: PoolValue): boolean =>
  scaledEqual(sum, SCALED_ZERO) && scaledEqual(product, SCALED_ONE)
