import { sql } from 'kysely'
import type { Client } from 'pg'
import { processId, thisProcess } from '../../platform/process-identity.js'
import { withStoreFaults } from '../store/fault.js'
import { fence } from '../store/fence.js'
import { clientDb, openClient, SHORT_LIMITS } from '../store/postgres/pool.js'
import { isMissingTable, postgresFault } from '../store/postgres/postgres-fault.js'
import type { Db, Tx } from '../store/schema.js'

/** The notification channel of publications. */
const CHANNEL = 'swap_snapshot'

/** Published heights that are kept, for processes that still read an older one. */
const KEPT = 8

/** Age in milliseconds after which a higher published height counts as that of a chain before a reset. */
const RESET_MS = 60_000

/** Milliseconds by the clock of the database. */
const clock = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** The newest snapshot, with the milliseconds since it was published. */
const newestOf = (db: Db) =>
  db
    .selectFrom('snapshot')
    .select(['height', sql<number>`${clock} - published_ms`.as('age')])
    .orderBy('height', 'desc')
    .limit(1)

/**
 * Publishes a snapshot inside the leader's transaction and deletes the oldest ones. Heights only rise, except after
 * a minute without a publication: then the chain was reset, and the higher ones are deleted.
 *
 * @returns `behind` if that height or a higher one was published within the last minute
 * @throws StoreFault `BUSY` if another process has led since
 */
async function publish(
  tx: Tx,
  chainId: string,
  epoch: number,
  { height, document }: Pick<PublishedSnapshot, 'height' | 'document'>,
): Promise<'published' | 'behind'> {
  await fence(tx, epoch)
  const newest = await newestOf(tx).where('chain_id', '=', chainId).executeTakeFirst()
  if (newest !== undefined && newest.height >= height && newest.age <= RESET_MS) return 'behind'
  const ofChain = tx.deleteFrom('snapshot').where('chain_id', '=', chainId)
  await ofChain.where('height', '>=', height).execute()
  await tx
    .insertInto('snapshot')
    .values({ chain_id: chainId, height, epoch, document, published_ms: clock })
    .execute()
  await ofChain
    .where('height', '<=', ({ selectFrom }) =>
      selectFrom('snapshot as other')
        .select('other.height')
        .where('other.chain_id', '=', chainId)
        .orderBy('other.height', 'desc')
        .offset(KEPT)
        .limit(1),
    )
    .execute()
  await sql`select pg_notify(${CHANNEL}, ${String(height)})`.execute(tx)
  return 'published'
}

/** The database in which a fleet publishes. */
export type SnapshotTablePlace = {
  /** Begins with `postgres://` or `postgresql://`. */
  readonly url: string
  readonly chainId: string
}

/** The leader of a fleet and the newest publication, at one moment. */
export type SnapshotTableStatus = {
  /** `ageMs`: time since the publication, by the clock of the database. */
  readonly newest: { readonly height: number; readonly ageMs: number } | undefined
  /** The epoch in which this process leads; `undefined` while another process leads. */
  readonly epoch: number | undefined
}

type PublishedSnapshot = {
  readonly height: number
  readonly ageMs: number
  readonly document: Uint8Array
}

/** The table of published snapshots. Failures are `StoreFault`s. */
export type SnapshotTable = {
  status(): Promise<SnapshotTableStatus>
  newest(): Promise<PublishedSnapshot | undefined>
  /**
   * Publishes a height as the leader of an epoch and notifies listeners. `behind`: that height or a
   * higher one was published within the last minute, and nothing changed.
   *
   * @throws StoreFault `BUSY` if another process has led since
   */
  publish(
    epoch: number,
    snapshot: Pick<PublishedSnapshot, 'height' | 'document'>,
  ): Promise<'published' | 'behind'>
  /** Aborted when the connection is lost. */
  readonly lost: AbortSignal
  close(): void
}

/** How long a server may be silent, in milliseconds. */
const SILENT_MS = SHORT_LIMITS.query_timeout

/**
 * Opens a dedicated connection to the table and listens for publications.
 *
 * @param onNotify called when something may have been published
 */
export async function openSnapshotTable(
  place: SnapshotTablePlace,
  onNotify: () => void,
): Promise<SnapshotTable> {
  const { url, chainId } = place
  const faultOf = (error: unknown) => postgresFault(url, error)
  const lost = new AbortController()
  const client = await withStoreFaults(() => connect(url, lost, onNotify), faultOf)
  const db = clientDb(client)
  return {
    status: () => withStoreFaults(() => readStatus(db, chainId), faultOf),
    newest: () => withStoreFaults(() => readNewest(db, chainId), faultOf),
    publish: (epoch, snapshot) =>
      withStoreFaults(
        () => db.transaction().execute((tx) => publish(tx, chainId, epoch, snapshot)),
        faultOf,
      ),
    lost: lost.signal,
    close: () => void client.end().catch(() => {}),
  }
}

async function connect(url: string, lost: AbortController, onNotify: () => void): Promise<Client> {
  const client = await openClient(url, {
    application_name: 'swap fleet',
    connectionTimeoutMillis: SILENT_MS,
    ...SHORT_LIMITS,
    // Limits how long a leader that is suspended during a publication can block the next one.
    idle_in_transaction_session_timeout: SILENT_MS,
  })
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', onNotify)
  try {
    await client.query(`listen ${CHANNEL}`)
    return client
  } catch (error) {
    // A server that is read-only refuses to listen; opening is repeated every second.
    await client.end().catch(() => {})
    throw error
  }
}

async function readStatus(db: Db, chainId: string): Promise<SnapshotTableStatus> {
  const row = await unlessMissing(
    db
      .selectFrom('store')
      .leftJoinLateral(
        newestOf(db).whereRef('chain_id', '=', sql.ref('store.chain_id')).as('newest'),
        (join) => join.onTrue(),
      )
      .select(['epoch', 'leader_host', 'leader_pid', 'leader_process', 'height', 'age'])
      .where('store.chain_id', '=', chainId)
      .executeTakeFirst(),
  )
  if (row === undefined) return { newest: undefined, epoch: undefined }
  const { pid, host } = thisProcess()
  // A leader of an older version writes only host and process id.
  const isLeader =
    row.leader_process === processId() && row.leader_pid === pid && row.leader_host === host
  return {
    newest:
      row.height === null || row.age === null ? undefined : { height: row.height, ageMs: row.age },
    epoch: isLeader ? row.epoch : undefined,
  }
}

async function readNewest(db: Db, chainId: string): Promise<PublishedSnapshot | undefined> {
  const newest = newestOf(db).select('document').where('chain_id', '=', chainId)
  const row = await unlessMissing(newest.executeTakeFirst())
  return row && { height: row.height, document: row.document, ageMs: row.age }
}

/** `undefined` if the tables do not exist yet. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (isMissingTable(error)) return undefined
    throw error
  }
}
