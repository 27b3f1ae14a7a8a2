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

/** Declares migrations as transactional, which SQLite supports and Kysely leaves unused. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** The query builder over an open file. */
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
    // Take the write lock at once: a transaction that reads first and writes later would fail if
    // another one wrote in between.
    beginTransaction: (_, { accessMode }) =>
      say(accessMode === 'read only' ? 'begin' : 'begin immediate'),
    commitTransaction: () => say('commit'),
    // An error that ended the transaction leaves nothing to roll back.
    rollbackTransaction: () => say('rollback').catch(() => {}),
    releaseConnection: async () => queue.next(),
    destroy: () => file.close(),
  }
}
