import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { directOrder } from '../../../src/operations/route/direct-order.js'
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

describe('the limit of the order beside a route', () => {
  test('is that of an immediate order: the last rate taken less the slippage, on the tick and no worse', () => {
    // 0.5037 · 0.995 = 0.5011815, 0.5057 / 0.995 = 0.50824...
    assert.equal(priceOf('a', 'b', 50), '0.501182')
    assert.equal(priceOf('b', 'a', 50), '0.508241')
    assert.equal(priceOf('a', 'b', 0), '0.5037')
  })
})
