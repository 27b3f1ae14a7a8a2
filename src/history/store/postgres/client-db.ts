import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Client } from 'pg'
import { type WorkQueue, workQueue } from '../queue.js'
import type { Db, Tables } from '../schema.js'

/** The query builder over the leader's connection, whose session holds the lock. */
export const clientDb = (client: Client): Db =>
  new Kysely<Tables>({
    dialect: {
      createDriver: () => driver(client, workQueue()),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  })

function driver(client: Client, queue: WorkQueue): Driver {
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const { rows, rowCount } = await client.query(sql, [...parameters])
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
    },
    streamQuery: () => {
      throw new Error('rows of this database are not streamed')
    },
  }
  const say = async (sql: string): Promise<void> => void (await client.query(sql))
  return {
    init: async () => {},
    acquireConnection: async () => {
      await queue.wait()
      return connection
    },
    beginTransaction: () => say('begin'),
    commitTransaction: () => say('commit'),
    rollbackTransaction: () => say('rollback').catch(() => {}),
    releaseConnection: async () => queue.next(),
    destroy: () => client.end(),
  }
}
