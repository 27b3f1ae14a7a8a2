import assert from 'node:assert/strict'
import type { Compilable } from 'kysely'
import { sql } from 'kysely'
import { beforeAll, describe, test } from 'vitest'
import type { Database } from '../../../../src/history/store/database.js'
import { topLines } from '../../../../src/history/store/leaderboard.js'
import { openPostgres } from '../../../../src/history/store/postgres/open-postgres.js'
import {
  keysOf,
  listOf,
  type PageRange,
  quarantineRows,
  rowsOf,
  stretchOf,
} from '../../../../src/history/store/queries/page.js'
import type { Db, Flavour, Tx } from '../../../../src/history/store/schema.js'
import { openSqlite } from '../../../../src/history/store/sqlite/open-sqlite.js'
import type { LegsFilter, OrdersFilter } from '../../../../src/operations/history/history-port.js'
import { temporaryFolder } from '../../../support/folder.js'
import {
  blocksOf,
  CHAIN,
  type DatabaseKind,
  databaseKinds,
  openAt,
} from '../../../support/history.js'
import { affiliateAddress, senderOf, syntheticChain } from '../../../support/synthetic-blocks.js'

type Mode = { readonly index: string; readonly filter: LegsFilter }

const modes: readonly Mode[] = [
  { index: 'swap_pkey', filter: { by: 'latest' } },
  { index: 'swap_by_type', filter: { by: 'latest', type: 'arbitrage' } },
  { index: 'swap_by_sender', filter: { by: 'sender', sender: senderOf(3) } },
  { index: 'affiliate_swap_pkey', filter: { by: 'affiliate', affiliate: affiliateAddress('arb') } },
  { index: 'swap_by_transaction', filter: { by: 'transaction', txHash: 'AB'.repeat(32) } },
]

/** A page near the newest end, and one that is counted from the oldest. */
const stretches: readonly PageRange[] = [
  { from: 'desc', skip: 40, count: 20 },
  { from: 'asc', skip: 3, count: 20 },
]

async function planOf(db: Db, query: Compilable, flavour: Flavour): Promise<string> {
  const { sql: text, parameters } = query.compile()
  const parts = text.split(/\$\d+|\?/)
  const bound = parts.flatMap((part, i) =>
    i < parameters.length ? [sql.raw(part), sql`${parameters[i]}`] : [sql.raw(part)],
  )
  const explain = sql.raw(flavour === 'postgres' ? 'explain (costs off) ' : 'explain query plan ')
  const { rows } = await sql<Record<string, unknown>>`${explain}${sql.join(bound, sql``)}`.execute(
    db,
  )
  return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n')
}

/** A page is read from its index in order, and no table is scanned. */
async function requireIndexed({ reads: db, flavour }: Database, { index, filter: of }: Mode) {
  const tx = db as unknown as Tx
  const isPostgres = flavour === 'postgres'
  for (const stretch of stretches) {
    const query = keysOf(tx, listOf('swap', CHAIN, of), stretch)
    const keys = await planOf(db, query, flavour)
    const rows = await planOf(db, rowsOf(tx, CHAIN, 'swap', query), flavour)
    assert.doesNotMatch(
      `${keys}\n${rows}`,
      isPostgres ? /Seq Scan on swap/ : /SCAN (swap|stored|block|affiliate\w*)\b(?! USING)/,
    )
    // The few legs of one transaction may be sorted; a list is in the order of its index.
    if (of.by !== 'transaction') assert.doesNotMatch(keys, /Sort|TEMP B-TREE/, keys)
    if (isPostgres) assert.match(keys, new RegExp(`Scan.* using ${index}|on ${index}`), keys)
    else if (index.startsWith('swap_by')) assert.match(keys, new RegExp(index), keys)
    else assert.match(keys, /SEARCH \w+ USING (COVERING INDEX|PRIMARY KEY|INDEX)/, keys)
  }
}

const orderModes: readonly (readonly [index: string, of: OrdersFilter])[] = [
  ['order_change_pkey', { by: 'latest' }],
  ['order_change_by_owner', { by: 'owner', owner: senderOf(3) }],
  ['order_change_by_pair', { by: 'pair', pair: 'demo1pair2' }],
  ['order_change_by_transaction', { by: 'transaction', txHash: 'AB'.repeat(32) }],
]

async function requireOrders({ reads: db, flavour }: Database) {
  const tx = db as unknown as Tx
  for (const [index, filter] of orderModes)
    for (const stretch of stretches) {
      const query = keysOf(tx, listOf('order_change', CHAIN, filter), stretch)
      const keys = await planOf(db, query, flavour)
      const rows = await planOf(db, rowsOf(tx, CHAIN, 'order_change', query), flavour)
      assert.doesNotMatch(
        `${keys}\n${rows}`,
        /Seq Scan on order|SCAN stored|SCAN order_change(?! USING)/,
      )
      if (filter.by !== 'transaction') assert.doesNotMatch(keys, /Sort|TEMP B-TREE/, keys)
      if (filter.by !== 'latest' || flavour === 'postgres')
        assert.match(keys, new RegExp(index), keys)
    }
}

async function requireLeaderboard({ reads: db, flavour }: Database) {
  const top = await planOf(
    db,
    topLines(db as unknown as Tx, '30d', { page: 2, limit: 20 }),
    flavour,
  )
  assert.match(top, /top_by_volume/)
  assert.doesNotMatch(top, /Sort|TEMP B-TREE/)
}

async function requireQuarantine({ reads: db, flavour }: Database) {
  const query = quarantineRows(db as unknown as Tx, CHAIN, { page: 2, limit: 20 })
  const rows = await planOf(db, query, flavour)
  assert.match(rows, /quarantine_pkey|sqlite_autoindex_quarantine/)
  assert.doesNotMatch(rows, /Sort|TEMP B-TREE/)
}

/** A database with three thousand blocks, with statistics for its planner. */
async function filled(kind: DatabaseKind): Promise<() => Promise<Database>> {
  const path = await kind.newDatabase()
  const store = await openAt(path, kind)
  await store.commitBlocks(await store.lead(), blocksOf(syntheticChain(1), 1, 3_000))
  await store.close()
  const open = () => (kind.driver === undefined ? openPostgres(path) : openSqlite(path, kind))
  const database = await open()
  // Enough swappers to make a full scan slower than the index.
  for (let i = 0; i < 5_000; i += 500)
    await database.reads
      .insertInto('top')
      .values(
        Array.from({ length: 500 }, (_, j) => ({
          period: '30d',
          sender: `many${i + j}`,
          swaps: 1,
          priced: 1,
          volume: `${i + j}`.padStart(60, '0'),
        })),
      )
      .execute()
  if (database.flavour === 'postgres') await sql`vacuum analyze`.execute(database.reads)
  await database.close()
  return open
}

describe('every query of the history', () => {
  const folder = temporaryFolder('plans')
  const databases: (() => Promise<Database>)[] = []
  beforeAll(async () => {
    for (const kind of await databaseKinds(folder)) databases.push(await filled(kind))
  })

  test('reads an index in the order of the answer, and sorts at most a page', async () => {
    for (const open of databases) {
      const database = await open()
      for (const mode of modes) await requireIndexed(database, mode)
      await requireOrders(database)
      await requireLeaderboard(database)
      await requireQuarantine(database)
      await database.close()
    }
  })

  test('fails this test if its index is dropped', async () => {
    const [droppable, names] = [
      modes.filter(({ index }) => index.startsWith('swap_by')),
      [
        'swap_by_type',
        'swap_by_sender',
        'swap_by_transaction',
        'top_by_volume',
        'order_change_by_owner',
      ],
    ]
    for (const open of databases) {
      const database = await open()
      for (const name of names) await sql.raw(`drop index ${name}`).execute(database.reads)
      for (const mode of droppable)
        await assert.rejects(requireIndexed(database, mode), assert.AssertionError, mode.index)
      await assert.rejects(requireOrders(database), assert.AssertionError)
      await assert.rejects(requireLeaderboard(database), assert.AssertionError)
      await database.close()
    }
  })
})

describe('the offset of a page', () => {
  test('is counted from the nearer end, and a page beyond the last is empty', () => {
    const at = (page: number) => stretchOf(1_000, { page, limit: 100 })
    assert.deepEqual(at(1), { from: 'desc', skip: 0, count: 100 })
    assert.deepEqual(at(5), { from: 'desc', skip: 400, count: 100 })
    assert.deepEqual(at(6), { from: 'asc', skip: 400, count: 100 })
    assert.deepEqual(at(10), { from: 'asc', skip: 0, count: 100 })
    assert.equal(at(11), undefined)
    assert.equal(stretchOf(0, { page: 1, limit: 20 }), undefined)
    assert.deepEqual(stretchOf(23, { page: 2, limit: 20 }), { from: 'asc', skip: 0, count: 3 })
    assert.deepEqual(stretchOf(1, { page: 1, limit: 20 }), { from: 'desc', skip: 0, count: 1 })
  })
})
