import {
  type CompiledQuery,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { startThread } from '../../../platform/built-entry.js'
import { callsTo, hasEnded } from '../../../platform/thread-calls.js'
import { queuedDb } from '../driver.js'
import type { Db } from '../schema.js'
import type { Ask, Reply, SqlValue, StatementResult, ThreadOrder } from './handle.js'
import { openHandle } from './open-handle.js'

/** An open SQLite file. */
type SqlConnection = {
  ask(sql: string, values: readonly SqlValue[]): Promise<StatementResult>
  close(): Promise<void>
}

/**
 * Opens a file on this thread, which locks and long reads block.
 *
 * @throws Error with SQLite's message if the file cannot be opened
 */
export async function openHere(order: ThreadOrder): Promise<SqlConnection> {
  const handle = openHandle(order)
  return {
    ask: async (sql, values) => handle.run(sql, values),
    close: async () => handle.close(),
  }
}

/**
 * Opens a file on a separate thread, so that locks and long reads never block this one.
 *
 * @throws Error with SQLite's message if the file cannot be opened
 */
export async function openThread(order: ThreadOrder): Promise<SqlConnection> {
  const worker = startThread('sqlite-thread.js', new URL('./thread.ts', import.meta.url), {
    workerData: order,
  })
  const ask = callsTo<Reply>(worker, new Error('unable to open: the database was closed'))
  const post = async (request: Omit<Ask, 'id'>): Promise<StatementResult> => {
    const { ran = { rows: [], changes: 0 }, error } = await ask(request)
    if (error !== undefined) throw new Error(error)
    return ran
  }
  // Fails with the error of a file that could not be opened.
  await post({})
  return {
    ask: (sql, values) => post({ sql, values }),
    close: async () => {
      if (!hasEnded(worker)) await post({ isLast: true })
      await worker.terminate()
    },
  }
}

/** Declares migrations as transactional, which SQLite supports and Kysely leaves unused. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const sqlite = {
  createAdapter: () => new TransactionalAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db: Db) => new SqliteIntrospector(db),
}

/** The query builder over an open file. */
export const sqliteDb = (file: SqlConnection): Db =>
  queuedDb(sqlite, {
    run: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const result = await file.ask(query.sql, query.parameters as readonly SqlValue[])
      return { rows: result.rows as unknown as R[], numAffectedRows: BigInt(result.changes) }
    },
    // Take the write lock at once: a transaction that reads first and writes later would fail if
    // another one wrote in between.
    beginning: ({ accessMode }) => (accessMode === 'read only' ? 'begin' : 'begin immediate'),
    execute: async (sql) => void (await file.ask(sql, [])),
    destroy: () => file.close(),
  })
