import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decimal, ONE } from '../../../src/engine/math/decimal.js'
import { rational } from '../../../src/engine/math/rational.js'
import type { OperationContext } from '../../../src/operations/context.js'
import { pairs, price } from '../../../src/operations/price/price.js'
import type { DayFigures } from '../../../src/operations/price/price-path.js'
import { documentOf, marketOf, type PairDocument, pairOf } from '../../support/markets.js'

function inside(documents: readonly PairDocument[]): OperationContext {
  const { market, graph } = marketOf(documentOf(documents))
  return { openMarket: async () => ({ market: { ...market, usd: 'd' }, graph }) }
}

/** A pair with one order of 100 atomics on each side. */
const simple = (name: string, base: string, quote: string, [bid, ask]: readonly [string, string]) =>
  pairOf([name, base, quote], { asks: [[ask, '100']], bids: [[bid, '100']] })

const day: DayFigures = {
  from: '2026-05-01T00:00:00.000Z',
  to: '2026-05-02T00:00:00.000Z',
  volumes: new Map([
    ['p', { swaps: 3, traded: new Map([['a', 70n]]), usd: decimal(5n * ONE) }],
    ['r', { swaps: 1, traded: new Map([['c', 9n]]), usd: undefined }],
  ]),
  prices: new Map([['a', rational(16n, 1000n)]]),
}

describe('the price of a token in another', () => {
  test('is that of the pair that trades the two, with depth in dollars', async () => {
    const answer = await price(inside([simple('p', 'a', 'd', ['1.99', '2.01'])]), { base: 'a' })
    const { mid_price, best_bid, best_ask, spread_bps, inverse, price_usd } = answer
    assert.deepEqual([mid_price, best_bid, best_ask], ['2', '1.99', '2.01'])
    assert.deepEqual([spread_bps, inverse], [100, '0.5'])
    const unit = 10 ** answer.quote.decimals
    assert.equal(price_usd, `${(2 * 10 ** answer.base.decimals) / unit}`)
    assert.deepEqual(answer.bid_depth, { denom: 'd', amount: '100', usd: `${100 / unit}` })
    assert.deepEqual(answer.ask_depth, { denom: 'a', amount: '100', usd: `${200 / unit}` })
    assert.deepEqual([answer.path, answer.pairs], [['a', 'd'], ['p']])
    assert.deepEqual([answer.day, answer.volume_24h, answer.change_24h_percent], [null, null, null])
  })
  test('in the base of a pair is the inverse, with bids and asks exchanged', async () => {
    const context = inside([simple('p', 'a', 'd', ['2', '4'])])
    const answer = await price(context, { base: 'd', quote: 'a' })
    assert.deepEqual([answer.best_bid, answer.best_ask], ['0.25', '0.5'])
    assert.equal(answer.mid_price, '0.333333333333333333')
    assert.equal(answer.inverse, '3')
    // The spread is so wide that no order is within 2 %.
    assert.deepEqual(answer.bid_depth, { denom: 'a', amount: '0', usd: '0' })
    assert.deepEqual(answer.ask_depth, { denom: 'd', amount: '0', usd: '0' })
  })
  test('without a direct pair uses the fewest pairs, and of those the narrowest spread', async () => {
    const context = inside([
      simple('p', 'a', 'b', ['1.9', '2.1']),
      simple('q', 'b', 'd', ['3', '3']),
      simple('r', 'a', 'c', ['1.99', '2.01']),
      simple('s', 'd', 'c', ['0.25', '0.25']),
      simple('t', 'c', 'e', ['1', '1']),
    ])
    const answer = await price(context, { base: 'a' })
    assert.deepEqual(
      [answer.path, answer.pairs],
      [
        ['a', 'c', 'd'],
        ['r', 's'],
      ],
    )
    assert.deepEqual([answer.mid_price, answer.best_bid, answer.best_ask], ['8', '7.96', '8.04'])
    assert.deepEqual([answer.bid_depth, answer.ask_depth, answer.volume_24h], [null, null, null])
  })
  test('in dollars over several pairs is its dollar price', async () => {
    // The last pair to `b` is narrower than that to `c`, but both pairs together are wider.
    const context = inside([
      simple('p', 'a', 'b', ['2', '2.02']),
      simple('q', 'b', 'd', ['3', '3.3']),
      simple('r', 'a', 'c', ['2', '2.04']),
      simple('s', 'c', 'd', ['3', '3.02']),
    ])
    const { pairs: over, mid_price, price_usd } = await price(context, { base: 'a' })
    assert.deepEqual([over, mid_price, price_usd], [['r', 's'], '6.0802', '6.0802'])
  })
  test('of a pair with one empty side has the other side alone', async () => {
    const context = inside([pairOf(['p', 'a', 'd'], { bids: [['2', '5']] })])
    const { best_bid, best_ask, mid_price, inverse } = await price(context, { base: 'a' })
    assert.deepEqual([best_bid, best_ask, mid_price, inverse], ['2', null, null, null])
    const turned = await price(context, { base: 'd', quote: 'a' })
    assert.deepEqual([turned.best_bid, turned.best_ask], [null, '0.5'])
  })
  test('is refused for a token in itself, and where no pairs connect the two', async () => {
    const context = inside([simple('p', 'a', 'd', ['1', '1']), simple('q', 'b', 'c', ['1', '1'])])
    await assert.rejects(price(context, { base: 'd' }), {
      code: 'SAME_TOKEN',
      hint: 'name another token: --in <token>',
    })
    await assert.rejects(price(context, { base: 'a', quote: 'b' }), { code: 'NO_ROUTE' })
    const { market, graph } = marketOf(documentOf([simple('p', 'a', 'd', ['1', '1'])]))
    const bare = { openMarket: async () => ({ market: { ...market, usd: undefined }, graph }) }
    await assert.rejects(price(bare, { base: 'a' }), { code: 'INVALID_REQUEST' })
  })
  test('has the volume and the change of the last day in the index', async () => {
    const context = inside([simple('p', 'a', 'd', ['2', '2'])])
    const { market } = await context.openMarket()
    const unit = 10n ** BigInt(market.tokens.get('d')!.decimals)
    const before = { ...day, prices: new Map([['a', rational(16n, 10n * unit)]]) }
    const answer = await price(context, { base: 'a' }, async (time) => {
      assert.equal(time, market.time)
      return before
    })
    assert.deepEqual(answer.day, { from: day.from, to: day.to })
    assert.deepEqual(answer.volume_24h, { swaps: 3, denom: 'a', amount: '70', usd: '5' })
    assert.equal(answer.change_24h_percent, 25)
    const inverse = await price(context, { base: 'd', quote: 'a' }, async () => before)
    assert.equal(inverse.change_24h_percent, -20)
    const without = { ...day, prices: new Map() }
    const unknown = await price(context, { base: 'a' }, async () => without)
    assert.equal(unknown.change_24h_percent, null)
  })
})

describe('the list of pairs', () => {
  const context = inside([
    simple('p', 'a', 'd', ['2', '2']),
    simple('q', 'd', 'b', ['1', '1']),
    simple('r', 'c', 'a', ['1', '1']),
    pairOf(['s', 'b', 'c'], { asks: [['1', '5']] }),
  ])
  test('is sorted by liquidity, then by address', async () => {
    const answer = await pairs(context, {}, async () => day)
    assert.deepEqual(
      answer.pairs.map(({ address }) => address),
      ['r', 'p', 'q', 's'],
    )
    const volumes = answer.pairs.map(({ volume_24h }) => volume_24h)
    assert.deepEqual(volumes[0], { swaps: 1, denom: 'c', amount: '9', usd: null })
    assert.deepEqual(volumes[2], { swaps: 0, denom: 'd', amount: '0', usd: '0' })
  })
  test('of a token has the pairs that trade it', async () => {
    const answer = await pairs(context, { token: 'a' })
    assert.deepEqual(
      answer.pairs.map(({ address, volume_24h }) => [address, volume_24h]),
      [
        ['r', null],
        ['p', null],
      ],
    )
  })
})
