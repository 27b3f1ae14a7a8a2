import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { isDatabaseUrl } from '../../src/history/store/database-url.js'
import type {
  HistoryStore,
  IndexedBlock,
  Leadership,
} from '../../src/history/store/history-store.js'
import { openHistory } from '../../src/history/store/open.js'
import { openPostgres } from '../../src/history/store/postgres/open-postgres.js'
import type { DriverName } from '../../src/history/store/sqlite/handle.js'
import { hasNative } from '../../src/history/store/sqlite/native.js'
import { openSqlite } from '../../src/history/store/sqlite/open-sqlite.js'
import { freshDatabase, type TestPostgres, testPostgres } from './postgres.js'
import type { SyntheticChain } from './synthetic-blocks.js'

/** A kind of database for a history, with a new one each time. */
export type DatabaseKind = {
  readonly name: string
  readonly driver?: DriverName
  /** The path or URL of a new database. */
  readonly newDatabase: () => Promise<string>
}

/** In memory where the system has such a folder: what a kill leaves is the same, and it is faster. */
const room = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Runs with a folder that is removed afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(room, 'swap-history-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The drivers of files that this version of Node has. */
export const fileDrivers: readonly DriverName[] = hasNative() ? ['native', 'wasm'] : ['wasm']

let folderCount = 0

/** Every kind of database that is available: the rest of a test is the same for all of them. */
export async function databaseKinds(folder: string): Promise<readonly DatabaseKind[]> {
  const server = await testPostgres()
  const files = fileDrivers.map((driver) => ({
    name: `a file (${driver})`,
    driver,
    newDatabase: async () => {
      folderCount += 1
      return join(folder, `${driver}-${folderCount}.db`)
    },
  }))
  return server === undefined ? files : [...files, onServer(server)]
}

const onServer = (server: TestPostgres): DatabaseKind => ({
  name: 'PostgreSQL',
  newDatabase: () => freshDatabase(server),
})

export const CHAIN = 'synthetic-1'
export const DECODER = 'decoder-1'

/** Opens a store of the synthetic chain. */
export const openAt = (
  newDatabase: string,
  { driver, here = false, decoder = DECODER, chainId = CHAIN, former }: Partial<Opening> = {},
): Promise<HistoryStore> =>
  openHistory({
    database: newDatabase,
    chainId,
    decoder,
    here,
    ...(former && { former }),
    ...(driver && { driver }),
  })

type Opening = {
  readonly driver: DriverName | undefined
  readonly here: boolean
  readonly decoder: string
  readonly former: string | undefined
  readonly chainId: string
}

const tables = [
  'store',
  'done',
  'pruned',
  'block',
  'price',
  'swap',
  'affiliate_swap',
  'tally',
  'top',
  'quarantine',
  'order_change',
  'without_orders',
] as const

/** All rows of all tables in one order, for any database: equal contents, equal text. */
export async function contentsOf(newDatabase: string, driver?: DriverName): Promise<string> {
  const database = isDatabaseUrl(newDatabase)
    ? await openPostgres(newDatabase)
    : await openSqlite(newDatabase, { driver })
  try {
    const lines: string[] = []
    for (const table of tables) {
      const rows = await database.reads.selectFrom(table).selectAll().execute()
      lines.push(...rows.map((row) => `${table} ${lineOf(row)}`).sort())
    }
    return lines.join('\n')
  } finally {
    await database.close()
  }
}

/** Marks a migration of a database as not applied. Its tables stay as they are. */
export async function forgetMigration(
  newDatabase: string,
  name: string,
  driver?: DriverName,
): Promise<void> {
  const database = isDatabaseUrl(newDatabase)
    ? await openPostgres(newDatabase)
    : await openSqlite(newDatabase, { driver })
  try {
    const { writes, release } = await database.lead()
    await sql`delete from kysely_migration where name >= ${name}`.execute(writes)
    await sql`alter table done drop column last_results`.execute(writes)
    for (const column of ['leader_process', 'rebuilds', 'rebuild_first', 'rebuild_last'])
      await sql`alter table store drop column ${sql.ref(column)}`.execute(writes)
    release()
  } finally {
    await database.close()
  }
}

/** The leaders and the rebuilds are not part of the contents. */
const passing = [
  'epoch',
  'leader_host',
  'leader_pid',
  'leader_process',
  'rebuilds',
  'rebuild_first',
  'rebuild_last',
]

const lineOf = (row: object): string =>
  Object.entries(row)
    .filter(([column]) => !passing.includes(column))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([column, value]) => `${column}=${displayed(column, value)}`)
    .join(' ')

const displayed = (column: string, value: unknown): string => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return column === 'volume' ? BigInt(value as string).toString() : String(value)
}

/** Blocks `from` to `to` of a chain, ascending. */
export const blocksOf = (chain: SyntheticChain, from: number, to: number): IndexedBlock[] =>
  Array.from({ length: to - from + 1 }, (_, i) => chain.block(from + i))

/** Opens a new store, leads it, and returns its contents afterwards. */
export async function filled(
  kind: DatabaseKind,
  fill: (store: HistoryStore, leadership: Leadership) => Promise<unknown>,
): Promise<string> {
  const database = await kind.newDatabase()
  const store = await openAt(database, kind)
  try {
    await fill(store, await store.lead())
  } finally {
    await store.close()
  }
  return contentsOf(database, kind.driver)
}
