import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Market } from '../../../src/engine/market/market.js'
import { chooseSlippage } from '../../../src/operations/slippage/choose-slippage.js'
import {
  driftOf,
  nearestRank,
  payoutAlong,
  payouts,
} from '../../../src/operations/slippage/replay-path.js'
import { smallMarket } from '../../support/small-market.js'

/** A market of one pair with one order at a price, at a height. */
const at = (height: number, price: string | undefined): Market => ({
  ...smallMarket(price === undefined ? {} : { 'a/b': { base: [{ price, total: '1000000000' }] } }, {
    dialect: 'forward',
  }),
  height,
})
const callOf = (amount: bigint) => ({ pairs: ['a/b'], input: { denom: 'b', amount } })
const call = callOf(100_000_000n)
const legs = [payouts(call)]
const quote = { legs, chainId: 'small-1', height: 300, configuredBps: 50, thinnest: null }
const choose = (markets: readonly Market[], quantileBps = 9_900, more = {}) =>
  chooseSlippage({ markets, quantileBps }, { ...quote, ...more })

/** 201 blocks at price 1, the price of each hundredth raised. */
const blocks = (price: string | undefined) =>
  Array.from({ length: 201 }, (_, i) => at(i + 1, i % 100 === 99 ? price : '1'))

describe('drifts', () => {
  test('count hundredths of a basis point of the quote, rounded up', () => {
    assert.equal(driftOf(1_000_000n, 1_000_000n), 0)
    assert.equal(driftOf(1_000_000n, 999_900n), 100)
    assert.equal(driftOf(3_000_000n, 2_999_999n), 1)
    assert.equal(driftOf(3_000_000n, 3_000_001n), 0)
    assert.equal(driftOf(1_000_000n, 1_000_100n), -100)
    assert.equal(driftOf(5n, undefined), Number.POSITIVE_INFINITY)
  })

  test('have quantiles by nearest rank', () => {
    const sorted = Float64Array.of(1, 2, 3, 4)
    assert.deepEqual(
      [2_500, 2_501, 5_000, 9_900, 10_000].map((q) => nearestRank(sorted, q)),
      [1, 2, 2, 4, 4],
    )
  })
})

describe('the slippage of recorded blocks', () => {
  test('is the smallest that lets the covered share of executions pass', async () => {
    const markets = blocks('1.002')
    const all = await choose(markets, 10_000)
    assert.equal(payoutAlong(markets[99]!, call), 99_800_399n)
    // 6 of 597 executions fall on a block with the raised price: 19.97 bps less.
    assert.equal(all.bps, 20)
    assert.equal(all.source, 'recorded')
    assert.deepEqual(all.evidence, {
      blocks: 200,
      from_height: 1,
      to_height: 201,
      executions: 597,
      failed: 0,
      refused: 0,
      quantile_bps: 10_000,
      move_bps: 19.97,
    })
    assert.match(
      all.reason,
      /^0\.2 % \(20 bps\): refuses 0 of 597 .* 200 recorded quotes; 100 % of them were at most 0\.1997 %/,
    )
    assert.equal((await choose(markets, 9_900)).bps, 20)
    assert.equal((await choose(markets, 9_890)).bps, 1)
  })

  test('is at least one basis point and never above the configured one', async () => {
    assert.equal((await choose(blocks('1'))).bps, 1)
    const limited = await choose(blocks('1.02'), 10_000)
    assert.deepEqual([limited.source, limited.bps], ['limited', 50])
    assert.match(limited.reason, /^0\.5 % \(50 bps\) as configured: .* were at most 1\.9608 %/)
  })

  test('counts executions that fail at any slippage as the worst', async () => {
    const choice = await choose(blocks(undefined), 9_900)
    assert.equal(choice.evidence?.failed, 6)
    assert.equal(choice.evidence?.move_bps, null)
    assert.deepEqual([choice.source, choice.bps], ['limited', 50])
    assert.equal((await choose(blocks(undefined), 9_890)).bps, 1)
  })

  test('is the configured one where too few blocks of the chain were recorded', async () => {
    for (const choice of [
      await choose(blocks('1').slice(0, 100)),
      await choose(blocks('1').slice(0, 100), 9_900, { height: 1_100 }),
      await choose(blocks('1'), 9_900, { height: 100 }),
      await choose(blocks('1'), 9_900, { chainId: 'other-1' }),
      await choose([], 9_900, { height: 5_000 }),
      await choose(blocks('1'), 9_900, { legs: [] }),
      await choose(blocks('1'), 9_900, { legs: [() => 0n] }),
      await chooseSlippage(undefined, quote),
      await choose(Array.from({ length: 300 }, (_, i) => at(10 * i, '1'))),
    ]) {
      assert.deepEqual([choice.source, choice.bps, choice.evidence], ['configured', 50, null])
      assert.match(choice.reason, /^0\.5 % \(50 bps\) as configured: \d+ of at least 100/)
    }
    assert.equal((await choose(blocks('1').slice(0, 101))).source, 'recorded')
  })

  test('is the configured one where the newest recorded block is more than 1,000 blocks old', async () => {
    const markets = blocks('1.002')
    assert.equal((await choose(markets, 10_000, { height: 1_201 })).source, 'recorded')
    const { source, bps, reason } = await choose(markets, 10_000, { height: 1_202 })
    assert.deepEqual([source, bps], ['configured', 50])
    assert.match(reason, /newest recorded block is 1,001 blocks older than the quote/)
  })

  test('does not count what was recorded before a gap of more than 1,000 blocks', async () => {
    const markets = blocks('1.002')
    const later = (by: number) =>
      markets.map((market) => ({ ...market, height: market.height + by }))
    const choose201 = (by: number) =>
      choose([...markets, ...later(by)], 10_000, { height: by + 201 })
    assert.equal((await choose201(1_200)).evidence?.blocks, 400)
    const { evidence } = await choose201(1_201)
    assert.deepEqual([evidence?.blocks, evidence?.from_height], [200, 1_202])
  })

  test('is chosen a block at a time, so that a service can answer others meanwhile', async () => {
    let turns = 0
    const turn = async () => void (turns += 1)
    const markets = blocks('1')
    await chooseSlippage(
      { markets, quantileBps: 9_900, turn },
      { ...quote, legs: [payouts(call), payouts(call)] },
    )
    assert.equal(turns, 2 * markets.length)
  })

  test('is that of the worst leg', async () => {
    const [moving, still] = [payouts(call), () => 100_000_000n]
    for (const both of [
      [moving, still],
      [still, moving],
    ])
      assert.equal((await choose(blocks('1.002'), 9_950, { legs: both })).bps, 20)
    const two = [...legs, payouts(callOf(2_000_000_000n))]
    assert.equal((await choose(blocks('1'), 9_900, { legs: two })).source, 'configured')
  })
})
