import { Migrator, sql } from 'kysely'
import type { Database } from './database.js'
import { isDatabaseUrl } from './database-url.js'
import { driverFault, StoreFault, withStoreFaults } from './fault.js'
import type { HistoryStore } from './history-store.js'
import { migrationsOf } from './migrations.js'
import { openPostgres } from './postgres/open-postgres.js'
import type { Db } from './schema.js'
import type { DriverName } from './sqlite/handle.js'
import { openSqlite } from './sqlite/open-sqlite.js'
import { storeOf } from './store.js'

/**
 * Brings the tables up to date in one transaction; writes nothing if they are.
 *
 * @throws StoreFault `INVALID_REQUEST` if a newer version of the program created them, or another program the file
 */
export async function migrate({
  reads,
  flavour,
  place,
  alter,
}: Pick<Database, 'reads' | 'flavour' | 'place' | 'alter'>): Promise<void> {
  const migrations = migrationsOf(flavour)
  const names = Object.keys(migrations)
  const schema = flavour === 'postgres' ? await schemaOf(reads) : undefined
  const applied = await appliedIn(reads, schema)
  const unknown = applied.find((name) => !names.includes(name))
  if (unknown !== undefined) throw newerSchema(place, unknown)
  if (flavour === 'sqlite' && applied.length > 0) await requireNoTrigger(reads, place)
  if (applied.length === names.length) return
  if (flavour === 'sqlite') await requireOwnFile(reads, place)
  await alter(async (db) => {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      ...(schema !== undefined && { migrationTableSchema: schema }),
    })
    const { error } = await migrator.migrateToLatest()
    // Another process may have migrated it meanwhile.
    if (error !== undefined && (await appliedIn(db, schema)).length < names.length) throw error
  })
}

/** Refuses a file with the tables of another program; schemas of a server may be shared. @throws StoreFault */
async function requireOwnFile(db: Db, path: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const [table] = tables
  if (table === undefined || tables.some(({ name }) => name === 'kysely_migration')) return
  throw new StoreFault('foreign', 'the history database is of another program', {
    why: `${path} has the table ${table.name}, and none of a history`,
    hint: 'name another file with --database',
  })
}

/** Refuses a file with a trigger: it may change or drop any row that is written. @throws StoreFault */
async function requireNoTrigger(db: Db, path: string): Promise<void> {
  const { rows } = await sql<{ name: string; of: string }>`
    select name, tbl_name as of from sqlite_master where type = 'trigger'`.execute(db)
  const [trigger] = rows
  if (trigger === undefined) return
  throw driverFault(
    'corrupt',
    `${path} has the trigger ${trigger.name} on ${trigger.of}, which no version of swap makes`,
    'drop the trigger and run `swap history --reindex`, as rows may be missing; or name another file with --database',
  )
}

/** The schema of the tables, or of new ones: other schemas of a server may have an index too. */
async function schemaOf(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`select coalesce(
    (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where pg_class.oid = to_regclass('kysely_migration')),
    current_schema()
  ) as name`.execute(db)
  return rows[0]?.name ?? undefined
}

async function appliedIn(db: Db, schema: string | undefined): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration' && table.schema === schema))
    return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

const newerSchema = (place: string, migration: string): StoreFault =>
  new StoreFault('newer', 'the history database was made by a newer version of swap', {
    why: `${place} has the migration ${migration}, which this version does not know`,
    hint: 'update swap, or name another database with --database',
  })

/** Location and options of a database. */
export type StorePlace = {
  /** A path, or a URL that begins with `postgres://` or `postgresql://`. */
  readonly database: string
  readonly chainId: string
  /** Version of the decoder of the rows: another version requires a rebuild. */
  readonly decoder: string
  /** The decoder before orders: its rows of swaps are kept. */
  readonly former?: string
  /** For a file: the driver; by default Node's own SQLite if available. */
  readonly driver?: DriverName
  /** For a file: open it on this thread, which it may block, instead of a separate one. */
  readonly here?: boolean
}

/**
 * Opens the history's database and creates or updates its tables.
 *
 * @throws StoreFault `INVALID_REQUEST` for a database of another chain or a newer version, and failures of
 * the database
 */
export async function openHistory(place: StorePlace): Promise<HistoryStore> {
  const database = isDatabaseUrl(place.database)
    ? await openPostgres(place.database)
    : await openSqlite(place.database, place)
  try {
    await withStoreFaults(() => prepare(database, place), database.faultOf)
    return storeOf(database, place)
  } catch (error) {
    await database.close().catch(() => {})
    throw error
  }
}

async function prepare(database: Database, { chainId }: StorePlace) {
  await migrate(database)
  const { reads, place } = database
  const find = () => reads.selectFrom('store').select('chain_id').executeTakeFirst()
  const owner = await find()
  if (owner === undefined)
    await reads
      .insertInto('store')
      .values({ id: 1, chain_id: chainId, epoch: 0, rebuilds: 0 })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  const { chain_id: theirs = chainId } = owner ?? (await find()) ?? {}
  if (theirs !== chainId) throw otherChain(place, theirs, chainId)
}

const otherChain = (place: string, storedChain: string, expectedChain: string): StoreFault =>
  new StoreFault(
    'foreign',
    `the history database is of the chain ${storedChain}, not of ${expectedChain}`,
    {
      why: `${place} was filled from another network`,
      hint: 'name another database with --database, or the network that it belongs to',
    },
  )
