import { Kysely, PostgresDialect } from 'kysely'
import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import type { Db, Tables } from '../schema.js'

/** Milliseconds: how long a read may take, and wait for one of the connections. */
const STATEMENT_MS = 2_000
const WAIT_MS = 1_000
const CONNECTIONS = 8

/** A 64-bit integer that the driver would give as text: heights, times and counts are below 2^53. */
const INT8 = 20

/** The driver; it is loaded only when a database is a server's. */
const driver = async () => (await import('pg')).default

async function typesOf(): Promise<CustomTypesConfig> {
  const { types } = await driver()
  return {
    getTypeParser: ((oid: number, format: 'text') =>
      oid === INT8
        ? Number
        : types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
  }
}

/** Connections that read: no statement takes longer than two seconds, none waits longer than one. */
export async function openPool(url: string): Promise<Pool> {
  const { Pool } = await driver()
  const pool = new Pool({
    connectionString: url,
    types: await typesOf(),
    max: CONNECTIONS,
    connectionTimeoutMillis: WAIT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'swap history',
  })
  // A connection that the server ends while nobody uses it; the next use makes another.
  pool.on('error', () => {})
  // A list is walked in the order of its index and left after a page. A planner without statistics of
  // the newest rows would rather collect the whole list and sort it.
  pool.on('connect', (client) => {
    // One that is lost between two statements of a transaction: the next statement fails of it.
    client.on('error', () => {})
    client.query('set enable_bitmapscan = off').catch(() => {})
  })
  return pool
}

/** The one connection that writes. */
export async function openClient(url: string, more: ClientConfig = {}): Promise<Client> {
  const { Client } = await driver()
  const client = new Client({
    connectionString: url,
    types: await typesOf(),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'swap history leader',
    ...more,
  })
  // Whoever has it listens as well; without any listener a connection that is lost ends the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

export const poolDb = (pool: Pool): Db =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
