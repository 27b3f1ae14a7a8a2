import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import type { HistoryChain } from '../../../src/history/indexer/indexing.js'
import { sync } from '../../../src/history/indexer/sync.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { everything, type Staged, stage } from './stage.js'

let real: EmbeddedChain

beforeAll(() => {
  real = chainOf({}, majorPairs)
  grow(real, 14)
})

async function run({ chain, store }: Pick<Staged, 'chain' | 'store'>) {
  const leadership = await store.lead()
  const { signal } = new AbortController()
  const options = { chain, store, leadership, signal, progress: () => {}, failed: () => {} }
  return sync(options).finally(() => leadership.release())
}

/** Its swaps are those of an index without gaps. */
async function requireWhole({ store }: Staged) {
  const { swaps } = await run(await stage(real))
  assert.equal((await everything(store)).length, swaps)
}

describe('indexing from a node', () => {
  test('that has pruned blocks reports which are missing, and indexes them from a node that has them', async () => {
    const staged = await stage(real)
    staged.node.fail({ kind: 'pruned', n: 10 })
    const { pruned, complete, done } = await run(staged)
    assert.deepEqual([done, complete], [10, true])
    assert.deepEqual(pruned, [{ from: real.earliest, to: real.height - 10 }])
    assert.deepEqual((await staged.store.state()).pruned, pruned)
    staged.node.heal()
    const healed = await run(staged)
    assert.deepEqual([healed.pruned, healed.complete], [[], true])
    await requireWhole(staged)
  })

  test('that never gives one block stops at no other, reports it, and indexes it once it is given', async () => {
    const staged = await stage(real)
    const height = real.earliest + 3
    const gap = { from: height, to: height }
    staged.node.lost.add(height)
    for (const pruned of [[gap], []]) {
      const result = await run(staged)
      assert.deepEqual([result.pruned, result.complete], [pruned, true])
      assert.deepEqual((await staged.store.state()).pruned, [gap])
      assert.deepEqual((await staged.store.state()).done, [
        { from: real.earliest, to: height - 1 },
        { from: height + 1, to: real.height },
      ])
    }
    staged.node.lost.clear()
    assert.deepEqual((await run(staged)).done, 1)
    assert.deepEqual((await staged.store.state()).pruned, [])
    await requireWhole(staged)
  })

  test('that does not give the newest block stops at no older one', async () => {
    const long = chainOf({ life: false }, majorPairs)
    grow(long, 40)
    const staged = await stage(long)
    staged.node.lost.add(long.height)
    await assert.rejects(run(staged), /has no block \d+ yet/)
    assert.deepEqual((await staged.store.state()).done, [
      { from: long.earliest, to: long.height - 1 },
    ])
  })

  test('that is the only one with old blocks, and gives no answer for a moment, is asked again at the end', async () => {
    const staged = await stage(real)
    let reads = 0
    const chain: HistoryChain = {
      ...staged.chain,
      earliest: async () =>
        ++reads === 1
          ? { height: real.height - 2, silent: ['http://old'] }
          : staged.chain.earliest(),
    }
    const { pruned, done } = await run({ ...staged, chain })
    assert.deepEqual([pruned, done], [[], real.height - real.earliest + 1])
  })
})
