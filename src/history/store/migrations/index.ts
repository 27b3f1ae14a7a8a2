import { type Migration, sql } from 'kysely'
import type { Flavour } from '../schema.js'
import { swaps } from './0001-swaps.js'
import { orders } from './0003-orders.js'
import { type Columns, columnsOf } from './columns.js'

/** Published snapshots of a fleet: the compressed market of each of the newest few heights. */
const snapshots = ({ int, text, bytes }: Columns): readonly string[] => [
  `create table snapshot (
    chain_id ${text} not null,
    height ${int} not null,
    epoch ${int} not null,
    published_ms ${int} not null,
    document ${bytes} not null,
    primary key (chain_id, height)
  )`,
]

/** A change that places an empty order. */
const EMPTY = `action = 'place' and sold = '0' and added = '0' and received = '0'`

/**
 * Removes the empty orders that earlier versions stored for the cancel of a completely filled immediate order, and
 * subtracts them from the counters (docs/chain.md#executed-orders).
 */
const emptyOrders = (): readonly string[] => [
  `update tally set swaps = swaps - (
    select count(*) from order_change where ${EMPTY} and (
      tally.scope = 'orders'
      or (tally.scope = 'owner' and order_change.owner = tally.name)
      or (tally.scope = 'pair' and order_change.pair = tally.name)
    )
  ) where scope in ('orders', 'owner', 'pair')`,
  `delete from order_change where ${EMPTY}`,
]

/** The identifier of the leading process: containers can share process ids and host names. */
const leaderProcess = ({ text }: Columns): readonly string[] => [
  `alter table store add column leader_process ${text}`,
]

/** The number of rebuilds of the index, and the heights that the last one has to index. */
const rebuilds = ({ int }: Columns): readonly string[] => [
  `alter table store add column rebuilds ${int} not null default 0`,
  `alter table store add column rebuild_first ${int}`,
  `alter table store add column rebuild_last ${int}`,
]

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
    Object.entries(statements).map(([name, statementsOf]) => [
      name,
      {
        async up(db) {
          for (const statement of statementsOf(columnsOf[flavour]))
            await sql.raw(statement).execute(db)
        },
      },
    ]),
  )
