import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { test } from 'vitest'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import { openPostgres } from '../../../src/history/store/postgres/open-postgres.js'
import { openSqlite } from '../../../src/history/store/sqlite/open-sqlite.js'
import { blocksOf, databaseKinds, fileDrivers, inFolder, openAt } from '../../support/history.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

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

test('a file that another program keeps its tables in is refused, and not written to', async () => {
  await inFolder(async (folder) => {
    for (const driver of fileDrivers)
      for (const table of ['users', 'block']) {
        const path = join(folder, `${driver}-${table}.db`)
        const theirs = await openSqlite(path, { driver })
        await sql`create table ${sql.table(table)} (id integer)`.execute(theirs.reads)
        const trigger = `create trigger theirs after insert on ${table} begin select 1; end`
        await sql.raw(trigger).execute(theirs.reads)
        await theirs.close()
        const before = readFileSync(path)
        await assert.rejects(openAt(path, { driver }), {
          code: 'INVALID_REQUEST',
          kind: 'foreign',
          why: `${path} has the table ${table}, and none of a history`,
        })
        assert.ok(before.equals(readFileSync(path)))
      }
  })
})

test('a database whose record of migrations was changed is damaged', async () => {
  const statements = [
    'delete from kysely_migration',
    "delete from kysely_migration where name = '0003-orders'",
    "delete from kysely_migration where name = '0006-rebuilds'",
    "delete from kysely_migration where name = '0007-results'",
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

test('a file with a trigger is refused, since it changes or loses what is written', async () => {
  await inFolder(async (folder) => {
    for (const driver of fileDrivers) {
      const path = join(folder, `${driver}.db`)
      await (await openAt(path, { driver })).close()
      const database = await openSqlite(path, { driver })
      const text = 'create trigger theirs before insert on swap begin select raise(ignore); end'
      await sql.raw(text).execute(database.reads)
      await database.close()
      await assert.rejects(openAt(path, { driver }), {
        code: 'NOT_READY',
        kind: 'corrupt',
        why: `${path} has the trigger theirs on swap, which no version of swap makes`,
        hint: /drop the trigger/,
      })
    }
  })
})

test('a database with a table that lost its key, some of the rows of a swap, or a view for a table, is damaged', async () => {
  const changes = [
    ['drop table tally', 'create table tally (scope text, name text, swaps bigint)'],
    ['delete from swap'],
    ['alter table tally rename to theirs', 'create view tally as select 1 as swaps'],
  ]
  await inFolder(async (folder) => {
    for (const kind of await databaseKinds(folder))
      for (const statements of changes) {
        const path = await kind.newDatabase()
        const store = await openAt(path, kind)
        const leadership = await store.lead()
        await store.commitBlocks(leadership, blocks)
        const database = await (kind.driver ? openSqlite(path, kind) : openPostgres(path))
        for (const statement of [...statements, 'delete from done'])
          await database.alter(async (db) => void (await sql.raw(statement).execute(db)))
        await database.close()
        await assert.rejects(store.commitBlocks(leadership, blocks), { kind: 'corrupt' })
        await store.close()
      }
  })
})

const blocks = blocksOf(syntheticChain(21), 1, 12)
const oldest = blocks.find(({ swaps, orders }) => swaps.length + orders.length > 0)?.height

/** Values that the column of a stored row cannot have. */
const impossible = [
  ['store', 'indexed_ms', '8640000000000001'],
  ['done', 'first', '-8640000000000001'],
  ['swap', 'volume_usd', -1],
  ['swap', 'fee_protocol', -1],
  ['swap', 'hops', '{}'],
  ['swap', 'hops', '[null]'],
  ['swap', 'hops', '[{"address":"a"}]'],
  ['swap', 'path', '["a",1]'],
  ['top', 'volume', -1],
  ['block', 'time', 'noon'],
  ['order_change', 'price', '0'],
  ['order_change', 'side', 'ask'],
  ['order_change', 'sold', -1],
] as const
/** Values that files hold in columns of other types; a server refuses them. */
const untyped = [
  ['store', 'indexed_height', 'newest'],
  ['store', 'indexed_time', ''],
  ['swap', 'tx_hash', 'text'],
  ['swap', 'input_amount', '0x1'],
  ['tally', 'swaps', ''],
] as const

test('a row that was changed to impossible values is damage, and a rebuild removes it', async () => {
  await inFolder(async (folder) => {
    for (const kind of await databaseKinds(folder)) {
      const path = await kind.newDatabase()
      const store = await openAt(path, kind)
      const leadership = await store.lead()
      const database = await (kind.driver ? openSqlite(path, kind) : openPostgres(path))
      for (const [table, column, value] of [...impossible, ...(kind.driver ? untyped : [])]) {
        await store.commitBlocks(leadership, blocks)
        const changed = sql.raw(`update ${table} set ${column} = '${value}'`)
        await database.alter(async (db) => void (await changed.execute(db)))
        await assert.rejects(
          everything(store),
          { code: 'NOT_READY', kind: 'corrupt', hint: /--reindex/ },
          `${kind.name} ${table}.${column}`,
        )
        assert.equal((await store.holding({ from: 1, to: 12 }))[0], oldest)
        await store.reindex(leadership, { prices: false })
        await everything(store)
      }
      await database.close()
      await store.close()
    }
  })
})

test('the newest known block is found without reading the rows of older ones', async () => {
  await inFolder(async (folder) => {
    for (const driver of fileDrivers) {
      const path = join(folder, `${driver}.db`)
      const store = await openAt(path, { driver })
      const later = blocksOf(syntheticChain(21), 14, 40)
      await store.commitBlocks(await store.lead(), [...blocks, ...later])
      const database = await openSqlite(path, { driver })
      for (const change of [
        `update block set hash = 'text' where height = ${oldest}`,
        `update done set last_hash = 'text' where first = 1`,
      ])
        await database.alter(async (db) => void (await sql.raw(change).execute(db)))
      await database.close()
      assert.equal((await store.knownBlock(40))?.hash, later.at(-1)?.hash)
      await store.close()
    }
  })
})

/** Reads all that answers are made of. */
async function everything(store: HistoryStore): Promise<void> {
  const window = { page: 1, limit: 100 }
  const { indexed } = await store.state()
  await store.day(Date.parse(indexed?.time ?? ''))
  await store.figures()
  await store.page({ by: 'latest' }, window)
  await store.orders({ by: 'latest' }, window)
  await store.top('30d', window)
}
