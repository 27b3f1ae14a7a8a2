import type { SelectQueryBuilder } from 'kysely'
import { decimal } from '../../../engine/math/decimal.js'
import type {
  LegsFilter,
  PageOf,
  PageWindow,
  QuarantinedEvent,
} from '../../../operations/history/history-port.js'
import { fromHex, toUpperHex } from '../../../platform/encoding.js'
import { hopsIn, pathIn } from '../cells.js'
import type { Scope } from '../counters.js'
import type { SwapKey, SwapRow, Tables, Tx } from '../schema.js'
import type { StoredSwap } from '../swap-row.js'
import { readCounts, readIndexed } from './figures.js'

type StoredSwapRow = SwapRow & { readonly time: string }

/** The position of a row on the chain. */
export const placeOf = (
  row: Pick<
    StoredSwapRow,
    'height' | 'time' | 'tx_index' | 'msg_index' | 'event_index' | 'tx_hash'
  >,
) => ({
  height: row.height,
  time: row.time,
  txIndex: row.tx_index,
  msgIndex: row.msg_index,
  eventIndex: row.event_index,
  txHash: toUpperHex(row.tx_hash),
})

/** A row as a leg. */
const storedSwapOf = (row: StoredSwapRow): StoredSwap => ({
  ...placeOf(row),
  type: row.type as StoredSwap['type'],
  sender: row.sender,
  recipient: row.recipient,
  affiliate:
    row.affiliate_code === null || row.affiliate_address === null
      ? undefined
      : { code: row.affiliate_code, address: row.affiliate_address },
  input: { denom: row.input_denom, amount: BigInt(row.input_amount) },
  output: { denom: row.output_denom, amount: BigInt(row.output_amount) },
  path: pathIn(row.path),
  hops: hopsIn(row.hops),
  fees: {
    protocol: BigInt(row.fee_protocol),
    referral: BigInt(row.fee_referral),
    affiliate: BigInt(row.fee_affiliate),
  },
  volumeUsd: row.volume_usd === null ? undefined : decimal(BigInt(row.volume_usd)),
})

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
  const place = { chainId, table: 'swap', total: await totalOf(tx, filter), window } as const
  const { rows, ...page } = await pageOfTable(tx, place, (range) =>
    keysOf(tx, chainId, filter, range),
  )
  return { ...page, items: rows.map((row) => storedSwapOf(row as StoredSwapRow)) }
}

/** A page of a table whose rows have the keys of swaps: its total, its rows and the newest indexed block. */
export async function pageOfTable(
  tx: Tx,
  {
    chainId,
    table,
    total,
    window,
  }: {
    readonly chainId: string
    readonly table: 'swap' | 'order_change'
    readonly total: number
    readonly window: PageWindow
  },
  keys: (range: PageRange) => Keys,
) {
  const range = stretchOf(total, window)
  const rows = range === undefined ? [] : await rowsOf(tx, chainId, table, keys(range)).execute()
  return { total, rows, indexed: await readIndexed(tx) }
}

/** The rows of the keys, in the same order. Both tables have the same key. */
export const rowsOf = (tx: Tx, chainId: string, table: 'swap' | 'order_change', keys: Keys) =>
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

/** The keys of a page, from the index of its list. */
export const keysOf = (tx: Tx, chainId: string, filter: LegsFilter, range: PageRange): Keys =>
  keysIn(listOf(tx, chainId, filter), range)

/** The keys of a stretch of a list. */
export const keysIn = (list: Keys, { from, skip, count }: PageRange): Keys =>
  list
    .orderBy('height', from)
    .orderBy('tx_index', from)
    .orderBy('msg_index', from)
    .orderBy('event_index', from)
    .limit(count)
    .offset(skip)

/** In the order of the answers. */
export const key = [
  'height',
  'tx_index',
  'msg_index',
  'event_index',
] as const satisfies (keyof SwapKey)[]

/** The keys of a list. */
export type Keys = SelectQueryBuilder<Tables, 'swap', SwapKey>

function listOf(tx: Tx, chainId: string, filter: LegsFilter): Keys {
  if (filter.by === 'affiliate')
    // Its columns are those of the key, so the query can be extended in the same way.
    return tx
      .selectFrom('affiliate_swap')
      .select(key)
      .where('affiliate', '=', filter.affiliate) as unknown as Keys
  const swaps = tx.selectFrom('swap').select(key)
  if (filter.by === 'sender') return swaps.where('sender', '=', filter.sender)
  if (filter.by === 'transaction') return swaps.where('tx_hash', '=', hashOf(filter.txHash))
  return filter.type === undefined
    ? swaps.where('chain_id', '=', chainId)
    : swaps.where('type', '=', filter.type)
}

/** The bytes of a transaction hash; empty, which matches no row, for any other text. */
export const hashOf = (text: string): Uint8Array =>
  /^[0-9a-fA-F]{64}$/.test(text) ? fromHex(text) : new Uint8Array()

const totalOf = (tx: Tx, filter: LegsFilter): Promise<number> =>
  filter.by === 'transaction' ? countOf(tx, 'swap', filter.txHash) : readTally(tx, tallyOf(filter))

/** A transaction has few rows: they are counted directly. */
export async function countOf(
  tx: Tx,
  table: 'swap' | 'order_change',
  txHash: string,
): Promise<number> {
  const { rows } = await tx
    .selectFrom<'swap' | 'order_change'>(table)
    .select((column) => column.fn.countAll().as('rows'))
    .where('tx_hash', '=', hashOf(txHash))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

/** The counter of a list. */
type Tally = { readonly scope: Scope; readonly name: string }

export async function readTally(tx: Tx, { scope, name }: Tally): Promise<number> {
  const tally = await tx
    .selectFrom('tally')
    .select('swaps')
    .where('scope', '=', scope)
    .where('name', '=', name)
    .executeTakeFirst()
  return tally?.swaps ?? 0
}

function tallyOf(filter: Exclude<LegsFilter, { by: 'transaction' }>): Tally {
  if (filter.by === 'sender') return { scope: 'sender', name: filter.sender }
  if (filter.by === 'affiliate') return { scope: 'affiliate', name: filter.affiliate }
  return filter.type === undefined
    ? { scope: 'all', name: '' }
    : { scope: 'type', name: filter.type }
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
