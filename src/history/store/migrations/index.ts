import { type Migration, sql } from 'kysely'
import type { Flavour } from '../schema.js'
import { swaps } from './0001-swaps.js'
import { snapshots } from './0002-snapshots.js'
import { orders } from './0003-orders.js'
import { emptyOrders } from './0004-empty-orders.js'
import { leaderProcess } from './0005-leader-process.js'
import { rebuilds } from './0006-rebuilds.js'
import { type Columns, columnsOf } from './columns.js'

/** In order. A released migration is never edited; changes are new migrations. */
const statements: Readonly<Record<string, (columns: Columns) => readonly string[]>> = {
  '0001-swaps': swaps,
  '0002-snapshots': snapshots,
  '0003-orders': orders,
  '0004-empty-orders': emptyOrders,
  '0005-leader-process': leaderProcess,
  '0006-rebuilds': rebuilds,
}

/** The migrations of a database by name. */
export const migrationsOf = (flavour: Flavour): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(statements).map(([name, of]) => [
      name,
      {
        async up(db) {
          for (const statement of of(columnsOf[flavour])) await sql.raw(statement).execute(db)
        },
      },
    ]),
  )
