import { parseOrderId } from '../../../engine/orders/order-price.js'
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

function storedOrderOf(row: StoredOrderRow): OrderChange {
  const { side, price } = parseOrderId(`${row.pair}/${row.side}/${row.price}`)!
  return {
    ...placeOf(row),
    pair: row.pair,
    owner: row.owner,
    action: row.action as OrderAction,
    side,
    price,
    offerDenom: row.offer_denom,
    receiveDenom: row.receive_denom,
    sold: BigInt(row.sold),
    added: BigInt(row.added),
    returned: BigInt(row.returned),
    received: BigInt(row.received),
    fee: BigInt(row.fee),
  }
}

/** A page of changes of orders, newest first, read like one of legs. */
export async function readOrders(
  tx: Tx,
  { chainId, former }: Pick<Writer, 'chainId' | 'former'>,
  of: OrdersFilter,
  window: PageWindow,
): Promise<OrderPage> {
  const place = { chainId, table: 'order_change', total: await totalOf(tx, of), window } as const
  const { rows, ...page } = await pageOfTable(tx, place, (stretch) =>
    orderKeysOf(tx, chainId, of, stretch),
  )
  return {
    ...page,
    items: rows.map((row) => storedOrderOf(row as unknown as StoredOrderRow)),
    without: await readWithoutOrders(tx, former),
  }
}

/** The keys of a page, from the index of its list. */
export function orderKeysOf(tx: Tx, chainId: string, of: OrdersFilter, stretch: PageRange): Keys {
  const all = tx.selectFrom('order_change').select(key)
  const list =
    of.by === 'owner'
      ? all.where('owner', '=', of.owner)
      : of.by === 'pair'
        ? all.where('pair', '=', of.pair)
        : of.by === 'transaction'
          ? all.where('tx_hash', '=', hashOf(of.txHash))
          : all.where('chain_id', '=', chainId)
  return keysIn(list as unknown as Keys, stretch)
}

function totalOf(tx: Tx, of: OrdersFilter): Promise<number> {
  if (of.by === 'transaction') return countOf(tx, 'order_change', of.txHash)
  if (of.by === 'owner') return readTally(tx, { scope: 'owner', name: of.owner })
  if (of.by === 'pair') return readTally(tx, { scope: 'pair', name: of.pair })
  return readTally(tx, { scope: 'orders', name: '' })
}
