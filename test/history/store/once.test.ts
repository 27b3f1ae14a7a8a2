import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { IndexedBlock } from '../../../src/history/store/history-store.js'
import {
  blocksOf,
  contentsOf,
  DECODER,
  databaseKinds,
  filled,
  inFolder,
  openAt,
} from '../../support/history.js'
import { longTest } from '../../support/long.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const LONG = process.env['SWAP_LONG'] !== undefined
const BLOCKS = LONG ? 100 : 12

const shuffled = (blocks: readonly IndexedBlock[], seed: number): readonly IndexedBlock[] =>
  fc.sample(fc.shuffledSubarray([...blocks], { minLength: blocks.length }), {
    numRuns: 1,
    seed,
  })[0] ?? []

describe('a block of the history', () => {
  test('is stored once, in any order, in any batches and however often it is added', async () => {
    await inFolder(async (folder) => {
      // Blocks half a day apart, so that they leave the leaderboard's windows as others come.
      const chain = syntheticChain(7, 43_200_000)
      const blocks = blocksOf(chain, 1, BLOCKS)
      const contents = new Set<string>()
      for (const kind of await databaseKinds(folder)) {
        const clean = await filled(kind, async (store, leadership) => {
          for (const block of blocks) await store.commitBlocks(leadership, [block])
        })
        const mixed = await filled(kind, async (store, leadership) => {
          for (const seed of [1, 2, 3]) {
            const order = shuffled(blocks, seed)
            for (let start = 0; start < order.length; start += seed * 3)
              await store.commitBlocks(leadership, order.slice(start, start + seed * 3))
          }
        })
        assert.equal(mixed, clean, kind.name)
        contents.add(clean)
      }
      assert.equal(contents.size, 1, 'every database holds the same')
    })
  }, 3_600_000)

  test('reports the swaps it added, and that it was already stored', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder))
        await filled(kind, async (store, leadership) => {
          const block = syntheticChain(1).block(6)
          const added = { swaps: block.swaps.length, quarantined: block.quarantined.length }
          assert.ok(added.swaps > 0)
          const twice = await store.commitBlocks(leadership, [block, block])
          assert.deepEqual(twice, { blocks: 1, ...added })
          const again = await store.commitBlocks(leadership, [block])
          assert.deepEqual(again, { blocks: 0, swaps: 0, quarantined: 0 })
        })
    })
  })

  test('of another chain changes nothing, nor do the blocks added with it', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder))
        await filled(kind, async (store, leadership) => {
          const [ours, theirs] = [syntheticChain(1), syntheticChain(2)]
          await store.commitBlocks(leadership, blocksOf(ours, 10, 12))
          const before = await store.state()
          await assert.rejects(store.commitBlocks(leadership, [ours.block(9), theirs.block(13)]), {
            code: 'UPSTREAM_INVALID_DATA',
            kind: 'unlinked',
          })
          assert.deepEqual(await store.state(), before)
          await store.commitBlocks(leadership, [ours.block(9), ours.block(13)])
          assert.deepEqual((await store.state()).done, [{ from: 9, to: 13 }])
        })
    })
  })
})

test('blocks of another router are refused, and those of a version that named no router continued', async () => {
  await inFolder(async (folder) => {
    const [first, second, third] = blocksOf(syntheticChain(3), 1, 3)
    for (const kind of await databaseKinds(folder)) {
      const database = await kind.newDatabase()
      const add = async (decoder: string, block: IndexedBlock) => {
        const store = await openAt(database, { ...kind, decoder })
        try {
          await store.commitBlocks(await store.lead(), [block])
          return (await store.state()).decoder
        } finally {
          await store.close()
        }
      }
      assert.equal(await add('decoder-1', first!), 'decoder-1')
      assert.equal(await add('decoder-1 demo1a', second!), 'decoder-1 demo1a')
      for (const other of ['decoder-1 demo1b', 'decoder-1'])
        await assert.rejects(add(other, third!), { kind: 'decoder', message: /another router/ })
    }
  })
})

describe.runIf(LONG)('rebuilding the history', () => {
  longTest('is required by another decoder, and keeps the original prices', async () => {
    await inFolder(async (folder) => {
      const blocks = blocksOf(syntheticChain(3), 1, 12)
      for (const kind of await databaseKinds(folder)) {
        const database = await kind.newDatabase()
        const old = await openAt(database, { driver: kind.driver, decoder: 'decoder-0' })
        await old.commitBlocks(await old.lead(), blocks)
        await old.close()

        const store = await openAt(database, kind)
        const leadership = await store.lead()
        const { current, decoder } = await store.state()
        assert.deepEqual({ current, decoder }, { current: false, decoder: 'decoder-0' })
        assert.ok((await store.page({ by: 'latest' }, { page: 1, limit: 5 })).total > 0)
        const [first] = blocks
        await assert.rejects(store.commitBlocks(leadership, [first as IndexedBlock]), {
          code: 'NOT_READY',
          kind: 'decoder',
          hint: /swap history --reindex/,
        })

        const priced = blocks.find(({ prices }) => prices.size > 0) as IndexedBlock
        await store.reindex(leadership, { prices: true })
        const state = await store.state()
        assert.deepEqual([state.swaps, state.done, state.decoder], [0, [], DECODER])
        assert.deepEqual(await store.prices(priced.height), priced.prices)
        assert.equal(await store.prices(999), undefined)
        // The prices that a node has today for an old block are not used.
        const dearer = blocks.map((block) => ({ ...block, prices: new Map() }))
        await store.commitBlocks(leadership, dearer)
        assert.deepEqual(await store.prices(priced.height), priced.prices)
        await store.close()
        const clean = await filled(kind, (fresh, lead) => fresh.commitBlocks(lead, blocks))
        assert.equal(await contentsOf(database, kind.driver), clean)
      }
    })
  })
})

describe('the gaps of the history', () => {
  test('are the heights that are neither indexed nor pruned', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder))
        await filled(kind, async (store, leadership) => {
          const chain = syntheticChain(1)
          await store.commitBlocks(leadership, [...blocksOf(chain, 8, 9), chain.block(12)])
          await store.notePruned(leadership, { from: 1, to: 4 })
          await store.notePruned(leadership, { from: 1, to: 3 })
          assert.deepEqual(await store.gaps({ from: 1, to: 14 }), [
            { from: 5, to: 7 },
            { from: 10, to: 11 },
            { from: 13, to: 14 },
          ])
          assert.deepEqual((await store.state()).pruned, [{ from: 1, to: 4 }])
          const missing = async () => {
            const { indexed } = await store.page({ by: 'latest' }, { page: 1, limit: 1 })
            const top = await store.top('1d', { page: 1, limit: 1 })
            assert.equal(top.missing, indexed?.missing)
            return top.missing
          }
          // 1 to 7, 10 and 11.
          assert.equal(await missing(), 9)
          await store.forgetPruned(leadership)
          assert.equal(await missing(), 2)
          assert.deepEqual((await store.gaps({ from: 1, to: 9 }))[0], { from: 1, to: 7 })
        })
    })
  })
})
