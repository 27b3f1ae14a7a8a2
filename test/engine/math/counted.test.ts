import assert from 'node:assert/strict'
import { test } from 'vitest'
import { counted } from '../../../src/engine/math/counted.js'
import { summaries } from '../../../src/mcp/reading-tools.js'

test('a number of things has the plural unless it is one', () => {
  assert.equal(counted(0, 'block'), '0 blocks')
  assert.equal(counted(1, 'block'), '1 block')
  assert.equal(counted(1200, 'block'), '1,200 blocks')
  assert.equal(counted(2, 'query', 'queries'), '2 queries')
})

test('the texts of answers for agents count one thing as one', () => {
  const route = {
    height: 5,
    input: { denom: 'a', amount: '1' },
    output: { denom: 'b' },
    routes: [{ expected_output: '2', min_return: '1', price_impact_bps: 0, path: ['a', 'b'] }],
  }
  const text = (name: string, document: object) => summaries[name]!(document as never)
  assert.match(text('route', route), /; 1 hop, /)
  assert.match(
    text('sroute', { ...route, routes: [{ ...route.routes[0], legs: [{}] }] }),
    /; 1 leg, /,
  )
  assert.match(text('arbs', { opportunities: [{}], height: 5 }), /^1 profitable loop at/)
  const profit = { denom: 'a', amount: '1' }
  assert.match(text('arbroute', { profit, steps: [{}], height: 5 }), / in 1 step at/)
})
