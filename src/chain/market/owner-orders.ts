import { type PoolPrecision, syncShare } from '../../engine/market/venues/resting-pool.js'
import type { OwnerOrders } from '../../engine/orders/order-ledger.js'
import { WIRE_SIDES, wirePrice } from '../../engine/orders/order-message.js'
import { type OrderPlace, placeKey } from '../../engine/orders/order-price.js'
import type { RestingOrder } from '../../engine/orders/resting-order.js'
import type { JsonCursor } from '../../engine/snapshot/json-cursor.js'
import {
  decodeEpoch,
  decodeOrder,
  decodeOrders,
  decodeStoredOrder,
  ORDERS_PAGE,
  orderKey,
  ownerKey,
  placeOfKey,
  placePoolKey,
  type StoredOrder,
} from '../queries/order.js'
import { decodePool, isFresh, startsWith } from '../queries/pool-storage.js'
import { type Ask, requireAnswer, Unreadable } from '../queries/query-batch.js'
import { type Page, type StorageEntry, smartQuery, storage } from '../queries/questions.js'
import { readStored } from './storage.js'

/** Most orders of one owner on a pair; longer lists are refused. */
const MOST = 10_000

/**
 * The members that select pages after the first: 1.x has `offset`, newer versions have `start_after`
 * (docs/chain.md#orders-of-an-owner). Each ignores the other's member.
 */
const PAGE_MEMBERS = [['offset', 'start_after'], ['start_after'], ['offset']] as const

/**
 * An owner's orders on a pair as of the height of `ask`, without their stored shares.
 *
 * @throws Unreadable
 */
export async function readOrders(
  ask: Ask,
  pair: string,
  owner: string,
): Promise<readonly RestingOrder[]> {
  const first = await readPage(ask, pair, owner, {})
  if (first === undefined) throw new Unreadable('its orders cannot be read')
  if (first.length < ORDERS_PAGE) return first
  for (const members of PAGE_MEMBERS) {
    const orders = await readPages(ask, pair, owner, first, members)
    if (orders !== undefined) return orders
  }
  return readStoredOrders(ask, pair, owner)
}

/** One page; `undefined` where it is refused. @throws Unreadable */
async function readPage(
  ask: Ask,
  pair: string,
  owner: string,
  from: object,
): Promise<readonly RestingOrder[] | undefined> {
  const message = { orders: { owner, limit: ORDERS_PAGE, ...from } }
  const reply = await ask(smartQuery(pair, message, decodeOrders(owner)))
  return reply.kind === 'refused' && Object.keys(from).length > 0
    ? undefined
    : requireAnswer(reply, 'the list of its orders')
}

/** All pages; `undefined` if the pair does not support these members. */
async function readPages(
  ask: Ask,
  pair: string,
  owner: string,
  first: readonly RestingOrder[],
  members: readonly ('offset' | 'start_after')[],
): Promise<readonly RestingOrder[] | undefined> {
  const byKey = new Map(first.map((order) => [placeKey(order), order]))
  for (;;) {
    const last = [...byKey.values()].at(-1)!
    const positions = {
      offset: byKey.size,
      start_after: [owner, WIRE_SIDES[last.side], wirePrice(last.price)],
    }
    const from = Object.fromEntries(members.map((name) => [name, positions[name]]))
    const page = await readPage(ask, pair, owner, from)
    // A pair that ignores the member repeats the first page.
    if (page === undefined || page.some((order) => byKey.has(placeKey(order)))) return undefined
    for (const order of page) byKey.set(placeKey(order), order)
    if (byKey.size > MOST) throw new Unreadable(`its owner has more than ${MOST} orders`)
    if (page.length < ORDERS_PAGE) return [...byKey.values()]
  }
}

/** The orders whose keys are in storage, read one by one: `offset` is a byte, so pages end at order 255. */
async function readStoredOrders(
  ask: Ask,
  pair: string,
  owner: string,
): Promise<readonly RestingOrder[]> {
  const start = ownerKey(owner)
  const places: OrderPlace[] = []
  for (let from: Uint8Array | undefined = start; from !== undefined; ) {
    const page: Page<StorageEntry> = requireAnswer(
      await ask(storage(pair, from)),
      'the list of its orders',
    )
    const entries = page.items.filter(({ key }) => startsWith(key, start))
    for (const { key } of entries) {
      const place = placeOfKey(owner, key)
      if (place === undefined) throw new Unreadable('its orders are stored in an unknown form')
      places.push(place)
    }
    if (places.length > MOST) throw new Unreadable(`its owner has more than ${MOST} orders`)
    const hasMore = entries.length > 0 && entries.length === page.items.length
    from = hasMore && page.next && startsWith(page.next, start) ? page.next : undefined
  }
  return Promise.all(
    places.map(async ({ side, price }) => {
      const message = { order: [owner, WIRE_SIDES[side], wirePrice(price)] }
      return requireAnswer(await ask(smartQuery(pair, message, decodeOrder(owner))), 'an order')
    }),
  )
}

/**
 * An owner's orders with the data for a preview of a message to these places: the stored shares, and the precision of
 * empty pools. If storage cannot be read, or contradicts the pair's answer, the orders have no shares.
 *
 * @throws Unreadable if the orders themselves cannot be read
 */
export async function readOwnerOrders(
  ask: Ask,
  pair: string,
  owner: string,
  places: readonly OrderPlace[],
): Promise<OwnerOrders> {
  const orders = await readOrders(ask, pair, owner)
  const byKey = new Map([...orders, ...places].map((place) => [placeKey(place), place]))
  const [shares, pools] = await Promise.all([
    Promise.all(
      orders.map((order) => readStored(ask, pair, orderKey(owner, order), decodeStoredOrder)),
    ),
    Promise.all(
      [...byKey].map(
        async ([key, place]) =>
          [key, place, await readStored(ask, pair, placePoolKey(place), storedPool)] as const,
      ),
    ),
  ])
  const poolAt = new Map(pools.map(([key, , pool]) => [key, pool]))
  return {
    orders: orders.map((order, i) => withShare(order, shares[i], poolAt.get(placeKey(order)))),
    idlePools: pools.flatMap(([, { side, price }, pool]) =>
      pool === undefined || pool.total > 0n || isFresh(pool)
        ? []
        : [{ side, price, sum: pool.sum, product: pool.product }],
    ),
  }
}

type PoolAtPlace = PoolPrecision & { readonly total: bigint; readonly epoch: number }

const storedPool = (node: JsonCursor): PoolAtPlace => ({
  ...decodePool(node),
  epoch: decodeEpoch(node),
})

/** The order with its stored share, if the share yields the amounts of the pair's answer. */
function withShare(
  order: RestingOrder,
  stored: StoredOrder | undefined,
  pool: PoolAtPlace | undefined,
): RestingOrder {
  if (stored === undefined || pool === undefined) return order
  const { sum, product } = pool
  const { remaining, filled } = order
  // Its pool was drained since then, so its payment no longer changes.
  if (stored.epoch < pool.epoch)
    return remaining === 0n ? { ...order, share: { amount: 0n, filled, sum, product } } : order
  const synced = syncShare(stored.share, { sum, product })
  return synced.amount === remaining && synced.filled === filled
    ? { ...order, share: stored.share }
    : order
}
