import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { queryOf } from '../../../../src/engine/routing/query.js'
import { merges, withFewerLegs } from '../../../../src/engine/splits/local-search/fewer-legs.js'
import { newBookState, type Plan, planOutput } from '../../../../src/engine/splits/plan.js'
import { searchContext } from '../../../../src/engine/splits/search.js'
import { graph } from '../../../support/demo-market.js'

const limits = { maxHops: 4, via: [], exclude: [], affiliate: undefined }
const query = queryOf(graph, 'btc-btc', 'rune', limits)
const { network, optimum } = searchContext(query, 150_000_000n)
const grid = { count: 1, unit: 1, rest: 0 }
const plan: Plan = optimum()!.legs.map(({ path, amount }) => ({ path, units: amount }))
const found = [...merges(newBookState(network), grid, plan)]

const outputOf = (legs: Plan): number => planOutput(newBookState(network), grid, legs)
const without = (removed: number): Plan => plan.filter((_, i) => i !== removed)

describe('the merges of a plan', () => {
  test('are those of the four legs that pay least with every other leg, and have what the plan pays then', () => {
    assert.equal(found.length, 4 * (plan.length - 1))
    for (const { removed, taker, value } of found) {
      assert.notEqual(removed, taker)
      const moved = { path: plan[taker]!.path, units: plan[removed]!.units }
      const output = outputOf([...without(removed), moved])
      assert.ok(Math.abs(value / output - 1) < 1e-12, `${value}, and it pays ${output}`)
    }
  })

  test('begin with the leg that pays least, and of a leg with the merge that pays most', () => {
    const removed = [...new Set(found.map((merge) => merge.removed))]
    const outputs = removed.map((i) => outputOf([plan[i]!]))
    const values = removed.map((i) => found.filter((merge) => merge.removed === i))
    assert.equal(removed.length, 4)
    assert.ok(outputs[0]! < outputs[3]!, `${outputs}`)
    for (const each of values)
      assert.ok(each.every(({ value }, i) => i === 0 || value <= each[i - 1]!.value))
  })

  test('are done in the order of what the plan pays, until few enough legs are left', () => {
    const [a, b, c] = plan.map(({ path }) => path)
    // The two over one path lose nothing together, though the first leg pays less than each of them.
    const start: Plan = [
      { path: a!, units: 1e6 },
      { path: b!, units: 2e6 },
      { path: b!, units: 2e6 },
      { path: c!, units: 3e7 },
    ]
    let legs = start
    while (legs.length > 2) {
      const all = [...merges(newBookState(network), grid, legs)]
      const { taker, removed } = all.reduce((a, b) => (b.value > a.value ? b : a))
      const units = legs[taker]!.units + legs[removed]!.units
      legs = legs.with(taker, { path: legs[taker]!.path, units }).toSpliced(removed, 1)
    }
    assert.deepEqual(withFewerLegs(network, grid, start, 2), legs)
  })
})
