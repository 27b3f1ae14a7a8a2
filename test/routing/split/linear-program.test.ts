import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { generatedMarket, unitsWorth } from '../../../bench/markets.js'
import { drawBetween, seededRandom } from '../../../src/demo/market/random.js'
import { pricesOf } from '../../../src/market/valuation.js'
import { graphOf } from '../../../src/routing/graph.js'
import { fieldOf } from '../../../src/routing/split/field.js'
import { findSplit } from '../../../src/routing/split/find.js'
import { sceneOf } from '../../../src/routing/split/search.js'
import { linearOptimum, loadSolver, type Solver } from './linear-program.js'
import { openQuery } from './questions.js'

const graph = graphOf(generatedMarket(20))
const prices = pricesOf(graph.market)

/** Orders of about so many dollars between any two tokens. */
function* orders(dollars: number, count: number) {
  const random = seededRandom(`linear program ${dollars}`)
  const pick = () =>
    graph.denoms[Number(drawBetween(random, [0n, BigInt(graph.denoms.length - 1)]))]!
  for (let i = 0; i < count; i += 1) {
    const [from, to] = [pick(), pick()]
    const { numerator, denominator } = prices.get(from)!
    const amount = unitsWorth(dollars, Number(numerator) / Number(denominator))
    if (from !== to) yield { query: openQuery({ graph }, from, to), input: { denom: from, amount } }
  }
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

describe('against a linear program', () => {
  let solver: Solver
  beforeAll(async () => {
    solver = await loadSolver()
  })

  test.each([
    [1000, 20],
    [10_000, 20],
  ])(
    'the bound for %d dollars is the optimum, and divisions without a grid reach it',
    (dollars, count) => {
      const [within, beyond]: [number[], number[]] = [[], []]
      for (const { query, input } of orders(dollars, count)) {
        const terms = { slippageBps: 50, stepPercent: 5, grid: false }
        const { splits, bound } = findSplit(query, input, terms)
        const scene = sceneOf(query, input.amount)
        if (splits[0] === undefined || scene.flow.sold < Number(input.amount) * (1 - 1e-9)) continue
        const field = fieldOf(query)
        const optimum = linearOptimum(solver, field, Number(input.amount)) * field.keeps
        assert.ok(Number(bound) >= optimum * (1 - 1e-6) - 2, `${bound} is below ${optimum}`)
        const gap = (1 - Number(splits[0].expected) / optimum) * 10_000
        // Where the optimum without a limit on hops keeps within it, nothing is left to a search.
        if (scene.whole) {
          within.push(gap)
          assert.ok(Number(bound) <= optimum * (1 + 1e-6) + 2, `${bound} is above ${optimum}`)
        } else beyond.push(gap)
      }
      assert.ok(within.length >= 5, `${within.length} of ${count} within the hop limit`)
      assert.ok(mean(within) <= 0.01, `mean gap ${mean(within)} bps: ${within}`)
      assert.ok(
        beyond.every((gap) => gap < 10),
        `${beyond}`,
      )
    },
  )
})
