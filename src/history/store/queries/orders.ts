import { ORDER_VERBS, parsePriceText } from '../../../engine/orders/order-price.js'
import type {
  OrderAction,
  OrderChange,
  OrderPage,
  OrdersFilter,
  PageWindow,
} from '../../../operations/history/history-port.js'
import type { Writer } from '../commit.js'
import type { OrderRow, Tx } from '../schema.js'
import { listOf, pageOf, placeOf } from './page.js'
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
  const list = listOf('order_change', chainId, filter)
  const { rows, ...page } = await pageOf(tx, chainId, list, window)
  return {
    ...page,
    items: rows.map((row) => storedOrderOf(row as unknown as StoredOrderRow)),
    without: await readWithoutOrders(tx, former),
  }
}
