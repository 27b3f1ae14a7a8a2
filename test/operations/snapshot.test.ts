import assert from 'node:assert/strict'
import { test } from 'vitest'
import { snapshot } from '../../src/operations/book/snapshot-summary.js'
import type { OperationContext } from '../../src/operations/context.js'
import { tokens } from '../../src/operations/tokens/tokens.js'
import { graph, market } from '../support/demo-market.js'
import { drawMarket } from '../support/drawn-market.js'
import { type Drawn, documentOf, marketOf, pairOf, seeds } from '../support/markets.js'

const inside = ({ market, graph }: Pick<Drawn, 'market' | 'graph'>): OperationContext => ({
  openMarket: async () => ({ market, graph }),
})

test('the summary of a pair has the depth of both sides within 2 % of the mid price', async () => {
  const asks = [
    ['1.01', '50'],
    ['1.02', '7'],
    ['1.03', '9'],
  ] as const
  const bids = [
    ['0.99', '40'],
    ['0.98', '5'],
    ['0.97', '3'],
  ] as const
  const { pairs } = await snapshot(
    inside(marketOf(documentOf([pairOf(['p', 'a', 'b'], { asks, bids })]))),
  )
  assert.deepEqual(pairs, [
    {
      address: 'p',
      base: 'a',
      quote: 'b',
      fin_version: '1.1.0',
      makers: 0,
      best_bid: '0.99',
      best_ask: '1.01',
      mid_price: '1',
      spread_bps: 200,
      bid_depth: { denom: 'b', amount: '45' },
      ask_depth: { denom: 'a', amount: '57' },
      exact: true,
    },
  ])
})

test('the summary of a pair with an empty side has no mid price, no spread and no depth', async () => {
  const drawn = marketOf(documentOf([pairOf(['p', 'a', 'b'], { bids: [['1', '5']] })]))
  const [pair] = (await snapshot(inside(drawn))).pairs
  assert.deepEqual([pair!.best_bid, pair!.best_ask, pair!.mid_price], ['1', null, null])
  assert.deepEqual([pair!.spread_bps, pair!.bid_depth, pair!.ask_depth], [null, null, null])
})

test('the summary of a pair is available although the contract aborts at a level behind the best', async () => {
  const quote = [
    { price: '0.995', size: '5' },
    { price: '0.99', size: '9'.repeat(38) },
  ]
  const makers = [{ address: 'm', levels: { base: [], quote } }]
  const pair = pairOf(['p', 'a', 'b'], { asks: [['1.01', '50']], bids: [['1', '5']] }, { makers })
  assert.equal((await snapshot(inside(marketOf(documentOf([pair]))))).pairs.length, 1)
})

test('the tokens of the demo market are those that some open book trades', async () => {
  const answer = await tokens(inside({ market, graph }))
  assert.equal(answer.tokens.length, 32)
  for (const token of answer.tokens) {
    const traded = [...market.books.values()].filter(({ state }) =>
      [state.pair.base, state.pair.quote].includes(token.denom),
    )
    assert.equal(token.pairs, traded.length)
    assert.match(`${token.price_usd}`, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
  }
})

test('every generated market lists its tokens, with or without a price', async () => {
  for (const seed of seeds(40)) {
    const drawn = drawMarket(seed)
    const answer = await tokens(inside(drawn))
    assert.deepEqual(
      answer.tokens.map((token) => token.denom).sort(),
      [...drawn.graph.denoms],
      `seed ${seed}`,
    )
  }
})
