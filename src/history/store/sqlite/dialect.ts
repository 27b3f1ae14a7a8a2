import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type WorkQueue, workQueue } from '../queue.js'
import type { Db, Tables } from '../schema.js'
import type { SqlConnection } from './connection.js'
import type { SqlValue } from './handle.js'

/** Says that a migration is one transaction, which SQLite can do and Kysely leaves unused. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** The query builder over a file that is open. */
export const sqliteDb = (file: SqlConnection): Db => new Kysely<Tables>({ dialect: dialect(file) })

const dialect = (file: SqlConnection): Dialect => ({
  createDriver: () => driver(file, workQueue()),
  createAdapter: () => new TransactionalAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** One connection, used by one transaction at a time. */
function driver(file: SqlConnection, queue: WorkQueue): Driver {
  const connection: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const ran = await file.ask(query.sql, query.parameters as readonly SqlValue[])
      return { rows: ran.rows as unknown as R[], numAffectedRows: BigInt(ran.changes) }
    },
    streamQuery: () => {
      throw new Error('rows of this database are not streamed')
    },
  }
  const say = async (sql: string): Promise<void> => void (await file.ask(sql, []))
  return {
    init: async () => {},
    acquireConnection: async () => {
      await queue.wait()
      return connection
    },
    // A transaction that may write takes the lock at once: one that reads first and writes later
    // would fail, whatever the time limit, when another wrote in between.
    beginTransaction: (_, { accessMode }) =>
      say(accessMode === 'read only' ? 'begin' : 'begin immediate'),
    commitTransaction: () => say('commit'),
    // A failure that ended the transaction already leaves nothing to roll back.
    rollbackTransaction: () => say('rollback').catch(() => {}),
    releaseConnection: async () => queue.next(),
    destroy: () => file.close(),
  }
}
