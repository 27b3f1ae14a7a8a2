import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isConnected } from '../../../src/engine/routing/find-routes.js'
import { openLimits, queryOf, workBudget } from '../../../src/engine/routing/query.js'
import { documentOf, marketOf, pairOf } from '../../support/markets.js'

/** Every two of `count` denoms are traded, and two others with each other. */
function dense(count: number) {
  const names = Array.from({ length: count }, (_, i) => `t${i}`)
  const pairs = names.flatMap((from, i) =>
    names.slice(i + 1).map((to) => pairOf([`${from}-${to}`, from, to], { bids: [['1', '9']] })),
  )
  const apart = pairOf(['apart', 'x', 'y'], { bids: [['1', '9']] })
  return marketOf(documentOf([...pairs, apart])).graph
}

test('tokens are known not to be connected without following the paths of a dense market', () => {
  const graph = dense(40)
  assert.equal(isConnected(queryOf(graph, 't0', 'x', openLimits(6))), false)
  assert.equal(isConnected(queryOf(graph, 't0', 't1', openLimits(6))), true)
})

test('a search for a path over required tokens ends at its budget, undecided', () => {
  const required = (via: string, units: number) => {
    const budget = workBudget(units)
    const query = queryOf(dense(9), 't0', 't1', { ...openLimits(6), via: [via] }, budget)
    return [isConnected(query), budget.isCut]
  }
  assert.deepEqual(required('y', 100), [true, true])
  assert.deepEqual(required('y', 1e6), [false, false])
  assert.deepEqual(required('t5', 1e6), [true, false])
})
