import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { payoutOf } from '../../../src/engine/market/router.js'
import { MAX_UINT128 } from '../../../src/engine/math/decimal.js'
import { type Edge, graphOf } from '../../../src/engine/routing/graph.js'
import {
  largestOn,
  leastGross,
  outputOn,
  smallestOn,
} from '../../../src/engine/routing/path-size.js'
import { type PathQuery, queryOf } from '../../../src/engine/routing/query.js'
import { minReturnOf } from '../../../src/engine/routing/route.js'
import { inputFor } from '../../../src/engine/routing/route-size.js'
import { anyOf, between, documentOf, marketOf, pairOf } from '../../support/markets.js'
import { LIMIT, openLimits, queryIn, smallMarkets } from './small-markets.js'

type Edges = readonly Edge[]

function pathsOf({ graph, from, to, limits }: PathQuery): readonly Edges[] {
  const longer = (path: Edges, at: number): readonly Edges[] => {
    if (at === to) return [path]
    if (path.length === limits.maxHops) return []
    const isNew = (edge: Edge) => edge.to !== from && path.every((each) => each.to !== edge.to)
    return graph.leaving[at]!.filter(isNew).flatMap((edge) => longer([...path, edge], edge.to))
  }
  return longer([], from)
}

/** Paths of small markets with what each input of a range pays. */
function* ranges(count: number) {
  for (const { seed, query, drawn } of smallMarkets(count))
    for (const edges of pathsOf(query).slice(0, 4)) {
      const from = between(drawn.random, 1, 100)
      const last = between(drawn.random, from, LIMIT)
      const outputs = Array.from({ length: last + 1 }, (_, x) =>
        x < from ? undefined : outputOn(query, edges, BigInt(x)),
      )
      const label = `seed ${seed}: ${edges.map(({ book }) => book.state.pair.address)}`
      yield { query, edges, from: BigInt(from), last: BigInt(last), outputs, drawn, label }
    }
}

const sizeAt = (index: number) => (index < 0 ? undefined : BigInt(index))

describe('a path of a small market', () => {
  test('has the smallest input of a range that pays enough', () => {
    let found = 0
    for (const { query, edges, from, last, outputs, drawn, label } of ranges(10)) {
      const wanted = anyOf(drawn.random, [1n, ...outputs.filter((output) => output !== undefined)])
      const gross = leastGross(query, wanted, 0)
      const expected = sizeAt(outputs.findIndex((output = 0n) => output >= wanted))
      // A range may end at this input.
      for (const to of [last, expected ?? last]) {
        const isEnough = (output: bigint) => output >= wanted
        const smallest = smallestOn(query, edges, { from, last: to, gross }, isEnough)
        assert.equal(smallest, expected, label)
      }
      if (expected !== undefined) found += 1
    }
    assert.ok(found > 10, `${found}`)
  })

  test('has the largest input of a range that it takes', () => {
    let found = 0
    for (const { query, edges, from, last, outputs, label } of ranges(10)) {
      const largest = largestOn(query, edges, from, last)
      const expected = outputs.findLastIndex((output) => output !== undefined)
      assert.equal(largest, sizeAt(expected), label)
      if (largest !== undefined) found += 1
      assert.equal(largestOn(query, edges, last + 1n, last), undefined)
    }
    assert.ok(found > 10, `${found}`)
  })
})

test.each([
  { price: '1', sizes: [100, 200] },
  { price: '1', sizes: [10, 20, 30] },
  { price: '0.4', sizes: [21, 7, 14] },
  { price: '3', sizes: [60, 60, 60] },
  { price: '1', sizes: [7, 21], before: '0.7' },
])(
  'makers at $price with $sizes and nothing behind take what leaves no rest of their shares',
  ({ price, sizes, before }) => {
    const makers = sizes.map((size, i) => ({
      address: `m${i}`,
      levels: { base: [], quote: [{ price, size: `${size}` }] },
      levels_truncated: { base: false, quote: false },
    }))
    const pair = pairOf(['p', 'a', 'b'], {}, { makers })
    const first = pairOf(['q', 'z', 'a'], { bids: [[before ?? '1', '900']] })
    const drawn = marketOf(documentOf([pair, first]))
    const query = queryIn(drawn, before === undefined ? 'a' : 'z', 'b')
    const [edges = []] = pathsOf(query)
    const outputs = Array.from({ length: 400 }, (_, x) => outputOn(query, edges, BigInt(x)))
    const last = outputs.findLastIndex((output) => output !== undefined)
    assert.ok(last > 0)
    for (let wanted = 1n; wanted <= outputs[last]!; wanted += 1n) {
      const expected = sizeAt(outputs.findIndex((output = 0n) => output >= wanted))
      const found = inputFor(query, wanted, 0)
      assert.equal('amount' in found ? found.amount : undefined, expected, `${wanted}`)
    }
    for (let most = 1; most < outputs.length; most += 1) {
      const expected = sizeAt(
        outputs.findLastIndex((output, x) => x <= most && output !== undefined),
      )
      assert.equal(largestOn(query, edges, 1n, BigInt(most)), expected, `${most}`)
    }
  },
)

describe('before a pool that refuses every part of itself', () => {
  const worn = { total: '1000000', sum: ['7'.repeat(76), 0], product: ['1', 60] }
  const mostBefore = (first: { price: string; total: string }, price: string) => {
    const pools = { base: [], quote: [first, { ...worn, price }] }
    const pair = pairOf(['p', 'a', 'b'], {}, { pools })
    const query = queryIn(marketOf(documentOf([pair])), 'a', 'b')
    return (from: bigint) =>
      largestOn(query, query.graph.leaving[query.from]!, from, 900_000n) ?? 'none'
  }

  test('a path takes what the pools before it take', () => {
    const most = mostBefore({ price: '1', total: '100' }, '0.9')
    assert.deepEqual([1n, 50n, 100n, 101n].map(most), [100n, 100n, 100n, 'none'])
  })

  test('a path takes that also where the smallest sizes pay nothing', () => {
    const most = mostBefore({ price: '0.02', total: '20' }, '0.01')
    assert.deepEqual([1n, 50n, 1_001n].map(most), [1_000n, 1_000n, 'none'])
  })
})

test.each([
  [45n, 40n],
  [105n, 100n],
  [106n, undefined],
])('a book of 100 with 5 coins in the router pays %s for %s', (wanted, expected) => {
  const pair = pairOf(['p', 'a', 'b'], { bids: [['1', '100']] })
  const query = queryIn(marketOf(documentOf([pair], { balances: { b: '5' } })), 'a', 'b')
  const found = inputFor(query, wanted, 0)
  assert.equal('amount' in found ? found.amount : undefined, expected)
})

describe('the least output before fees', () => {
  const { market } = marketOf(documentOf([pairOf(['p', 'a', 'b'], { bids: [['1', '9']] })]))
  const roundings = ['up', 'down'] as const

  test.each(roundings)('pays enough after two fees, of which one is rounded %s', (rounding) => {
    for (const [fee, affiliateFee, share, slippage] of [
      [0n, 1n, 0n, 0],
      [30n, 50n, 1_000n, 50],
      [900n, 333n, 5_000n, 300],
      [30n, 2_000n, 1_000n, 1],
      // One atomic more may cost both fees one: 10 pay 7, 11 pay 6.
      [1_000n, 2_000n, 0n, 0],
      [500n, 2_500n, 0n, 100],
    ] as const) {
      const router = { ...market.router, affiliateRounding: rounding, feeBps: fee }
      const affiliate = { affiliateFeeBps: affiliateFee, referralFeeShareBps: share }
      const graph = graphOf({ ...market, router })
      const query = queryOf(graph, 'a', 'b', { ...openLimits, affiliate })
      const paid = (gross: bigint): bigint => {
        const payout = payoutOf(router, gross, affiliate)
        return isRefusal(payout) ? 0n : minReturnOf(payout.recipient, slippage)
      }
      let least = 0n
      for (let wanted = 1n; wanted < 60n; wanted += 1n) {
        while (paid(least) < wanted) least += 1n
        assert.equal(leastGross(query, wanted, slippage), least, `${fee} ${wanted}`)
      }
    }
  })

  test('is above every amount where fees or slippage leave nothing', () => {
    const query = queryOf(graphOf(market), 'a', 'b', openLimits)
    assert.ok(leastGross(query, 2n, 10_000) > MAX_UINT128)
  })
})
