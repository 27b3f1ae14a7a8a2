import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { generatedMarket, unitsWorth } from '../../../bench/markets.js'
import { drawBetween, seededRandom } from '../../../src/demo-chain/market/random.js'
import type { Coin } from '../../../src/engine/market/token.js'
import { pricerOf } from '../../../src/engine/market/valuation.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import type { PathQuery } from '../../../src/engine/routing/query.js'
import { bestPaths } from '../../../src/engine/splits/best-paths.js'
import { legExecutor } from '../../../src/engine/splits/execute-legs.js'
import { bestSplit, findSplit, type Splits } from '../../../src/engine/splits/find-split.js'
import { freeSplit } from '../../../src/engine/splits/gridless.js'
import { distinct, searchContext } from '../../../src/engine/splits/search.js'
import { TIMES } from '../../support/books.js'
import { longTest } from '../../support/long.js'
import { loadSolver, type Solver } from './linear-program.js'
import { bestChoice } from './path-choice-program.js'
import { openQuery } from './questions.js'

const terms = { slippageBps: 50, stepPercent: 1 }

/** Orders of so many dollars that lose less than a fifth of their worth, with the splits found for them. */
function* orders(tokens: number, dollars: number, count: number) {
  const graph = graphOf(generatedMarket(tokens))
  const rationalOf = pricerOf(graph.market)
  const random = seededRandom(`leg limit ${tokens}`)
  const priceOf = (denom: string) => {
    const { numerator, denominator } = rationalOf(denom)!
    return Number(numerator) / Number(denominator)
  }
  const pick = () =>
    graph.denoms[Number(drawBetween(random, [0n, BigInt(graph.denoms.length - 1)]))]!
  for (let i = 0; i < count; i += 1) {
    const [from, to] = [pick(), pick()]
    if (from === to) continue
    const input = { denom: from, amount: unitsWorth(dollars, priceOf(from)) }
    const value = (Number(input.amount) * priceOf(from)) / priceOf(to)
    const query = openQuery({ graph }, from, to)
    const found = findSplit(query, input, { ...terms, maxLegs: 6 })
    if (Number(found.splits[0]?.expected ?? 0n) > value * 0.8) yield { query, input, found }
  }
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
const gapOf = (paid: bigint | undefined, { bound }: Splits) =>
  (1 - Number(paid ?? 0n) / Number(bound)) * 10_000

/** The output of a split without a grid, including the small legs that answers omit. */
function freeOutput(query: PathQuery, input: Coin, mostLegs?: number): bigint | undefined {
  const context = searchContext(query, input.amount)
  return freeSplit(context, legExecutor(query), mostLegs)?.total
}

describe('the cost of a limit on legs', () => {
  let solver: Solver
  beforeAll(async () => {
    solver = await loadSolver()
  })

  longTest('is small: no choice of six paths pays much more than the six found', () => {
    const gaps: number[] = []
    for (const { query, input, found } of orders(20, 10_000, 5 * TIMES)) {
      if (gapOf(found.splits[0]!.expected, found) < 0.3) continue
      const context = searchContext(query, input.amount)
      const paths = distinct([
        ...(context.optimum()?.legs ?? []).map(({ path }) => path),
        ...bestPaths(context.network, Number(input.amount) * 0.05, 8),
      ])
      const most = bestChoice(solver, context.network, paths, Number(input.amount), 6)
      const free = freeOutput(query, input, 6)!
      gaps.push((1 - Number(free) / (most * context.network.feeFactor)) * 10_000)
    }
    assert.ok(gaps.length >= 1, `${gaps.length} orders want more than six legs`)
    assert.ok(mean(gaps) <= 0.1 && Math.max(...gaps) <= 0.5, `${gaps}`)
  })

  test.each<readonly [number, number, number]>([
    [20, 10_000, 6 * TIMES],
    ...(TIMES > 1 ? [[50, 100_000, 24] as const] : []),
  ])(
    'is small for the one-percent grid with enough legs, and zero without a grid (%d tokens, $%d)',
    (tokens, dollars, count) => {
      const grids: number[] = []
      const free: number[] = []
      for (const { query, input, found } of orders(tokens, dollars, count)) {
        const many = bestSplit(query, input, { ...terms, maxLegs: 20 })
        grids.push(gapOf(many?.expected, found))
        free.push(gapOf(freeOutput(query, input), found))
      }
      assert.ok(free.length >= 2, `${free.length} orders find a place`)
      assert.ok(mean(free) <= 0.01, `no grid: ${free}`)
      assert.ok(mean(grids) <= (dollars > 10_000 ? 3 : 0.4), `${mean(grids)}: ${grids}`)
    },
  )
})
