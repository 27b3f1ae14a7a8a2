import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { graphOf } from '../../src/engine/routing/graph.js'
import { route } from '../../src/operations/route/route.js'
import type { RouteAnswer } from '../../src/operations/route/route-documents.js'
import { sroute } from '../../src/operations/split/split.js'
import { app, btc, denoms, quoted, rune } from '../render/documents.js'
import { smallMarket } from '../support/small-market.js'

type Cost = RouteAnswer['routes'][number]['cost']

const partsOf = (cost: NonNullable<Cost>): readonly number[] => [
  cost.impact_bps,
  cost.venue_fees_bps,
  cost.protocol_fee_bps,
  cost.affiliate_fee_bps,
]

/** In hundredths of a basis point, exactly. */
const hundredths = (bps: number): number => Math.round(bps * 100)

describe('the cost of a quote', () => {
  test('is the distance from the mid price, in parts, and in dollars of the input', async () => {
    const { input_usd, routes } = await quoted()
    const { cost, price, mid_price } = routes[0]!
    assert.deepEqual(cost, {
      cost_bps: 247.89,
      impact_bps: 208.78,
      venue_fees_bps: 29.35,
      protocol_fee_bps: 9.76,
      affiliate_fee_bps: 0,
      cost_usd: '2922.86234570234944',
    })
    assert.ok(Math.abs((1 - Number(price) / Number(mid_price)) * 10_000 - cost!.cost_bps) < 0.006)
    const share = Number(cost!.cost_usd) / Number(input_usd)
    assert.ok(Math.abs(share * 10_000 - cost!.cost_bps) < 0.006)
  })

  test('adds up for single paths and splits of every pair, also with an affiliate', async () => {
    let compared = 0
    for (const from of denoms.slice(0, 8))
      for (const to of denoms.slice(0, 8)) {
        const request = {
          input: { denom: from, amount: '40000000' },
          output: { denom: to },
          affiliate: 'acme',
        }
        const answers = [route(app, request), sroute(app, request)].map((answer) =>
          answer.catch(() => undefined),
        )
        for (const answer of await Promise.all(answers))
          for (const { cost, price_impact_bps } of answer?.routes ?? []) {
            assert.equal(cost === null, price_impact_bps === null)
            if (cost === null) continue
            compared += 1
            const sum = partsOf(cost).reduce((total, part) => total + hundredths(part), 0)
            assert.equal(hundredths(cost.cost_bps), sum)
            assert.ok(Math.abs(cost.impact_bps - price_impact_bps!) < 0.02)
            assert.ok(cost.affiliate_fee_bps > 0 && cost.venue_fees_bps > 0)
          }
      }
    assert.ok(compared > 100, `${compared}`)
  })

  test('of a split with one leg equals that of the single path', async () => {
    const amount = '1000000'
    const request = { input: { denom: btc, amount }, output: { denom: rune } }
    const [single] = (await route(app, request)).routes
    const legs = [{ path: single!.hops.map(({ address }) => address), amount }]
    const [split] = (await sroute(app, { ...request, legs })).routes
    assert.deepEqual(split!.cost, single!.cost)
    assert.equal(split!.expected_output_usd, single!.expected_output_usd)
  })

  test('is rounded half up where the value at the mid price has no end as a decimal', async () => {
    const orders = {
      base: [{ price: '3.2', total: '9000000' }],
      quote: [{ price: '2.8', total: '9000000' }],
    }
    const market = smallMarket({ 'a/b': orders }, { dialect: 'forward', fee_bps: 10 })
    const open = { openMarket: async () => ({ market, graph: graphOf(market) }) }
    const request = { input: { denom: 'b', amount: '2000000' }, output: { denom: 'a' } }
    const { cost } = (await route(open, request)).routes[0]!
    // 624,375 of 666,666.67 are 634.375 bps less.
    assert.equal(cost!.cost_bps, 634.38)
    assert.deepEqual(partsOf(cost!), [625, 0, 9.38, 0])
  })

  test('is unknown over a book with one side only', async () => {
    const orders = { base: [{ price: '2', total: '1000000' }] }
    const market = smallMarket({ 'a/b': orders }, { dialect: 'forward' })
    const open = { openMarket: async () => ({ market, graph: graphOf(market) }) }
    const request = { input: { denom: 'b', amount: '1000' }, output: { denom: 'a' } }
    const { routes, input_usd } = await route(open, request)
    assert.equal(input_usd, null)
    assert.equal(routes[0]!.price_impact_bps, null)
    assert.equal(routes[0]!.cost, null)
  })
})

describe('the tokens listed by a quote', () => {
  test('have symbol, decimals and price in dollars', async () => {
    const { input_token, input_usd, output_token, routes } = await quoted()
    assert.deepEqual(input_token, { symbol: 'BTC', decimals: 8 })
    assert.deepEqual(output_token, { symbol: 'RUNE', decimals: 8 })
    const [best] = routes
    for (const dollars of [input_usd, best!.expected_output_usd, best!.min_return_usd])
      assert.match(dollars!, /^1\d{5}\.\d+$/)
  })
})
