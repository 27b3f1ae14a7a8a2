import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Client } from 'pg'
import { queuedDb } from '../driver.js'
import type { Db } from '../schema.js'

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
