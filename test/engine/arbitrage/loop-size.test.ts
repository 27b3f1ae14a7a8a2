import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { arbitrageRoute } from '../../../src/engine/arbitrage/arbitrage-route.js'
import {
  estimateSize,
  exactSize,
  loopReturn,
  profitCurve,
} from '../../../src/engine/arbitrage/loop-size.js'
import { scanLoops } from '../../../src/engine/arbitrage/scan.js'
import { executePath, simulatePath } from '../../../src/engine/market/router.js'
import { rational } from '../../../src/engine/math/rational.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import type { Route } from '../../../src/engine/routing/route.js'
import { supplyCurve } from '../../../src/engine/splits/supply-curve.js'
import { smallMarket } from '../../support/small-market.js'

type Router = Partial<Parameters<typeof smallMarket>[1]>

/** 100 `a` buy 200 `b`; 100 `b` buy 60 `a`, and further ones 50 `a` per 100, which is what they cost. */
const marketWith = (router: Router = {}) =>
  smallMarket(
    {
      'a/b': { quote: [{ price: '2', total: '200' }] },
      'b/a': {
        quote: [
          { price: '0.6', total: '60' },
          { price: '0.5', total: '500' },
        ],
      },
    },
    { dialect: 'forward', ...router },
  )
const addresses = ['a/b', 'b/a']
const loopIn = ({ router, books }: ReturnType<typeof marketWith>) => ({
  router,
  denom: 'a',
  books: addresses.map((address) => books.get(address)!),
})
const loop = loopIn(marketWith())

describe('the size of a loop', () => {
  const curvesOf = ({ books }: typeof loop) => books.map((book) => supplyCurve(book, 'bid')!)
  const curves = curvesOf(loop)

  test('is estimated to end where an atomic more returns no more than itself', () => {
    const { amount, profit } = estimateSize(curves, 1, 1_000)
    assert.deepEqual([Math.round(amount), Math.round(profit)], [50, 10])
    assert.equal(estimateSize(curves, 1, 30).amount, 30)
    assert.equal(Math.round(estimateSize(curves, 0.99, 1_000).profit * 10), 94)
    assert.deepEqual(estimateSize(curves, 0.8, 1_000), { amount: 0, profit: 0 })
  })

  test('is estimated across levels that end in turn: 30 fill 60 of 160, and 100 ÷ 1.9 the rest', () => {
    const first = [
      { price: '2', total: '60' },
      { price: '1.9', total: '190' },
    ]
    const second = [
      { price: '0.6', total: '96' },
      { price: '0.5', total: '500' },
    ]
    const pairs = { 'a/b': { quote: first }, 'b/a': { quote: second } }
    const { amount, profit } = estimateSize(
      curvesOf(loopIn(smallMarket(pairs, { dialect: 'forward' }))),
      1,
      1_000,
    )
    assert.equal(amount.toFixed(3), (30 + 100 / 1.9).toFixed(3))
    assert.equal(profit.toFixed(3), (96 - amount).toFixed(3))
  })

  test('is the most profitable one around the estimate, which is kept where others are as good', () => {
    assert.deepEqual(exactSize(loop, 50n, 1_000n), { amount: 50n, returned: 60n })
    assert.deepEqual(exactSize(loop, 50n, 30n), { amount: 30n, returned: 36n })
    const even = smallMarket(
      {
        'a/b': { quote: [{ price: '1', total: '90' }] },
        'b/a': { quote: [{ price: '1', total: '90' }] },
      },
      { dialect: 'forward' },
    )
    assert.equal(exactSize(loopIn(even), 50n, 1_000n), undefined)
  })

  test('is far below the estimate where a hop aborts from some size on', () => {
    const market = smallMarket(
      {
        'a/b': { quote: [{ price: '1000000000000', total: `${10n ** 24n}` }] },
        'b/a': { quote: [{ price: '0.000000000002', total: `${10n ** 13n}` }] },
      },
      { dialect: 'forward' },
    )
    const { amount, returned } = exactSize(loopIn(market), 10n ** 12n, 10n ** 13n)!
    // The first hop pays less than 2^128 / 10^18 (docs/venues.md#arithmetic-aborts).
    assert.deepEqual([amount, returned], [340_282_366n, 680_564_732n])
  })
})

describe('the return of a loop', () => {
  test('does not exist where a part is left unsold or nothing is paid', () => {
    assert.equal(loopReturn(loop, 100n), 110n)
    assert.equal(loopReturn(loop, 120n), undefined)
    assert.equal(loopReturn(loop, 1n), 1n)
    assert.equal(loopReturn(loopIn(marketWith({ fee_bps: 10 })), 1n), undefined)
  })

  test('includes what the first book returns, in the profit against size', () => {
    const points = profitCurve(marketWith(), addresses, 'a', [50n, 100n, 120n])
    assert.deepEqual(points, [
      { amount: 50n, profit: 10n },
      { amount: 100n, profit: 10n },
      { amount: 120n, profit: 10n },
    ])
    assert.deepEqual(profitCurve(marketWith(), ['a/b', 'b/c'], 'a', [50n]), [])
  })
})

test('a capital is used again for the same loop, as one step, on what the execution before it left', () => {
  const market = smallMarket(
    {
      'a/b': {
        quote: [
          { price: '2', total: '60' },
          { price: '1.9', total: '190' },
        ],
      },
      'b/a': { quote: [{ price: '0.6', total: '600' }] },
    },
    { dialect: 'forward' },
  )
  const capital = { denom: 'a', amount: 30n }
  const { steps, profit } = arbitrageRoute(graphOf(market), capital, {
    maxHops: 3,
    slippageBps: 50,
  })
  const [{ count, executions, input, output }] = steps as [(typeof steps)[0]]
  assert.deepEqual([steps.length, output - input, executions.length], [1, profit, count])
  assert.ok(count > 1)
  const [first, second] = executions as [Route, Route]
  assert.deepEqual([first.expected, first.simulated], [36n, 36n])
  const alone = simulatePath(market.router, loopIn(market).books, second.input)
  assert.equal(second.simulated, 'refused' in alone ? undefined : alone.returned)
  assert.ok(second.simulated! > second.expected)
})

describe('a scan', () => {
  const terms = { minPercent: rational(0n, 1n), maxHops: 3, slippageBps: 50 }
  const input = { denom: 'a', amount: 40n }

  test('sells the balances of the router as well', () => {
    for (const balances of [{}, { b: '15' }] as const) {
      const market = { ...marketWith({ balances }), arbs: [input] }
      const [found] = scanLoops(graphOf(market), terms).opportunities
      const minReturn = { denom: 'a', amount: 0n }
      const executed = executePath(market, addresses, input, { minReturn })
      assert.equal(found?.route.expected, 'refused' in executed ? undefined : executed.recipient)
    }
  })

  test('finds loops above the least profit, which never execute at a loss', () => {
    const graph = graphOf({ ...marketWith(), arbs: [input] })
    const found = (percent: bigint) =>
      scanLoops(graph, { ...terms, minPercent: rational(percent, 1n), slippageBps: 5_000 })
        .opportunities
    // 40 return 48.
    assert.deepEqual(found(20n), [])
    assert.deepEqual(
      found(19n).map(({ profit, route }) => [profit, route.minReturn]),
      [[8n, 40n]],
    )
    // 48 less 0.5 %, which is more than the input.
    assert.equal(scanLoops(graph, terms).opportunities[0]!.route.minReturn, 47n)
  })

  test('tries amounts above zero of denoms that are traded', () => {
    const arbs = [{ denom: 'a', amount: 0n }, { denom: 'c', amount: 5n }, input]
    const { tried } = scanLoops(graphOf({ ...marketWith(), arbs }), terms)
    assert.deepEqual(tried, [input])
  })
})
