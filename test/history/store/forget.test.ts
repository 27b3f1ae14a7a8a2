import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { IndexedBlock } from '../../../src/history/store/history-store.js'
import { blocksOf, databaseKinds, filled, inFolder } from '../../support/history.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const DAY_MS = 24 * 3_600_000

// Blocks half a day apart: those of a month are in the leaderboards.
const chain = syntheticChain(7, DAY_MS / 2)
const other = syntheticChain(8, DAY_MS / 2)
const blocks = blocksOf(chain, 1, 80)
const base = blocks.at(-1)!

/**
 * Blocks that link up with `base`, with a sender of their own and events that cannot be read. They are too late, so that
 * they empty the leaderboards; each is as long after the one before as a window is.
 */
const falseBlocks = blocksOf(other, 81, 84).map(
  (block, at): IndexedBlock => ({
    ...block,
    time: new Date(Date.parse(base.time) + (at + 1) * 30 * DAY_MS).toISOString(),
    parentHash: at === 0 ? base.hash : block.parentHash,
    swaps: block.swaps.map((swap) => ({ ...swap, sender: 'demo1other' })),
    quarantined: [{ txIndex: 0, eventIndex: 0, reason: 'unreadable', bytes: Buffer.from([at]) }],
  }),
)
assert.ok(falseBlocks.some(({ swaps }) => swaps.length > 0))

type Split = (blocks: readonly IndexedBlock[]) => readonly (readonly IndexedBlock[])[]
const together: Split = (blocks) => [blocks]
const oneByOne: Split = (blocks) => blocks.map((block) => [block])

describe('forgotten blocks', () => {
  for (const [title, later, split] of [
    ['at the end of the index', [], together],
    ['before a gap', blocksOf(chain, 90, 91), together],
    ['before a gap, added one by one,', blocksOf(chain, 90, 91), oneByOne],
  ] as const)
    test(`${title} leave the tables as if they had never been added`, async () => {
      await inFolder(async (folder) => {
        for (const kind of await databaseKinds(folder)) {
          const clean = await filled(kind, async (store, leadership) => {
            await store.commitBlocks(leadership, [...blocks, ...later])
          })
          const mended = await filled(kind, async (store, leadership) => {
            for (const each of split([...blocks, ...falseBlocks, ...later]))
              await store.commitBlocks(leadership, each)
            await store.forget(leadership, base, 84)
            assert.deepEqual(await store.rebuild(), { count: 1, left: 0 })
          })
          assert.equal(mended, clean, kind.name)
        }
      })
    })
})
