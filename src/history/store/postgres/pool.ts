import {
  type CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import { queuedDb } from '../driver.js'
import type { Db, Tables } from '../schema.js'

/** Time limits of a short statement in milliseconds: on the server, and in the client for a silent server. */
export const SHORT_LIMITS = { statement_timeout: 2_000, query_timeout: 3_000 }

/** Longest wait for a connection, in milliseconds. */
const WAIT_MS = 1_000
const CONNECTIONS = 8

/** Parses int8, which the driver returns as text: heights, times and counts are below 2^53. */
const INT8 = 20

/**
 * The driver, loaded only for a server's database. Its own client leaves the connection open where it
 * cannot continue, without a password or with a useless certificate: the process would not end.
 */
async function driver() {
  const { Client: PgClient, Pool, types } = (await import('pg')).default
  class Client extends PgClient {
    constructor(config?: ClientConfig) {
      super(config)
      this.connection.on('error', () => this.connection.stream.destroy())
    }
  }
  return { Client, Pool, types }
}

async function typesOf(): Promise<CustomTypesConfig> {
  const { types } = await driver()
  return {
    getTypeParser: ((oid: number, format: 'text') =>
      oid === INT8
        ? Number
        : types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
  }
}

/** Connections for reads: a statement takes at most two seconds and waits at most one. */
export async function openReads(url: string): Promise<Db> {
  const { Client, Pool } = await driver()
  const pool = new Pool({
    Client,
    connectionString: url,
    types: await typesOf(),
    max: CONNECTIONS,
    // A connection to a silent server that is closed while idle would keep the process from ending.
    allowExitOnIdle: true,
    connectionTimeoutMillis: WAIT_MS,
    ...SHORT_LIMITS,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'swap history',
  })
  // The server closed an idle connection; the next query opens another.
  pool.on('error', () => {})
  // Pages follow the order of an index and stop early. Without current statistics the planner would
  // rather collect and sort the whole list.
  pool.on('connect', (client) => {
    // A connection lost between two statements of a transaction: the next statement fails.
    client.on('error', () => {})
    client.query('set enable_bitmapscan = off').catch(() => {})
  })
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withoutSilent(pool) }) })
}

/** A pool that closes connections on which a query was not answered in time: later ones would wait behind it. */
const withoutSilent = (pool: Pool): PostgresPool => ({
  end: () => pool.end(),
  async connect() {
    const client = await pool.connect()
    let silence: Error | undefined
    const query = async (text: string, values: readonly unknown[]) => {
      if (silence !== undefined) throw silence
      try {
        return await client.query(text, [...values])
      } catch (error) {
        if (isSilence(error)) silence = error
        throw error
      }
    }
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: () => client.release(silence),
    }
  },
})

/** Whether the driver stopped waiting for the answer of a query. */
const isSilence = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout'

/** A connection outside of the pool: of a leader, a migration or a fleet. */
export async function openClient(url: string, overrides: ClientConfig = {}): Promise<Client> {
  const { Client } = await driver()
  const client = new Client({
    connectionString: url,
    types: await typesOf(),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'swap history leader',
    ...overrides,
  })
  // Without a listener a lost connection would end the process; the owner listens as well.
  client.on('error', () => {})
  await client.connect()
  return client
}

const postgres = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db: Db) => new PostgresIntrospector(db),
}

/** The query builder over one connection, such as the leader's, whose session holds the lock. */
export const clientDb = (client: Client): Db =>
  queuedDb(postgres, {
    run: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const { rows, rowCount } = await client.query(sql, [...parameters])
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
    },
    beginning: () => 'begin',
    execute: async (sql) => void (await client.query(sql)),
    destroy: () => client.end(),
  })
