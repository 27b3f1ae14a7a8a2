import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { directOrder } from '../../../src/operations/route/direct-order.js'
import { route } from '../../../src/operations/route/route.js'
import { smallMarket } from '../../support/small-market.js'

const market = smallMarket(
  {
    'a/b': {
      base: [{ price: '0.5057', total: '1000000' }],
      quote: [{ price: '0.5037', total: '1000000' }],
    },
  },
  { dialect: 'forward' },
)
const priceOf = (denom: string, output: string, slippageBps: number) =>
  directOrder(market, { denom, amount: 10_000n }, output, { slippageBps, routeOutput: 1n })?.price

describe('the order beside a route', () => {
  test('has the limit of an immediate order: the last rate taken less the slippage, on the tick and no worse', () => {
    // 0.5037 · 0.995 = 0.5011815, 0.5057 / 0.995 = 0.50824...
    assert.equal(priceOf('a', 'b', 50), '0.501182')
    assert.equal(priceOf('b', 'a', 50), '0.508241')
    assert.equal(priceOf('a', 'b', 0), '0.5037')
  })

  test('is null where the book of the pair aborts, whatever the route takes', () => {
    const bids = [{ price: '0.00005', total: '1000' }]
    const aborting = smallMarket({ 'a/b': { quote: bids } }, { dialect: 'forward' })
    // Within one atomic of the drain, which costs 20,000,000.
    const offer = { denom: 'a', amount: 19_990_000n }
    assert.equal(directOrder(aborting, offer, 'b', { slippageBps: 50, routeOutput: 1n }), null)
  })

  test('is absent unless it is allowed, and null where no order pays more', async () => {
    const context = { openMarket: async () => ({ market, graph: graphOf(market) }) }
    const request = { input: { denom: 'a', amount: '10000' }, output: { denom: 'b' } }
    assert.ok(!('direct' in (await route(context, request))))
    assert.equal((await route(context, { ...request, allow_direct: true })).direct, null)
  })
})
