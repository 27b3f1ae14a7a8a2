import assert from 'node:assert/strict'
import type { Compilable } from 'kysely'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import type { PageOf } from '../../../src/history/fact.js'
import { keysOf, rowsOf } from '../../../src/history/queries/page.js'
import { topLines } from '../../../src/history/queries/top.js'
import { openPostgres } from '../../../src/history/store/postgres/open.js'
import type { Db, Tx } from '../../../src/history/store/schema.js'
import { openSqlite } from '../../../src/history/store/sqlite/open.js'
import { blocksOf, CHAIN, grounds, inFolder, openAt } from '../../support/history.js'
import { affiliateAddress, senderOf, syntheticChain } from '../../support/synthetic-blocks.js'

const modes: readonly (readonly [string, PageOf])[] = [
  ['swap_pkey', { by: 'latest' }],
  ['swap_by_type', { by: 'latest', type: 'arbitrage' }],
  ['swap_by_sender', { by: 'sender', sender: senderOf(3) }],
  ['affiliate_swap_pkey', { by: 'affiliate', affiliate: affiliateAddress('arb') }],
  ['swap_by_transaction', { by: 'transaction', txHash: 'AB'.repeat(32) }],
]

async function planOf(db: Db, query: Compilable, postgres: boolean): Promise<string> {
  const { sql: text, parameters } = query.compile()
  const parts = text.split(/\$\d+|\?/)
  const bound = parts.flatMap((part, i) =>
    i < parameters.length ? [sql.raw(part), sql`${parameters[i]}`] : [sql.raw(part)],
  )
  const explain = sql.raw(postgres ? 'explain (costs off) ' : 'explain query plan ')
  const { rows } = await sql<Record<string, unknown>>`${explain}${sql.join(bound, sql``)}`.execute(
    db,
  )
  return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n')
}

describe('every query of the history', () => {
  test('walks an index in the order of the answer, and sorts no more than a page', async () => {
    await inFolder(async (folder) => {
      for (const ground of await grounds(folder)) {
        const place = await ground.place()
        const store = await openAt(place, ground)
        await store.commitBlocks(await store.lead(), blocksOf(syntheticChain(1), 1, 3_000))
        await store.close()
        const postgres = ground.driver === undefined
        const database = postgres
          ? await openPostgres(place)
          : await openSqlite(place, ground.driver)
        const db = database.reads
        // Enough swappers that reading them all would not be the quickest.
        for (let i = 0; i < 5_000; i += 500)
          await db
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
        if (postgres) await sql`vacuum analyze`.execute(db)
        const tx = db as unknown as Tx
        for (const [index, of] of modes) {
          const keys = await planOf(db, keysOf(tx, CHAIN, of, { page: 3, limit: 20 }), postgres)
          const rows = await planOf(
            db,
            rowsOf(tx, CHAIN, keysOf(tx, CHAIN, of, { page: 3, limit: 20 })),
            postgres,
          )
          assert.doesNotMatch(
            `${keys}\n${rows}`,
            postgres ? /Seq Scan on swap/ : /SCAN (swap|block|affiliate)\b(?! USING)/,
          )
          if (postgres) {
            assert.match(keys, new RegExp(`Scan.* using ${index}|on ${index}`), keys)
            // The few legs of one transaction may be sorted; a list is in the order of its index.
            if (of.by !== 'transaction') assert.doesNotMatch(keys, /Sort/)
          } else {
            assert.match(keys, /SEARCH \w+ USING (COVERING INDEX|PRIMARY KEY|INDEX)/, keys)
            if (of.by !== 'transaction') assert.doesNotMatch(keys, /TEMP B-TREE/, keys)
            if (index.startsWith('swap_by')) assert.match(keys, new RegExp(index))
          }
        }
        const top = await planOf(db, topLines(tx, '30d', 100), postgres)
        assert.match(top, /top_by_volume/)
        assert.doesNotMatch(top, /Sort|TEMP B-TREE/)
        await database.close()
      }
    })
  })
})
