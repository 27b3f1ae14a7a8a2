import assert from 'node:assert/strict'
import { test } from 'vitest'
import { parseDecimal } from '../../../src/engine/math/decimal.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { route } from '../../../src/operations/route/route.js'
import { sroute } from '../../../src/operations/split/split.js'
import { market } from '../../support/demo-market.js'
import { swap } from './asking.js'

test('an answer has the fee of the network where gas has a price', async () => {
  const price = { denom: 'rune', amount: parseDecimal('0.025')! }
  const priced = { ...market, gas: { ...market.gas, price } }
  const context = { openMarket: async () => ({ market: priced, graph: graphOf(priced) }) }
  const request = { ...swap, input: { ...swap.input, split_step: 5 } }
  for (const { routes } of [await route(context, swap), await sroute(context, request)])
    for (const { gas_estimate, network_fee, network_fee_usd } of routes) {
      // 1.4 times the gas is asked for, at a fortieth of an atomic each.
      const wanted = (BigInt(gas_estimate) * 14n + 9n) / 10n
      assert.deepEqual(network_fee, { denom: 'rune', amount: `${(wanted + 39n) / 40n}` })
      assert.match(network_fee_usd ?? '', /^0\.\d+$/)
    }
})
