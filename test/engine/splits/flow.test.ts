import assert from 'node:assert/strict'
import { test } from 'vitest'
import { generatedMarket } from '../../../bench/markets.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { bestFlow, flowCurve, paidBy } from '../../../src/engine/splits/flow.js'
import { residualNetwork } from '../../../src/engine/splits/residual-network.js'
import { openQuery } from './questions.js'

test('the curve of the continuous optimum equals the flow at each size and is concave', () => {
  const graph = graphOf(generatedMarket(12))
  for (const [from, to] of [
    ['t3', 't9'],
    ['t11', 't5'],
    ['t6', 't0'],
  ] as const) {
    const network = residualNetwork(openQuery({ graph }, from, to))
    const curve = flowCurve(network, 1e30)
    assert.ok(curve.length > 10, `${curve.length} points`)
    for (const share of [0.1, 0.5, 0.9]) {
      const { sold, paid } = curve[Math.floor(curve.length * share)]!
      const flow = paidBy(network, bestFlow(network, sold))
      assert.ok(Math.abs(flow / paid - 1) < 1e-9, `${flow} is not ${paid}`)
    }
    const gains = curve
      .slice(1)
      .map(({ sold, paid }, i) => (paid - curve[i]!.paid) / (sold - curve[i]!.sold))
    for (const [i, gain] of gains.entries())
      if (i > 0) assert.ok(!(gain > gains[i - 1]! * (1 + 1e-4)), `${gain} after ${gains[i - 1]}`)
  }
})
