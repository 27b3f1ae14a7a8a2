import { sql } from 'kysely'
import type { NewestBlock } from '../../../operations/history/history-port.js'
import type { Scope } from '../counters.js'
import type { Database } from '../database.js'
import { storeRow } from '../fence.js'
import type { StoreRow, Tx } from '../schema.js'
import type { HistoryFigures } from '../swap-row.js'

/** The highest indexed block, from the store's row. */
export const indexedOf = (row: StoreRow): NewestBlock | undefined =>
  row.indexed_height === null || row.indexed_time === null
    ? undefined
    : { height: row.indexed_height, time: row.indexed_time }

/** The highest indexed block of a store. */
export const readIndexed = async (tx: Tx): Promise<NewestBlock | undefined> =>
  indexedOf(await storeRow(tx))

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

/**
 * Runs several reads in one snapshot of the database. PostgreSQL shows a `truncate` to older snapshots too:
 * the lock, taken before the snapshot, lets a rebuild empty the tables only before or after the reads.
 */
export const inReadTransaction = <T>(
  { reads, flavour }: Pick<Database, 'reads' | 'flavour'>,
  read: (tx: Tx) => Promise<T>,
): Promise<T> =>
  reads
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      if (flavour === 'postgres') await sql`lock table swap in access share mode`.execute(tx)
      return read(tx)
    })
