import type { Client } from 'pg'
import type { Database, WriteLock } from '../database.js'
import { withoutPassword } from '../database-url.js'
import { ledBy, type StoredLeader } from '../fault.js'
import { clientDb, openClient, openReads } from './pool.js'
import { isMissingTable, postgresFault } from './postgres-fault.js'

/** Opens a server's database; connects on first use. */
export async function openPostgres(url: string): Promise<Database> {
  const reads = await openReads(url)
  let isReplaced = false
  return {
    flavour: 'postgres',
    place: withoutPassword(url),
    isReplaced: () => isReplaced,
    reads,
    async alter(change) {
      const db = clientDb(await openClient(url, limits(ALTER_MS)))
      try {
        await change(db)
      } finally {
        await db.destroy().catch(() => {})
      }
    },
    lead: () => leadSession(url),
    faultOf(error) {
      if (isMissingTable(error)) isReplaced = true
      return postgresFault(url, error)
    },
    close: () => reads.destroy(),
  }
}

/** Heartbeat interval of a leader; the server ends a session that is idle for ten seconds. */
const BEAT_MS = 3_000
const SILENT_MS = 10_000

/** Time limits of a statement of a leader and of a migration, which may rewrite a large table. */
const STATEMENT_MS = 60_000
const ALTER_MS = 600_000

/** A time limit of statements on the server, and a longer one in the client for a silent server. */
const limits = (ms: number) => ({ statement_timeout: ms, query_timeout: ms + 5_000 })

/** Key of the advisory lock; the second part depends on the schema, so two schemas have two leaders. */
const LOCK = 0x73776170

/**
 * Takes the lead by an advisory lock of the session. The server releases it when the process ends, and
 * ends the idle session of a stopped process after ten seconds; a late write is fenced off by the epoch.
 *
 * @throws StoreFault `BUSY` if another process leads
 */
async function leadSession(url: string): Promise<WriteLock> {
  const lost = new AbortController()
  const client = await openClient(url, {
    ...limits(STATEMENT_MS),
    idle_in_transaction_session_timeout: SILENT_MS,
  })
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  try {
    await client.query(`set idle_session_timeout = ${SILENT_MS}`)
    await client.query('set lock_timeout = 5000')
    const { rows } = await client.query(
      'select pg_try_advisory_lock($1::int, hashtext(current_schema())) as taken',
      [LOCK],
    )
    if (rows[0]?.taken !== true) throw ledBy(await leaderOf(client), withoutPassword(url))
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  let isBeating = false
  const heartbeat = setInterval(async () => {
    if (isBeating) return
    isBeating = true
    await client.query('select 1').catch(() => lost.abort())
    isBeating = false
  }, BEAT_MS).unref()
  return {
    writes: clientDb(client),
    lost: lost.signal,
    release: async () => {
      clearInterval(heartbeat)
      await client.end().catch(() => {})
    },
  }
}

async function leaderOf(client: Client): Promise<StoredLeader | undefined> {
  const { rows } = await client.query('select leader_host as host, leader_pid as pid from store')
  return rows[0]
}
