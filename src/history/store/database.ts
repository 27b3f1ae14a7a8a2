import { sql } from 'kysely'
import type { StoreFault } from './fault.js'
import type { Db, Flavour, Tx } from './schema.js'

/** The right to write, granted by a lock of the database, with the connection that writes. */
export type WriteLock = {
  readonly writes: Db
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** An open database of either kind, as the common code uses it. */
export type Database = {
  readonly flavour: Flavour
  /** A path, or a URL without the password. */
  readonly place: string
  /** Whether the file was removed or replaced since it was opened, or the tables of a server were. */
  isReplaced(): boolean
  readonly reads: Db
  /** Changes the tables, without the time limit of reads. */
  alter(change: (db: Db) => Promise<void>): Promise<void>
  /** @throws StoreFault `BUSY` when another process leads. */
  lead(): Promise<WriteLock>
  /** The meaning of a driver's error; `undefined` for a bug. */
  faultOf(error: unknown): StoreFault | undefined
  /** Called after the leaderships have been released. */
  close(): Promise<void>
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

/** Rows of one statement: both databases limit its values, SQLite to 32,766. */
const ROWS = 500

/** Calls `write` with at most 500 of the rows at a time, in order. */
export async function inChunks<T>(
  rows: readonly T[],
  write: (rows: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS)
    await write(rows.slice(start, start + ROWS))
}
