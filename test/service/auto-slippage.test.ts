import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { graphOf } from '../../src/engine/routing/graph.js'
import type { ContractClient } from '../../src/service/answers/contract-limiter.js'
import { recentMarkets } from '../../src/service/feed/recent-markets.js'
import { body, demoMarket, post, type Staged, stage, threadless } from './stage.js'
import { steppedFeed } from './stepped.js'

const graph = graphOf(demoMarket)
const stepped = () => steppedFeed(1, (height) => ({ market: { ...demoMarket, height }, graph }))

const { feed, step } = stepped()
let service: Staged
beforeAll(async () => {
  const autoSlippage = { blocks: 300, quantileBps: 9_900 }
  service = await stage({ feed, pool: threadless(), autoSlippage })
})

const ask = async (url: string, more = {}) => {
  const { body: text } = await service.server.inject(
    post(url, { ...body(), slippage: 'auto', ...more }),
  )
  return JSON.parse(text)
}

describe('slippage: "auto" over HTTP', () => {
  test('is the one of slippage_bps until enough blocks were served', async () => {
    for (const url of ['/swap/route', '/swap/sroute']) {
      const { slippage, slippage_bps } = await ask(url, { slippage_bps: 30 })
      assert.deepEqual([slippage.source, slippage.bps, slippage_bps], ['configured', 30, 30])
      assert.match(slippage.reason, /0 of at least 100 recorded blocks/)
    }
  })

  test('is chosen from the served blocks, for routes and for splits of a worker', async () => {
    for (let height = 2; height <= 120; height++) step(height)
    for (const url of ['/swap/route', '/swap/sroute']) {
      const { slippage, slippage_bps, routes } = await ask(url)
      assert.deepEqual([slippage.source, slippage.bps, slippage_bps], ['recorded', 1, 1])
      assert.deepEqual([slippage.evidence.from_height, slippage.evidence.to_height], [1, 120])
      const legs = routes[0].legs ?? [routes[0]]
      const depths = legs.flatMap(({ hops }: { hops: { depth_used_percent: number }[] }) =>
        hops.map((hop) => hop.depth_used_percent),
      )
      assert.ok(depths.length > 1)
      assert.equal(slippage.thinnest.depth_used_percent, Math.max(...depths))
      const [leg] = legs
      const least = (BigInt(leg.expected_output) * 9_999n) / 10_000n
      assert.equal(leg.min_return, `${least}`)
    }
  })

  test('is charged once where it asks the chain for both of its quotes', async () => {
    const recorded = Array.from({ length: 120 }, (_, i) => ({ ...demoMarket, height: i + 1 }))
    const contracts: ContractClient = {
      within: () => ({
        ownerOrders: async () => [],
        simulations: async (questions) =>
          questions.map(() => ({ kind: 'unknown' as const, why: 'no gas' })),
      }),
      close() {},
    }
    const autoSlippage = { blocks: 300, quantileBps: 9_900, recorded }
    // One heavy request at once, and the next after ten seconds.
    const limited = await stage({ contracts, rate: 0.4, autoSlippage })
    const request = { ...body(), slippage: 'auto', verify: true }
    const { statusCode, payload } = await limited.server.inject(post('/swap/route', request))
    assert.equal(statusCode, 200, payload.slice(0, 300))
    const { slippage, verify } = JSON.parse(payload)
    assert.deepEqual([slippage.source, verify.agrees], ['recorded', null])
    await limited.end()
  })

  test('is refused with any other word', async () => {
    assert.equal((await ask('/swap/route', { slippage: 'best' })).code, 'INVALID_REQUEST')
  })
})

describe('the recent markets of a feed', () => {
  test('are the last ones in order, and restart when the chain rolls back', () => {
    const { feed: source, step: next } = stepped()
    const recent = recentMarkets(source, 3)
    const heights = () => recent().map(({ height }) => height)
    assert.deepEqual(heights(), [1])
    for (const height of [2, 3, 4, 6]) next(height)
    assert.deepEqual(heights(), [3, 4, 6])
    next(2)
    assert.deepEqual(heights(), [2])
  })

  test('follow those that were recorded before, and take their place at the same height', () => {
    const { feed: source, step: next } = stepped()
    const before = [-1, 0, 1].map((height) => ({ ...demoMarket, height }))
    const recent = recentMarkets(source, 3, before)
    const heights = () => recent().map(({ height }) => height)
    assert.deepEqual(heights(), [-1, 0, 1])
    assert.notEqual(recent()[2], before[2])
    next(2)
    assert.deepEqual(heights(), [0, 1, 2])
  })
})
