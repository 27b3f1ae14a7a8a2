import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { test } from 'vitest'
import { openPostgres } from '../../../src/history/store/postgres/open-postgres.js'
import { openSqlite } from '../../../src/history/store/sqlite/open-sqlite.js'
import { databaseKinds, inFolder, openAt } from '../../support/history.js'

/** Runs statements on every kind of database, and opens it afterwards. */
async function afterEach(
  statements: readonly string[],
  expect: (open: () => ReturnType<typeof openAt>) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    for (const kind of await databaseKinds(folder))
      for (const statement of statements) {
        const path = await kind.newDatabase()
        await (await openAt(path, kind)).close()
        const database = await (kind.driver ? openSqlite(path, kind) : openPostgres(path))
        await database.alter(async (db) => void (await sql.raw(statement).execute(db)))
        await database.close()
        await expect(() => openAt(path, kind))
      }
  })
}

test('a database whose record of migrations was changed is damaged', async () => {
  const statements = [
    'delete from kysely_migration',
    "delete from kysely_migration where name = '0003-orders'",
    "delete from kysely_migration where name = '0006-rebuilds'",
  ]
  await afterEach(statements, (open) =>
    assert.rejects(open(), { code: 'NOT_READY', kind: 'corrupt', hint: /history --sync/ }),
  )
})

test('a database without a column is damaged, one without a table cannot be used', async () => {
  const statements = ['alter table tally drop column swaps', 'drop table tally']
  await afterEach(statements, async (open) => {
    const store = await open()
    await assert.rejects(store.state(), { code: 'NOT_READY' })
    await store.close()
  })
})
