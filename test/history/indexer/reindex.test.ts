import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { restartIndex, sync } from '../../../src/history/indexer/sync.js'
import { inReadTransaction } from '../../../src/history/store/database.js'
import { openPostgres } from '../../../src/history/store/postgres/open-postgres.js'
import { readState } from '../../../src/history/store/queries/state.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { blocksOf, openAt } from '../../support/history.js'
import { longTest } from '../../support/long.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'
import { everything, keyOf, stage } from './stage.js'

const server = await testPostgres()

const quietly = { progress: () => {}, failed: () => {}, signal: new AbortController().signal }

describe('reindexing', () => {
  test('discards the old rows when the chain still has all blocks', async () => {
    const real = chainOf({}, majorPairs)
    grow(real, 12)
    const { chain, store } = await stage(real)
    const leadership = await store.lead()
    await sync({ chain, store, leadership, ...quietly })
    const before = (await everything(store)).map(keyOf)
    assert.ok(before.length > 0)
    await restartIndex(chain, store, leadership)
    assert.deepEqual((await store.state()).done, [])
    assert.deepEqual(await store.rebuild(), { count: 1, left: real.height - real.earliest + 1 })
    await sync({ chain, store, leadership, ...quietly })
    assert.deepEqual((await everything(store)).map(keyOf), before)
    assert.deepEqual(await store.rebuild(), { count: 1, left: 0 })
  })

  test('is refused while no node gives a block with a swap in the middle, and discards nothing', async () => {
    const real = chainOf({}, majorPairs)
    grow(real, 12)
    const { chain, store, node } = await stage(real)
    const leadership = await store.lead()
    await sync({ chain, store, leadership, ...quietly })
    const before = await everything(store)
    const heights = [...new Set(before.map(({ height }) => height))]
    const height = heights.at(-2)!
    assert.deepEqual(await store.holding({ from: height, to: height }), [height])
    node.lost.add(height)
    await assert.rejects(restartIndex(chain, store, leadership), {
      code: 'INVALID_REQUEST',
      why: `it has some of block ${height}, which no node that answers gives`,
      members: { height },
    })
    assert.deepEqual(await everything(store), before)
    node.lost.clear()
    await restartIndex(chain, store, leadership)
    assert.equal((await store.state()).swaps, 0)
  })

  longTest(
    'discards nothing when a block with a swap is pruned, or the chain does not answer',
    async () => {
      const real = chainOf({}, majorPairs)
      grow(real, 12)
      const { chain, store, node } = await stage(real, 500)
      const leadership = await store.lead()
      await sync({ chain, store, leadership, ...quietly })
      const before = await everything(store)
      const oldest = before.at(-1)!.height
      await assert.rejects(
        restartIndex(
          { ...chain, earliest: async () => ({ height: oldest + 1, silent: [] }) },
          store,
          leadership,
        ),
        {
          code: 'INVALID_REQUEST',
          members: { oldest_indexed: oldest, earliest_held: oldest + 1 },
        },
      )
      node.fail({ kind: '502' })
      await assert.rejects(restartIndex(chain, store, leadership))
      assert.deepEqual(await everything(store), before)
      node.heal()
      await restartIndex(
        { ...chain, earliest: async () => ({ height: oldest, silent: [] }) },
        store,
        leadership,
      )
      assert.equal((await store.state()).swaps, 0)
    },
  )

  test.skipIf(server === undefined)(
    'on PostgreSQL does not empty the tables between the reads of one page',
    async () => {
      const url = await freshDatabase(server!)
      const store = await openAt(url)
      const leadership = await store.lead()
      await store.commitBlocks(leadership, blocksOf(syntheticChain(3), 1, 12))
      const { swaps, done } = await store.state()
      assert.ok(swaps > 0)
      const database = await openPostgres(url)
      const rebuilt = await inReadTransaction(database, async (tx) => {
        assert.deepEqual((await readState(tx, { decoder: 'any' })).done, done)
        let isReset = false
        const reset = store.reindex(leadership, { prices: true }).then(() => {
          isReset = true
        })
        const waiting = sql<{ one: number }>`select 1 as one from pg_locks where not granted`
        while (!isReset && (await waiting.execute(database.reads)).rows.length === 0) {}
        const { count } = await tx
          .selectFrom('swap')
          .select((of) => of.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        assert.equal(Number(count), swaps)
        return { reset }
      })
      await rebuilt.reset
      assert.equal((await store.state()).swaps, 0)
      await database.close()
      await store.close()
    },
  )
})
