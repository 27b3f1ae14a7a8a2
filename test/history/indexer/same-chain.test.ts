import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import type { HistoryChain } from '../../../src/history/indexer/indexing.js'
import { isSameChain } from '../../../src/history/indexer/same-chain.js'
import { restartIndex, sync } from '../../../src/history/indexer/sync.js'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { everything, keyOf, stage } from './stage.js'

const quietly = { progress: () => {}, failed: () => {}, signal: new AbortController().signal }

async function synced(chain: HistoryChain, store: HistoryStore): Promise<void> {
  const leadership = await store.lead()
  try {
    await sync({ chain, store, leadership, ...quietly })
  } finally {
    await leadership.release()
  }
}

/** A chain of so many blocks. */
function chainOfHeight(seed: number, blocks: number): EmbeddedChain {
  const chain = chainOf({ seed }, majorPairs)
  grow(chain, blocks)
  return chain
}

const real = chainOfHeight(1, 10)
const ahead = chainOfHeight(5, 30)
const behind = chainOfHeight(5, 6)

/** A chain that was indexed, and one that was started again with the same id. */
async function reset(other: EmbeddedChain) {
  const { chain, store } = await stage(real)
  await synced(chain, store)
  return { chain, store, other: (await stage(other)).chain }
}

describe('a chain that was reset under the same id', () => {
  for (const [title, chain] of [
    ['far ahead of the index', ahead],
    ['behind the index', behind],
  ] as const)
    test(`is refused while it is ${title}, before a block of it is written`, async () => {
      const { store, other } = await reset(chain)
      const before = (await everything(store)).map(keyOf)
      const { done } = await store.state()
      await assert.rejects(synced(other, store), (error: { code?: string; hint?: string }) => {
        assert.equal(error.code, 'UPSTREAM_INVALID_DATA')
        assert.match(error.hint ?? '', /swap history --reindex/)
        return true
      })
      assert.deepEqual((await everything(store)).map(keyOf), before)
      assert.deepEqual((await store.state()).done, done)
    })

  test('is compared if its oldest block is the newest indexed one, and not if that is pruned', async () => {
    const { store, other } = await reset(ahead)
    const from = (height: number) => ({
      ...other,
      earliest: async () => ({ height, silent: [] }),
    })
    assert.equal(await isSameChain(from(real.height), store), false)
    assert.equal(await isSameChain(from(real.height + 1), store), undefined)
  })

  test('is reindexed without the prices of the old one', async () => {
    const { chain, store, other } = await reset(ahead)
    assert.deepEqual(
      [await isSameChain(chain, store), await isSameChain(other, store)],
      [true, false],
    )
    const { height } = (await everything(store)).at(-1)!
    assert.ok((await store.prices(height)) !== undefined)
    const leadership = await store.lead()
    await restartIndex(other, store, leadership)
    await leadership.release()
    assert.equal(await store.prices(height), undefined)
    await synced(other, store)
    assert.equal(await isSameChain(other, store), true)
  })
})
