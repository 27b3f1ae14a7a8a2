import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { arbitrageRoute } from '../../../src/engine/arbitrage/arbitrage-route.js'
import { scanLoops } from '../../../src/engine/arbitrage/scan.js'
import { usualGas } from '../../../src/engine/market/gas.js'
import type { Market } from '../../../src/engine/market/market.js'
import type { Denom } from '../../../src/engine/market/token.js'
import { parseDecimal } from '../../../src/engine/math/decimal.js'
import { rational } from '../../../src/engine/math/rational.js'
import { findRoutes } from '../../../src/engine/routing/find-routes.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { queryOf } from '../../../src/engine/routing/query.js'
import { gasCost } from '../../../src/engine/routing/rank-paths.js'
import type { Route } from '../../../src/engine/routing/route.js'
import { inputFor, routesForOutput } from '../../../src/engine/routing/route-size.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { findSplit } from '../../../src/engine/splits/find-split.js'
import { document } from '../../support/chain.js'
import { smallMarket } from '../../support/small-market.js'

const withGasPrice = (market: Market, amount: string, denom: Denom): Market => ({
  ...market,
  gas: { ...usualGas, price: { denom, amount: parseDecimal(amount)! } },
})

const openLimits = { maxHops: 4, via: [], exclude: [], affiliate: undefined }

const deep = (price: string) => ({ quote: [{ price, total: '1000000000000' }] })

/** From a to c directly at 2, over b at 2.1, and back at 2.12. The second hop takes 151,000 gas. */
const market = smallMarket(
  {
    'a/c': { ...deep('2'), base: [{ price: '2.12', total: '1000000000000' }] },
    'a/b': deep('2.1'),
    'b/c': deep('1'),
  },
  { dialect: 'forward' },
)

const namesOf = (routes: readonly Route[]) => routes.map(({ denoms }) => denoms.join(''))

/** A gas price, and the path from a to c that pays most after gas; 1.4 times the gas is paid for. */
const rows: readonly (readonly [price: string, denom: Denom, best: string])[] = [
  // The second path pays 100,000 c more.
  ['0', 'a', 'abc'],
  ['0.22', 'a', 'abc'],
  ['0.24', 'a', 'ac'],
  ['0.47', 'c', 'abc'],
  ['0.48', 'c', 'ac'],
  ['1000', 'untraded', 'abc'],
]

describe('where gas has a price', () => {
  for (const [price, denom, best] of rows)
    test(`of ${price} ${denom}, ${best} is the best path for an input and for an output`, () => {
      const query = queryOf(graphOf(withGasPrice(market, price, denom)), 'a', 'c', openLimits)
      const input = { denom: 'a', amount: 1_000_000n }
      const expected = best === 'ac' ? ['ac', 'abc'] : ['abc', 'ac']
      const terms = { slippageBps: 0 }
      assert.deepEqual(namesOf(findRoutes(query, input, 5, terms).routes), expected)
      assert.deepEqual(namesOf(findRoutes(query, input, 1, terms).routes), expected.slice(0, 1))
      const found = inputFor(query, 2_000_000n, 0)
      assert.ok('amount' in found)
      const wanted = { found, wanted: 2_000_000n, count: 5 }
      assert.deepEqual(namesOf(routesForOutput(query, wanted, terms).routes), expected)
    })

  test('it costs what its fee buys of a token', () => {
    const graph = graphOf(withGasPrice(market, '0.5', 'a'))
    const hops = [{ book: market.books.get('a/c')!, fill: { groups: 1 } }]
    // 276,000 gas, 1.4 times of which are paid for.
    const costs = ['a', 'b', 'c'].map((denom) => gasCost(graph, denom, hops))
    assert.deepEqual(costs, [193_200n, 405_720n, 405_720n])
    assert.equal(gasCost(graphOf(market), 'a', hops), 0n)
  })

  test('a split has the legs that pay for their gas', () => {
    const demo = decodeSnapshot(document, 'demo')
    const input = { denom: 'btc-btc', amount: 300_000_000n }
    const legs = ['0', '1', '100', '10000', '1000000'].map((price) => {
      const graph = graphOf(withGasPrice(demo, price, 'rune'))
      const query = queryOf(graph, input.denom, 'rune', openLimits)
      const netOf = (routes: readonly Route[]) =>
        routes.reduce(
          (net, { expected, hops }) => net + expected - gasCost(graph, 'rune', hops),
          0n,
        )
      const terms = { slippageBps: 50, stepPercent: 5 }
      const { splits, single } = findSplit(query, input, terms)
      const nets = splits.map(({ legs }) => netOf(legs.map(({ route }) => route)))
      assert.ok(nets.every((net, i) => i === 0 || net <= nets[i - 1]!))
      assert.ok(nets[0]! >= netOf([single!]))
      return splits[0]!.legs.length
    })
    assert.ok(legs[0]! > 3 && legs.at(-1) === 1, `${legs}`)
    assert.deepEqual(
      legs,
      legs.toSorted((a, b) => b - a),
    )
  })

  test('a free split that pays next to nothing more, and only needs less gas, is not reported as a gain', () => {
    // On a grid of 10 % it takes three legs to sell all of 1,000,000 a, without one two are enough. The last pair
    // would pay 600 c more, which its gas is not worth.
    const bids = (price: string, total: string) => ({ quote: [{ price, total }] })
    const pools = {
      'a/c': bids('2', '1700000'),
      'a/c/2': bids('1.9999', '300000'),
      'a/c/3': bids('1.9998', '240000'),
      'a/c/4': bids('4', '1200'),
    }
    const graph = graphOf(withGasPrice(smallMarket(pools, { dialect: 'forward' }), '0.005', 'c'))
    const query = queryOf(graph, 'a', 'c', openLimits)
    const input = { denom: 'a', amount: 1_000_000n }
    const terms = { slippageBps: 0, stepPercent: 10 }
    const { splits, free } = findSplit(query, input, terms)
    assert.deepEqual([splits[0]!.legs.length, splits[0]!.expected], [3, 1_999_970n])
    assert.equal(findSplit(query, input, { ...terms, grid: false }).splits[0]!.legs.length, 2)
    assert.equal(free, undefined)
  })

  test('a loop has to earn more than its gas costs', () => {
    const loops = smallMarket(
      { 'b/a': { base: [{ price: '1', total: '1000000' }] }, 'b/c': deep('1'), 'c/a': deep('1.1') },
      { dialect: 'forward' },
    )
    const input = { denom: 'a', amount: 1_000_000n }
    const terms = { minPercent: rational(0n, 1n), maxHops: 3, slippageBps: 0 }
    // It earns 100,000 with 578,000 gas.
    for (const [price, profit] of [
      ['0', 100_000n],
      ['0.123', 100_000n],
      ['0.124', 0n],
    ] as const) {
      const graph = graphOf({ ...withGasPrice(loops, price, 'a'), arbs: [input] })
      const [found] = scanLoops(graph, terms).opportunities
      assert.equal(found?.profit ?? 0n, profit)
      assert.equal(arbitrageRoute(graph, input, terms).profit, profit)
    }
  })
})
