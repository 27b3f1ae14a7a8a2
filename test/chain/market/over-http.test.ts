import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { demo } from '../../../src/chain/networks/demo.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { SwapError } from '../../../src/engine/errors.js'
import { simulateBook } from '../../../src/engine/market/book.js'
import type { Market } from '../../../src/engine/market/market.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { firstRows } from '../../support/long.js'
import { CHAIN_ID, type FaultyNode, faultyNode, noPauses, openSource } from '../rpc/stage.js'
import { asData, ownMarket } from './as-data.js'

let chain: EmbeddedChain
let expectedMarket: Market
let node: FaultyNode

const live = (blocks: number): void => {
  grow(chain, blocks)
  expectedMarket = ownMarket(chain)
}

beforeEach(async () => {
  chain = chainOf({ seed: 13 }, majorPairs)
  live(6)
  node = await faultyNode(chain)
})

const reading = () =>
  marketReader(
    demo,
    closing(
      openSource({ chainId: CHAIN_ID, rpc: [node.rpc], deadlineMs: 20_000, limits: noPauses }),
    ),
  )

/** Asserts that every number marked as exact is the chain's own. @returns the pairs that are exact */
function checked(market: Market): number {
  let exact = 0
  for (const [address, book] of market.books) {
    const real = expectedMarket.books.get(address)
    assert.ok(real, address)
    if (book.state.exact) exact += 1
    for (const denom of [book.state.pair.base, book.state.pair.quote])
      for (let amount = 1_000n; amount < 10n ** 15n; amount *= 977n) {
        const computed = simulateBook(book, { denom, amount })
        if (!isRefusal(computed) && computed.exact)
          assert.deepEqual(computed, simulateBook(real, { denom, amount }))
      }
  }
  return exact
}

describe('reading a market over HTTP', () => {
  test('gives the state of the chain itself', async () => {
    assert.deepEqual(asData(await reading().read()), asData(expectedMarket))
  })

  test('works with a node that only accepts one query at a time', async () => {
    node.fail({ kind: 'batch-cap', n: 1 })
    assert.deepEqual(asData(await reading().read()), asData(expectedMarket))
  })

  test('excludes only the pair whose queries fail', async () => {
    const [pair = ''] = expectedMarket.books.keys()
    node.fail({ kind: 'pair-fails', pair })
    const market = await reading().read()
    assert.equal(market.books.size, expectedMarket.books.size - 1)
    assert.ok(market.excluded.some(({ address }) => address === pair))
    assert.equal(checked(market), market.books.size)
  })

  test('excludes only the pair whose book is malformed, although its storage is sound', async () => {
    const [pair = ''] = expectedMarket.books.keys()
    node.fail({ kind: 'bad-book', pair })
    const reader = reading()
    const market = await reader.read()
    assert.equal(market.books.size, expectedMarket.books.size - 1)
    assert.match(market.excluded.find(({ address }) => address === pair)?.reason ?? '', /book/)
    node.heal()
    live(10)
    assert.deepEqual(asData(await reader.read()), asData(expectedMarket))
  })

  test('detects within ten heights a book that becomes malformed later', async () => {
    const [pair = ''] = expectedMarket.books.keys()
    const reader = reading()
    await reader.read()
    node.fail({ kind: 'bad-book', pair })
    live(10)
    assert.equal((await reader.read()).books.has(pair), false)
  })

  const kinds = [
    'lying-book',
    'pairs-fail',
    'mixed-heights',
    'out-of-gas',
    'bad-book',
    'pruned',
    'behind',
  ]
  for (const kind of firstRows(kinds))
    test(`under the fault ${kind} gives exact numbers, estimates or no market`, async () => {
      node.fail({ kind })
      const reader = reading()
      try {
        const market = await reader.read()
        if (market.height === expectedMarket.height) checked(market)
      } catch (error) {
        assert.ok(error instanceof SwapError, String(error))
        assert.match(error.code, /^UPSTREAM_/)
      }
      node.heal()
      live(10)
      assert.deepEqual(asData(await reader.read()), asData(expectedMarket))
    })

  test('makes a pair an estimate whose simulations are wrong', async () => {
    const [pair = ''] = expectedMarket.books.keys()
    node.fail({ kind: 'lying-book', pair })
    const reader = reading()
    const market = await reader.read()
    assert.notEqual(market.books.get(pair)?.state.exact, true)
    for (const [address, { state }] of market.books)
      if (address !== pair) assert.equal(state.exact, true)
  })
})
