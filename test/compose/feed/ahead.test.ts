import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { type NetworkWatch, watchNetwork } from '../../../src/compose/feed/network-watch.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import type { NodeServer } from '../../../src/demo-chain/node/server.js'
import { correctNode, type FaultyNode, faultyNode } from '../../chain/rpc/stage.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { nodeAhead } from './ahead.js'

let chain: EmbeddedChain
let honest: FaultyNode
beforeEach(async () => {
  chain = chainOf({ seed: 5 }, majorPairs)
  grow(chain, 4)
  honest = await faultyNode(chain)
})

const watchOf = (...nodes: readonly NodeServer[]): NetworkWatch =>
  closing(
    watchNetwork(
      { ...demo, rpc: nodes.map(({ rpc }) => rpc), rest: [honest.rest] },
      { timeoutMs: 8_000, blockTimeMs: 1_000 },
    ),
  )

/** The results of polls, a block after each: heights of markets relative to the chain, or `disputed`. */
async function polled(watch: NetworkWatch): Promise<readonly (number | string)[]> {
  const results: (number | string)[] = []
  for (let block = 0; block < 4; block += 1) {
    const result = await watch.poll(undefined)
    if (result === undefined) throw new Error('the poll has no result')
    if ('market' in result) results.push(result.market.height - chain.height)
    else results.push('disputed' in result ? 'disputed' : 'behind')
    grow(chain, 1)
  }
  return results
}

const lies = { kind: 'lying-book', n: 50 } as const

describe('of two nodes one that lags behind the other', () => {
  const watchBehind = async (by: number) => watchOf(honest, await nodeAhead(chain, by))

  test('by as many blocks as are made in six seconds holds the market back', async () => {
    assert.deepEqual(await polled(await watchBehind(6)), [0, 0, 0, 0])
  })

  test('by more is not published, since either of them may be wrong', async () => {
    const watch = await watchBehind(7)
    assert.deepEqual(await polled(watch), Array(4).fill('disputed'))
    const result = await watch.poll(undefined)
    assert.match(
      result !== undefined && 'disputed' in result ? result.disputed : '',
      /^http:\S+ is at block (\d+), http:\S+ is at block (\d+)$/,
    )
  })

  test('by more is reported with the heights of these two alone', async () => {
    const other = closing(await correctNode(1_000, 'other-1'))
    const rpc = [honest.rpc, (await nodeAhead(chain, 7)).rpc, other.url, 'http://127.0.0.1:1']
    const watch = closing(
      watchNetwork({ ...demo, rpc, rest: [] }, { timeoutMs: 8_000, blockTimeMs: 1_000 }),
    )
    assert.deepEqual(await watch.poll(undefined), {
      disputed: `${rpc[0]} is at block ${chain.height}, ${rpc[1]} is at block ${chain.height + 7}`,
    })
  })

  test('by a few after a higher block was published makes no height go back', async () => {
    const watch = await watchBehind(3)
    assert.deepEqual(await watch.poll(chain.height + 2), { behind: chain.height })
  })
})

describe('of two nodes one that reports a greater height than the other', () => {
  for (const by of [1, 3, 1_000_000])
    test(`by ${by} blocks publishes no book that the other one does not have`, async () => {
      const falsifying = await nodeAhead(chain, by, lies)
      assert.deepEqual(new Set(await polled(watchOf(honest, falsifying))), new Set(['disputed']))
    })

  test('is read at the height of the other one where it tells the truth', async () => {
    assert.deepEqual(await polled(watchOf(honest, await nodeAhead(chain, 3))), [0, 0, 0, 0])
  })

  test('is read at its own height where the other one does not answer', async () => {
    honest.fail({ kind: 'refuse' })
    assert.deepEqual(await polled(watchOf(honest, await nodeAhead(chain, 3))), [3, 3, 3, 3])
  })
})
