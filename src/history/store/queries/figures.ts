import type { Heights, IndexedTo, NewestBlock } from '../../../operations/history/history-port.js'
import type { Scope } from '../counters.js'
import { storeRow } from '../fence.js'
import type { HistoryFigures } from '../history-store.js'
import { countOf, subtractRanges } from '../ranges.js'
import type { StoreRow, Tx } from '../schema.js'

/** The highest indexed block, from the store's row. */
export const indexedOf = (row: StoreRow): NewestBlock | undefined =>
  row.indexed_height === null || row.indexed_time === null
    ? undefined
    : { height: row.indexed_height, time: row.indexed_time }

/** The highest indexed block of a store, and how many are missing before it. */
export async function readIndexed(tx: Tx): Promise<IndexedTo | undefined> {
  const newest = indexedOf(await storeRow(tx))
  if (newest === undefined) return undefined
  const done = await rangesIn(tx, 'done')
  const pruned = await rangesIn(tx, 'pruned')
  const first = Math.min(done[0]?.from ?? newest.height, pruned[0]?.from ?? newest.height)
  const missing = countOf(subtractRanges({ from: first, to: newest.height }, done))
  return { ...newest, missing }
}

/** Ranges of heights, ascending. */
export async function rangesIn(
  tx: Tx,
  table: 'done' | 'pruned' | 'without_orders',
): Promise<readonly Heights[]> {
  const rows = await tx.selectFrom(table).select(['first', 'last']).orderBy('first').execute()
  return rows.map(({ first, last }) => ({ from: first, to: last }))
}

/** Done heights that were indexed without orders: all of them as long as the former decoder made the rows. */
export async function readWithoutOrders(
  tx: Tx,
  former: string | undefined,
): Promise<readonly Heights[]> {
  const { decoder } = await storeRow(tx)
  return rangesIn(tx, decoder !== null && decoder === former ? 'done' : 'without_orders')
}

/** Totals of a store, from its counters. */
export async function readCounts(
  tx: Tx,
): Promise<{ readonly swaps: number; readonly quarantined: number }> {
  const counts = await tx
    .selectFrom('tally')
    .select(['scope', 'swaps'])
    .where('scope', 'in', ['all', 'quarantined'])
    .where('name', '=', '')
    .execute()
  const countOf = (scope: Scope): number =>
    counts.find((count) => count.scope === scope)?.swaps ?? 0
  return { swaps: countOf('all'), quarantined: countOf('quarantined') }
}

/** Figures of a store for monitoring; reads few rows at any size. */
export async function readFigures(tx: Tx, chainId: string): Promise<HistoryFigures> {
  const row = await storeRow(tx)
  const published = await tx
    .selectFrom('snapshot')
    .select('height')
    .where('chain_id', '=', chainId)
    .orderBy('height', 'desc')
    .execute()
  const [newest] = published
  return {
    indexed: indexedOf(row),
    ...(await readCounts(tx)),
    epoch: row.epoch,
    published: newest && { height: newest.height, heights: published.length },
  }
}
