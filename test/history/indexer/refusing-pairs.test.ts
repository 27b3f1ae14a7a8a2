import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import type { HistoryChain } from '../../../src/history/indexer/indexing.js'
import { contentOf } from '../../../src/history/indexer/read-block.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { stage } from './stage.js'

let real: EmbeddedChain

beforeAll(() => {
  real = chainOf({}, majorPairs)
  grow(real, 10)
})

/** The blocks as the index would store them, with the swaps less their volumes. */
async function read(chain: HistoryChain) {
  const heights = Array.from({ length: 10 }, (_, at) => real.height - at)
  const blocks = await Promise.all(
    heights.map(async (height) =>
      contentOf(chain, async () => undefined, await chain.block(height)),
    ),
  )
  return {
    orders: blocks.flatMap(({ orders }) => orders),
    swaps: blocks.flatMap(({ swaps }) => swaps).map(({ volumeUsd: _, ...swap }) => swap),
    quarantined: blocks.flatMap(({ quarantined }) => quarantined),
  }
}

describe('order messages to pairs that refuse queries', () => {
  test('are indexed with the fees that were read before', async () => {
    const { node, chain } = await stage(real)
    const before = await read(chain)
    assert.ok(before.orders.length > 10)
    assert.deepEqual(before.quarantined, [])
    node.fail({ kind: 'pairs-fail' })
    assert.deepEqual(await read(chain), before)
  })

  test('are kept aside with a true reason if their pair was never read, and not once it answers again', async () => {
    const { node, chain } = await stage(real)
    node.fail({ kind: 'pairs-fail' })
    const { quarantined } = await read(chain)
    assert.ok(quarantined.length > 3)
    // The pairs are looked for once, not for every block that names one of them.
    assert.equal(node.asked.filter((body) => body.includes('ContractsByCode')).length, 1)
    for (const { reason } of quarantined)
      assert.match(reason, /^the denoms of demo1\w+ cannot be read$/)
    node.heal()
    assert.deepEqual((await read(chain)).quarantined, [])
  })
})
