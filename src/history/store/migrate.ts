import { Migrator, sql } from 'kysely'
import { StoreFault } from './fault.js'
import { migrationsOf } from './migrations/index.js'
import type { Db, Flavour } from './schema.js'

/**
 * Brings the tables up to date, in one transaction; nothing is written when they are.
 *
 * @throws StoreFault `INVALID_REQUEST` when a newer version of the program made them.
 */
export async function migrate(db: Db, flavour: Flavour, place: string): Promise<void> {
  const migrations = migrationsOf(flavour)
  const names = Object.keys(migrations)
  const applied = await appliedIn(db)
  const unknown = applied.find((name) => !names.includes(name))
  if (unknown !== undefined) throw newer(place, unknown)
  if (applied.length === names.length) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  // Another process may have been quicker with the same.
  if ((await appliedIn(db)).length < names.length) throw error
}

async function appliedIn(db: Db): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

const newer = (place: string, migration: string): StoreFault =>
  new StoreFault('newer', 'the history database was made by a newer version of swap', {
    why: `${place} has the migration ${migration}, which this version does not know`,
    hint: 'update swap, or name another database with --database',
  })
