import type { SelectQueryBuilder } from 'kysely'
import type {
  LegsFilter,
  OrderPage,
  OrdersFilter,
  PageOf,
  PageWindow,
  QuarantinedEvent,
} from '../../../operations/history/history-port.js'
import { fromHex } from '../../../platform/encoding.js'
import type { Scope } from '../counters.js'
import type { StoredSwap } from '../history-store.js'
import { type StoredOrderRow, type StoredSwapRow, storedOrderOf, storedSwapOf } from '../rows.js'
import type { SwapKey, Tables, Tx } from '../schema.js'
import { readCounts, readIndexed, readWithoutOrders } from './figures.js'

/**
 * A page of legs, newest first. The keys are read from an index in that order, which skips to the page from the nearer
 * end without reading rows; the total is read from a counter.
 */
export async function readPage(
  tx: Tx,
  chainId: string,
  filter: LegsFilter,
  window: PageWindow,
): Promise<PageOf<StoredSwap>> {
  const { rows, ...page } = await pageOf(tx, chainId, listOf('swap', chainId, filter), window)
  return { ...page, items: rows.map((row) => storedSwapOf(row as StoredSwapRow)) }
}

/** A page of changes of orders, newest first, read like one of legs. */
export async function readOrders(
  tx: Tx,
  { chainId, former }: { readonly chainId: string; readonly former?: string | undefined },
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

/** A page of a list: its total, its rows and the newest indexed block. */
async function pageOf(tx: Tx, chainId: string, list: List, window: PageWindow) {
  const total = await totalOf(tx, list)
  const range = stretchOf(total, window)
  const rows =
    range === undefined
      ? []
      : await rowsOf(tx, chainId, list.table, keysOf(tx, list, range)).execute()
  return { total, rows, indexed: await readIndexed(tx) }
}

/** The rows of the keys, in the same order. Both tables have the same key. */
export const rowsOf = (tx: Tx, chainId: string, table: List['table'], keys: Keys) =>
  tx
    .selectFrom(keys.as('key'))
    .innerJoin(`${table} as stored` as 'swap as stored', (join) =>
      join
        .on('stored.chain_id', '=', chainId)
        .onRef('stored.height', '=', 'key.height')
        .onRef('stored.tx_index', '=', 'key.tx_index')
        .onRef('stored.msg_index', '=', 'key.msg_index')
        .onRef('stored.event_index', '=', 'key.event_index'),
    )
    .innerJoin('block', (join) =>
      join.on('block.chain_id', '=', chainId).onRef('block.height', '=', 'key.height'),
    )
    .selectAll('stored')
    .select('block.time')
    .orderBy('key.height', 'desc')
    .orderBy('key.tx_index', 'desc')
    .orderBy('key.msg_index', 'desc')
    .orderBy('key.event_index', 'desc')

/** The number of rows before a page. */
export const skippedBy = ({ page, limit }: PageWindow): number => (page - 1) * limit

/** The position of a page in its list. */
export type PageRange = {
  /** The end that the page is counted from: `desc` is the newest. */
  readonly from: 'desc' | 'asc'
  readonly skip: number
  readonly count: number
}

/** The position of a page in a list of `total`; `undefined` beyond its end. */
export function stretchOf(total: number, window: PageWindow): PageRange | undefined {
  const skip = skippedBy(window)
  const count = Math.min(window.limit, total - skip)
  if (count <= 0) return undefined
  const behind = total - skip - count
  return skip <= behind ? { from: 'desc', skip, count } : { from: 'asc', skip: behind, count }
}

/** Rows of a table with one value of an indexed column. */
type List = {
  readonly table: 'swap' | 'order_change'
  /** The table that has this column with the keys of the rows. */
  readonly keys: 'swap' | 'order_change' | 'affiliate_swap'
  readonly column: string
  readonly value: string | Uint8Array
  /** The counter of its rows; `undefined` for a transaction: it has few rows, which are counted directly. */
  readonly tally: { readonly scope: Scope; readonly name: string } | undefined
}

export function listOf(
  table: List['table'],
  chainId: string,
  filter: LegsFilter | OrdersFilter,
): List {
  const withValue = (column: Scope, name: string, keys: List['keys'] = table): List => ({
    table,
    keys,
    column,
    value: name,
    tally: { scope: column, name },
  })
  switch (filter.by) {
    case 'sender':
      return withValue('sender', filter.sender)
    case 'affiliate':
      return withValue('affiliate', filter.affiliate, 'affiliate_swap')
    case 'owner':
      return withValue('owner', filter.owner)
    case 'pair':
      return withValue('pair', filter.pair)
    case 'transaction': {
      const value = hashOf(filter.txHash)
      return { table, keys: table, column: 'tx_hash', value, tally: undefined }
    }
    default: {
      if ('type' in filter && filter.type !== undefined) return withValue('type', filter.type)
      const scope = table === 'swap' ? 'all' : 'orders'
      const tally = { scope, name: '' } as const
      return { table, keys: table, column: 'chain_id', value: chainId, tally }
    }
  }
}

/** The bytes of a transaction hash; empty, which matches no row, for any other text. */
const hashOf = (text: string): Uint8Array =>
  /^[0-9a-fA-F]{64}$/.test(text) ? fromHex(text) : new Uint8Array()

/** The keys of a page. */
type Keys = SelectQueryBuilder<Tables, 'swap', SwapKey>

/** The keys of a stretch of a list, from the index of its column. */
export const keysOf = (
  tx: Tx,
  { keys, column, value }: List,
  { from, skip, count }: PageRange,
): Keys =>
  // All tables have the columns of the key.
  tx
    .selectFrom(keys as 'swap')
    .select(['height', 'tx_index', 'msg_index', 'event_index'])
    .where(column as 'sender', '=', value as string)
    .orderBy('height', from)
    .orderBy('tx_index', from)
    .orderBy('msg_index', from)
    .orderBy('event_index', from)
    .limit(count)
    .offset(skip)

async function totalOf(tx: Tx, { keys, column, value, tally }: List): Promise<number> {
  if (tally !== undefined) {
    const counter = await tx
      .selectFrom('tally')
      .select('swaps')
      .where('scope', '=', tally.scope)
      .where('name', '=', tally.name)
      .executeTakeFirst()
    return counter?.swaps ?? 0
  }
  const { rows } = await tx
    .selectFrom(keys as 'swap')
    .select(({ fn }) => fn.countAll().as('rows'))
    .where(column as 'sender', '=', value as string)
    .executeTakeFirstOrThrow()
  return Number(rows)
}

/** Events that could not be read as swaps or orders, newest first. */
export async function readQuarantined(
  tx: Tx,
  chainId: string,
  window: PageWindow,
): Promise<PageOf<QuarantinedEvent>> {
  const rows = await quarantineRows(tx, chainId, window).execute()
  return {
    total: (await readCounts(tx)).quarantined,
    items: rows.map(({ height, tx_index, event_index, reason, bytes }) => ({
      height,
      txIndex: tx_index,
      eventIndex: event_index,
      reason,
      bytes: new Uint8Array(bytes),
    })),
    indexed: await readIndexed(tx),
  }
}

/** The rows of a page, by the key of their table. */
export const quarantineRows = (tx: Tx, chainId: string, window: PageWindow) =>
  tx
    .selectFrom('quarantine')
    .selectAll()
    .where('chain_id', '=', chainId)
    .orderBy('height', 'desc')
    .orderBy('position', 'desc')
    .limit(window.limit)
    .offset(skippedBy(window))
