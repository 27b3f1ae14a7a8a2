import { ORDER_VERBS, parsePriceText } from '../../../engine/orders/order-price.js'
import type {
  OrderAction,
  OrderChange,
  OrdersFilter,
  PageWindow,
} from '../../../operations/history/history-port.js'
import type { Writer } from '../commit.js'
import type { OrderRow, Tx } from '../schema.js'
import type { OrderPage } from '../swap-row.js'
import {
  countOf,
  hashOf,
  type Keys,
  key,
  keysIn,
  type PageRange,
  pageOfTable,
  placeOf,
  readTally,
} from './page.js'
import { readWithoutOrders } from './state.js'

type StoredOrderRow = OrderRow & { readonly time: string }

const storedOrderOf = (row: StoredOrderRow): OrderChange => ({
  ...placeOf(row),
  pair: row.pair,
  owner: row.owner,
  action: row.action as OrderAction,
  side: row.side === ORDER_VERBS.ask ? 'ask' : 'bid',
  price: parsePriceText(row.price)!,
  offerDenom: row.offer_denom,
  receiveDenom: row.receive_denom,
  sold: BigInt(row.sold),
  added: BigInt(row.added),
  returned: BigInt(row.returned),
  received: BigInt(row.received),
  fee: BigInt(row.fee),
})

/** A page of changes of orders, newest first, read like one of legs. */
export async function readOrders(
  tx: Tx,
  { chainId, former }: Pick<Writer, 'chainId' | 'former'>,
  filter: OrdersFilter,
  window: PageWindow,
): Promise<OrderPage> {
  const place = {
    chainId,
    table: 'order_change',
    total: await totalOf(tx, filter),
    window,
  } as const
  const { rows, ...page } = await pageOfTable(tx, place, (range) =>
    orderKeysOf(tx, chainId, filter, range),
  )
  return {
    ...page,
    items: rows.map((row) => storedOrderOf(row as unknown as StoredOrderRow)),
    without: await readWithoutOrders(tx, former),
  }
}

/** The keys of a page, from the index of its list. */
export function orderKeysOf(tx: Tx, chainId: string, filter: OrdersFilter, range: PageRange): Keys {
  const changes = tx.selectFrom('order_change').select(key)
  const list =
    filter.by === 'owner'
      ? changes.where('owner', '=', filter.owner)
      : filter.by === 'pair'
        ? changes.where('pair', '=', filter.pair)
        : filter.by === 'transaction'
          ? changes.where('tx_hash', '=', hashOf(filter.txHash))
          : changes.where('chain_id', '=', chainId)
  return keysIn(list as unknown as Keys, range)
}

function totalOf(tx: Tx, filter: OrdersFilter): Promise<number> {
  if (filter.by === 'transaction') return countOf(tx, 'order_change', filter.txHash)
  if (filter.by === 'owner') return readTally(tx, { scope: 'owner', name: filter.owner })
  if (filter.by === 'pair') return readTally(tx, { scope: 'pair', name: filter.pair })
  return readTally(tx, { scope: 'orders', name: '' })
}
