import {
  type CompiledQuery,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Client } from 'pg'
import { queuedDriver } from '../driver.js'
import type { Db, Tables } from '../schema.js'

/** The query builder over the leader's connection, whose session holds the lock. */
export const clientDb = (client: Client): Db =>
  new Kysely<Tables>({
    dialect: {
      createDriver: () => driver(client),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  })

const driver = (client: Client): Driver =>
  queuedDriver({
    run: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const { rows, rowCount } = await client.query(sql, [...parameters])
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
    },
    beginning: () => 'begin',
    execute: async (sql) => void (await client.query(sql)),
    destroy: () => client.end(),
  })
