import assert from 'node:assert/strict'
import { test } from 'vitest'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { queryOf, workBudget } from '../../../src/engine/routing/query.js'
import {
  largestBelow,
  leastInput,
  mostInput,
  mostOutput,
  smallestAbove,
} from '../../../src/engine/routing/size-limits.js'
import { drawMarket } from '../../support/drawn-market.js'
import { documentOf, marketOf, pairOf, shuffled } from '../../support/markets.js'
import { bestPath, openLimits, queryIn, smallMarkets } from './small-markets.js'

test('the largest amount below a refused one is accepted, and one atomic more is refused', () => {
  let boundaries = 0
  for (const { seed, query, outputs, drawn } of smallMarkets(8)) {
    const refused = outputs.flatMap((output, x) => (x > 0 && output === 0n ? [x] : []))
    for (const x of shuffled(drawn.random, refused).slice(0, 10)) {
      const found = largestBelow(query, BigInt(x))
      if (found === undefined) continue
      const at = Number(found.amount)
      assert.ok(at < x && outputs[at] === found.output && found.output > 0n, `seed ${seed} ${x}`)
      assert.equal(outputs[at + 1], 0n, `seed ${seed} below ${x}: ${at}`)
      boundaries += 1
    }
  }
  assert.ok(boundaries > 8, `${boundaries} boundaries`)
})

test('no largest amount is reported only where no smaller amount is accepted', () => {
  // This pool sells only for its whole cost: less pays nothing, more is left over.
  const bids = [['0.002', '1']] as const
  const pair = pairOf(['p', 'a', 'b'], { bids }, { fin_version: '1.0.0' })
  const query = queryIn(marketOf(documentOf([pair])), 'a', 'b')
  assert.equal(bestPath(query, 500n)?.output, 1n)
  for (const refused of [501n, 700n, 1500n])
    assert.deepEqual(largestBelow(query, refused), { amount: 500n, output: 1n })
})

test('nothing is searched where the fees of an affiliate leave nothing', () => {
  const pair = pairOf(['p', 'a', 'b'], { bids: [['0.5', '1000']] })
  const { graph } = marketOf(documentOf([pair]))
  const affiliate = { code: 'all', affiliateFeeBps: 10_000n, referralFeeShareBps: 0n }
  const query = queryOf(graph, 'a', 'b', { ...openLimits, affiliate })
  assert.deepEqual(
    [leastInput(query), mostInput(query), mostOutput(query)],
    Array(3).fill(undefined),
  )
  assert.equal(query.budget.spent, 0)
})

test('a search over 128 bits ends where every amount is refused', () => {
  // Less than a million is refused by the pool's precision, more by the fee's product.
  const bids = [['1000000000000000', `${10n ** 31n}`]] as const
  const query = queryIn(marketOf(documentOf([pairOf(['p', 'a', 'b'], { bids })])), 'a', 'b')
  assert.deepEqual([leastInput(query), mostOutput(query)], [undefined, undefined])
})

test('a largest amount is found where every doubled step down from the refused one passes it over', () => {
  const { random, graph } = drawMarket(108, { size: 'small' })
  random()
  const [from, to] = shuffled(random, graph.denoms)
  const query = queryOf(graph, from!, to!, { ...openLimits, via: ['pair66.3'] })
  assert.deepEqual([leastInput(query), bestPath(query, 22_918n)], [4n, undefined])
  const { amount, output } = largestBelow(query, 22_918n)!
  assert.equal(bestPath(query, amount)?.output, output)
  assert.equal(bestPath(query, amount + 1n), undefined)
})

test('the most and the least of a pair are the same after another request has searched for them', () => {
  for (const { seed, query, outputs } of smallMarkets(6)) {
    const fresh = { ...query, graph: graphOf(query.graph.market) }
    assert.deepEqual(mostInput(fresh), largestBelow(query, 10n ** 30n), `seed ${seed}`)
    const most = largestBelow(query, 10n ** 30n)
    assert.equal(smallestAbove(query, 10n ** 30n, most), undefined)
    assert.deepEqual(largestBelow(query, 10n ** 30n), most, `seed ${seed}`)
    assert.deepEqual(mostInput(query), most, `seed ${seed}`)
    const least = BigInt(outputs.findIndex((output) => output > 0n))
    assert.equal(leastInput(fresh), least, `seed ${seed}`)
    assert.equal(leastInput(fresh), least, `seed ${seed}`)
  }
})

test('coins of the router do not count towards the output of the smallest amount', () => {
  const pair = pairOf(['p', 'a', 'b'], { bids: [['0.01', '100']] })
  const query = queryIn(marketOf(documentOf([pair], { balances: { b: '5' } })), 'a', 'b')
  assert.equal(bestPath(query, 99n), undefined)
  assert.equal(leastInput(query), 100n)
})

test('coins of the router that a path sells on count towards the most that it pays', () => {
  const near = pairOf(['p', 'a', 'b'], { bids: [['1', '100']] })
  const far = pairOf(['q', 'b', 'c'], { bids: [['1', '900']] })
  const direct = pairOf(['r', 'a', 'c'], { bids: [['1', '300']] })
  const document = documentOf([near, far, direct], { balances: { b: '500' } })
  assert.deepEqual(mostOutput(queryIn(marketOf(document), 'a', 'c')), {
    amount: 100n,
    output: 600n,
  })
})

test('a search of sizes whose budget is spent fills no path', () => {
  const { graph } = drawMarket(3, { size: 'small' })
  const [from, to] = graph.denoms
  const budget = workBudget(1)
  assert.equal(mostInput(queryOf(graph, from!, to!, openLimits, budget)), undefined)
  assert.ok(budget.isCut && budget.spent < 10, `${budget.spent} units`)
})

test('a search of sizes that was cut is not kept for another request', () => {
  const { market, denoms } = drawMarket(1, { size: 'small' }).graph
  const [from, to] = denoms
  let partial = 0
  for (let units = 1; ; units += 10) {
    const graph = graphOf(market)
    const query = queryOf(graph, from!, to!, openLimits, workBudget(units))
    const found = mostInput(query)
    if (!query.budget.isCut) break
    assert.equal(graph.sizeLimits.values().next().value?.most, undefined)
    smallestAbove(queryOf(graph, from!, to!, openLimits, workBudget(1)), 1n, found)
    assert.equal(graph.sizeLimits.values().next().value?.most, undefined)
    if (found !== undefined) partial += 1
  }
  assert.ok(partial > 0)
})

test('limits of a request have a range of their own', () => {
  const near = pairOf(['p', 'a', 'b'], { bids: [['1', '100']] })
  const deep = pairOf(['q', 'a', 'b'], { bids: [['1', '900']] })
  const { graph } = marketOf(documentOf([near, deep]))
  const most = (limits: object) => mostInput(queryOf(graph, 'a', 'b', { ...openLimits, ...limits }))
  assert.equal(most({})?.amount, 900n)
  assert.equal(most({ exclude: ['q'] })?.amount, 100n)
  assert.equal(most({})?.amount, 900n)
  const affiliate = { affiliateFeeBps: 1_000n, referralFeeShareBps: 0n }
  const paid = (limits: object) =>
    mostOutput(queryOf(graph, 'a', 'b', { ...openLimits, ...limits }))!.output
  assert.equal(paid({}) - paid({ affiliate }), 90n)
})

test('the smallest amount above a refused one is accepted, and one atomic less is refused', () => {
  let boundaries = 0
  for (const { seed, query, outputs, drawn } of smallMarkets(8)) {
    const refused = outputs.flatMap((output, x) => (x > 0 && output === 0n ? [x] : []))
    for (const x of shuffled(drawn.random, refused).slice(0, 10)) {
      const found = smallestAbove(query, BigInt(x))
      if (found === undefined) continue
      assert.ok(found.amount > BigInt(x), `seed ${seed} above ${x}`)
      assert.equal(bestPath(query, found.amount)?.output, found.output, `seed ${seed} above ${x}`)
      assert.equal(bestPath(query, found.amount - 1n), undefined, `seed ${seed} above ${x}`)
      boundaries += 1
    }
  }
  assert.ok(boundaries > 8, `${boundaries} boundaries`)
})
