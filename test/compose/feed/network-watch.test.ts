import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { type NetworkWatch, watchNetwork } from '../../../src/compose/feed/network-watch.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import type { Market } from '../../../src/engine/market/market.js'
import type { NodeState } from '../../../src/service/feed/market-feed.js'
import { ownMarket } from '../../chain/market/as-data.js'
import { type FaultyNode, faultyNode } from '../../chain/rpc/stage.js'
import { chainOf, growQuietly, threePairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { longTest } from '../../support/long.js'

let chain: EmbeddedChain
let node: FaultyNode
let first = ''
let pairs: string[] = []
let watch: NetworkWatch
beforeEach(async () => {
  chain = chainOf({ seed: 9 }, threePairs)
  node = await faultyNode(chain)
  ;[first = '', ...pairs] = ownMarket(chain).books.keys()
  const network = { ...demo, rpc: [node.rpc], rest: [node.rest], discovery: { pairs } }
  watch = closing(watchNetwork(network, { timeoutMs: 10_000, blockTimeMs: 200 }))
})

/** The market of a poll that has one. */
async function polled(after?: number): Promise<Market> {
  const result = await watch.poll(after)
  assert.ok(result !== undefined && 'market' in result)
  return result.market
}

/** Whether the first pair is in the market after so many blocks, each of which is polled. */
async function hasFirstAfter(blocks: number): Promise<boolean> {
  let market: Market | undefined
  for (let block = 0; block < blocks; block += 1) {
    growQuietly(chain, 1)
    market = await polled(market?.height)
  }
  return market!.books.has(first)
}

describe('a network that is watched', () => {
  test('has a new pair within two blocks, and drops a removed one', async () => {
    assert.equal(await hasFirstAfter(3), false)
    pairs.unshift(first)
    assert.equal(await hasFirstAfter(2), true)
    pairs.shift()
    assert.equal(await hasFirstAfter(2), false)
  })

  test('has the height and the fault of each of several nodes', async () => {
    const other = await faultyNode(chain)
    growQuietly(chain, 10)
    const network = { ...demo, rpc: [node.rpc, other.rpc], discovery: { pairs } }
    const seen: (readonly NodeState[])[] = []
    const nodes = closing(
      watchNetwork(network, { timeoutMs: 10_000, blockTimeMs: 200 }, (now) => seen.push(now)),
    )
    const good = { node: node.rpc, height: chain.height, fault: undefined }
    await nodes.poll(undefined)
    assert.deepEqual(seen.at(-1), [good, { ...good, node: other.rpc }])
    other.fail({ kind: 'behind', n: 5 })
    await nodes.poll(undefined)
    const fault = `is at block ${chain.height - 5}, 5 behind the best node known`
    const behind = { node: other.rpc, height: chain.height - 5, fault }
    assert.deepEqual(seen.at(-1), [good, behind])
  })

  longTest(
    'has the pairs of a chain that was reset at once, and later ones within two blocks',
    async () => {
      growQuietly(chain, 30)
      const before = await polled()
      node.fail({ kind: 'rollback', n: 20 })
      pairs.unshift(first)
      let after: Market | undefined
      // A height that went back is taken once two looks agree about it.
      for (; after === undefined; await wait(5))
        after = await polled(before.height).catch(() => undefined)
      assert.deepEqual([after.height, after.books.has(first)], [before.height - 20, true])
      pairs.shift()
      assert.equal(await hasFirstAfter(2), false)
    },
  )
})
