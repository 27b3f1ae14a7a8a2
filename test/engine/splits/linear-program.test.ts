import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { generatedMarket, unitsWorth } from '../../../bench/markets.js'
import { drawBetween, seededRandom } from '../../../src/demo-chain/market/random.js'
import { pricerOf } from '../../../src/engine/market/valuation.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { legExecutor } from '../../../src/engine/splits/execute-legs.js'
import { findSplit } from '../../../src/engine/splits/find-split.js'
import { layeredLegs } from '../../../src/engine/splits/flow-legs.js'
import { freeSplit } from '../../../src/engine/splits/gridless.js'
import { newBookState, sell } from '../../../src/engine/splits/plan.js'
import { searchContext } from '../../../src/engine/splits/search.js'
import { TIMES } from '../../support/books.js'
import { linearOptimum, loadSolver, type Solver } from './linear-program.js'
import { openQuery } from './questions.js'

const graph = graphOf(generatedMarket(20))
const priceOf = pricerOf(graph.market)

/**
 * Orders of about so many dollars between any two tokens; with this seed, two of the first three are
 * filled.
 */
function* orders(dollars: number, count: number) {
  const random = seededRandom('linear program 11')
  const pick = () =>
    graph.denoms[Number(drawBetween(random, [0n, BigInt(graph.denoms.length - 1)]))]!
  for (let i = 0; i < count; i += 1) {
    const [from, to] = [pick(), pick()]
    const { numerator, denominator } = priceOf(from)!
    const amount = unitsWorth(dollars, Number(numerator) / Number(denominator))
    if (from !== to) yield { query: openQuery({ graph }, from, to), input: { denom: from, amount } }
  }
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

describe('splits compared with a linear program', () => {
  let solver: Solver
  beforeAll(async () => {
    solver = await loadSolver()
  })

  test.each([
    [10_000, 3],
    [100_000, 3],
  ])(
    'have the optimum for %d dollars as their bound, and reach it without a grid',
    (dollars, count) => {
      const gaps: number[] = []
      let beyond = 0
      for (const { query, input } of orders(dollars, count * TIMES)) {
        const terms = { slippageBps: 50, stepPercent: 5, grid: false }
        const context = searchContext(query, input.amount)
        if (context.flow.sold < Number(input.amount) * (1 - 1e-9)) continue
        const { bound } = findSplit(query, input, terms)
        // Including the small legs that answers omit.
        const best = freeSplit(context, legExecutor(query), undefined)
        if (best === undefined) continue
        const { network } = context
        const optimum = linearOptimum(solver, network, Number(input.amount)) * network.feeFactor
        assert.ok(Number(bound) >= optimum * (1 - 1e-6) - 2, `${bound} is below ${optimum}`)
        assert.ok(Number(bound) <= optimum * (1 + 1e-6) + 2, `${bound} is above ${optimum}`)
        gaps.push((1 - Number(best.total) / optimum) * 10_000)
        if (!context.isOptimal) beyond += 1
      }
      assert.ok(gaps.length >= 2, `${gaps.length} of ${count} found a place`)
      assert.ok(dollars < 100_000 || beyond > 0, 'the hop limit binds now and then')
      assert.ok(mean(gaps) <= 0.01, `mean gap ${mean(gaps)} bps: ${gaps}`)
    },
  )

  test('keep the legs of the optimum within the hop limit and pay what it promises', () => {
    let asked = 0
    for (const { query, input } of orders(100_000, 2 * TIMES)) {
      const context = searchContext(query, input.amount)
      const flow = context.limited()
      if (flow === undefined) continue
      const optimum = linearOptimum(solver, context.network, Number(input.amount))
      assert.ok(Math.abs(flow.paid / optimum - 1) < 1e-6, `${flow.paid} is not ${optimum}`)
      const legs = layeredLegs(context.network, flow)
      assert.ok(legs.every(({ path }) => path.length <= query.limits.maxHops))
      const books = newBookState(context.network)
      const paid = legs.reduce((sum, { path, amount }) => sum + sell(books, path, amount), 0)
      assert.ok(Math.abs(paid / optimum - 1) < 1e-5, `${paid} is not ${optimum}`)
      asked += 1
    }
    assert.ok(asked >= 1, `${asked} asked`)
  })
})
