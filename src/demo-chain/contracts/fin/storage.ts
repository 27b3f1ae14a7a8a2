import { decimal, formatDecimal } from '../../../engine/math/decimal.js'
import { SCALED_ZERO, type Scaled } from '../../../engine/math/scaled.js'
import type { ReadStorage, Storage } from '../../modules/contract.js'
import { writeJson } from '../serde.js'
import { type BidPool, EMPTY_POOL, type Order } from './bid-pool.js'
import { CONFIG_KEY, type FinConfig, type FinVersion } from './config.js'
import type { BookSide, OrderPlace, OrderPrice } from './price.js'

/** Keys in the layout of cw-storage-plus: every part but the last follows its two-byte length. */

const uint16Key = (value: number): string => String.fromCharCode(value >> 8, value & 0xff)
const part = (bytes: string): string => uint16Key(bytes.length) + bytes

const sideByte = (side: BookSide): string => (side === 'base' ? '\0' : '\x01')

export type PriceKind = 'fixed' | 'oracle'

const kindByte = (kind: PriceKind): string => (kind === 'fixed' ? '\0' : '\x01')

const FIXED_BYTES = 16

/** Sixteen bytes of a fixed price's 18-digit atomics, or two of an oracle deviation plus 2^15. */
const priceBytes = (price: OrderPrice): string =>
  'fixed' in price
    ? Buffer.from(price.fixed.toString(16).padStart(2 * FIXED_BYTES, '0'), 'hex').toString('latin1')
    : uint16Key(price.oracle + 0x8000)

/** The price of its bytes, with which a key ends. */
export const priceOf = (bytes: string): OrderPrice =>
  bytes.length === FIXED_BYTES
    ? { fixed: decimal(BigInt(`0x${Buffer.from(bytes, 'latin1').toString('hex')}`)) }
    : { oracle: bytes.charCodeAt(0) * 0x100 + bytes.charCodeAt(1) - 0x8000 }

const NON_EMPTY = part('pools')
const POOLS = part('bid-pools')
const ORDERS = part('orders')
const EPOCH_SUMS = part('bid-pool-sums')

const placeKey = ({ side, price }: OrderPlace): string =>
  part(sideByte(side)) + part(kindByte('fixed' in price ? 'fixed' : 'oracle')) + priceBytes(price)

/** The key of a pool's totals, empty or not. */
export const poolKey = (place: OrderPlace): string => POOLS + placeKey(place)

/** The key that marks a pool as not empty. */
export const nonEmptyKey = (place: OrderPlace): string => NON_EMPTY + placeKey(place)

/** The prices of the non-empty pools of one side and kind, best first, read lazily where that is the order of the keys. */
export function* poolPrices(
  storage: ReadStorage,
  side: BookSide,
  kind: PriceKind,
): Iterable<OrderPrice> {
  const prefix = NON_EMPTY + part(sideByte(side)) + part(kindByte(kind))
  const ascending = storage.keys(prefix)
  for (const key of side === 'base' ? ascending : [...ascending].reverse())
    yield priceOf(key.slice(prefix.length))
}

/** The key of the amount paid per share at the end of an epoch. */
const epochSumKey = (place: OrderPlace, epoch: number): string =>
  EPOCH_SUMS + part(placeKey(place)) + uint16Key(epoch >>> 16) + uint16Key(epoch & 0xffff)

/** The key prefix of an owner's orders: all of them, or those of one side. */
export const ordersPrefix = (owner: string, side?: BookSide): string =>
  ORDERS + part(owner) + (side === undefined ? '' : part(sideByte(side)))

export const orderKey = (owner: string, { side, price }: OrderPlace): string =>
  ordersPrefix(owner, side) + priceBytes(price)

/** The place of an order's key. The kind of the price follows from its length. */
export function placeOf(owner: string, key: string): OrderPlace {
  const start = ordersPrefix(owner).length
  return {
    side: key.charCodeAt(start + 2) === 0 ? 'base' : 'quote',
    price: priceOf(key.slice(start + 3)),
  }
}

/** The pool at a price; an empty one if none was stored. */
export const loadPool = (storage: ReadStorage, place: OrderPlace): BidPool =>
  storage.get<BidPool>(poolKey(place)) ?? EMPTY_POOL

/** Stores a pool and updates the list of non-empty pools. */
export function savePool(storage: Storage, place: OrderPlace, pool: BidPool): void {
  storage.set(poolKey(place), pool)
  const key = nonEmptyKey(place)
  const listed = storage.get(key) !== undefined
  if (pool.total > 0n && !listed) storage.set(key, null)
  else if (pool.total === 0n && listed) storage.set(key, undefined)
}

/** Stores the sum at the end of an epoch, from which its orders are paid later. */
export const saveEpochSum = (
  storage: Storage,
  place: OrderPlace,
  epoch: number,
  sum: Scaled,
): void => storage.set(epochSumKey(place, epoch), sum)

export const epochSums =
  (storage: ReadStorage, place: OrderPlace) =>
  (epoch: number): Scaled =>
    storage.get<Scaled>(epochSumKey(place, epoch)) ?? SCALED_ZERO

export const loadOrder = (
  storage: ReadStorage,
  owner: string,
  place: OrderPlace,
): Order | undefined => storage.get<Order>(orderKey(owner, place))

/** Stores an order, or removes it if it has neither an offer nor a claim. */
export function saveOrder(storage: Storage, owner: string, place: OrderPlace, order: Order): void {
  const done = order.amount === 0n && order.filled === 0n
  storage.set(orderKey(owner, place), done ? undefined : order)
}

/** The configuration in the storage format of the real contract. */
const storedConfig = (version: FinVersion, config: FinConfig): unknown => ({
  denoms: config.denoms,
  oracles: config.oracles,
  ...(version === '1.0'
    ? { market_maker: config.makers[0] ?? null }
    : { market_makers: { contracts: config.makers } }),
  tick: config.tick,
  fee_maker: formatDecimal(config.feeMaker),
  fee_taker: formatDecimal(config.feeTaker),
  fee_address: config.feeAddress,
})

const scaledForm = ({ mantissa, scale }: Scaled): unknown => [mantissa, scale]

/** A stored value as the JSON bytes of the real contract's storage (docs/venues.md#storage). */
export const rawBytes = (version: FinVersion, key: string, value: unknown): Uint8Array =>
  Buffer.from(writeJson(storedForm(version, key, value)))

function storedForm(version: FinVersion, key: string, value: unknown): unknown {
  if (key === CONFIG_KEY) return storedConfig(version, value as FinConfig)
  if (key.startsWith(EPOCH_SUMS)) return scaledForm(value as Scaled)
  if (key.startsWith(POOLS)) {
    const { total, sum, product, epoch } = value as BidPool
    return { total, sum: scaledForm(sum), product: scaledForm(product), epoch }
  }
  if (!key.startsWith(ORDERS)) return value
  const { updatedAt, offer, amount, filled, product, sum, epoch } = value as Order
  const share = {
    amount,
    filled,
    product_snapshot: scaledForm(product),
    sum_snapshot: scaledForm(sum),
    epoch_snapshot: epoch,
  }
  return [updatedAt, offer, share]
}
