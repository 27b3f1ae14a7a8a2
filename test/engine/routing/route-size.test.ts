import assert from 'node:assert/strict'
import { test } from 'vitest'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import type { PairState } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { routeAlong } from '../../../src/engine/routing/find-routes.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { type PathQuery, queryOf, workBudget } from '../../../src/engine/routing/query.js'
import { minReturnOf } from '../../../src/engine/routing/route.js'
import { inputFor, routesForOutput } from '../../../src/engine/routing/route-size.js'
import { mostOutput } from '../../../src/engine/routing/size-limits.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { drawMarket } from '../../support/drawn-market.js'
import {
  anyOf,
  between,
  costsOf,
  documentOf,
  marketOf,
  pairOf,
  seeds,
  shuffled,
} from '../../support/markets.js'
import { bestPath, LIMIT, openLimits, outputsOf, queryIn, smallMarkets } from './small-markets.js'

/** Outputs with the smallest sufficient input each, found by trying every input. */
function* outputQueries(count: number) {
  for (const { seed, query, outputs, drawn } of smallMarkets(count)) {
    const payable = [...new Set(outputs)].filter((output) => output > 0n)
    for (let i = 0; i < 8; i += 1) {
      const slippageBps = anyOf(drawn.random, [0, 50, 300])
      const output = anyOf(drawn.random, payable)
      const wanted = minReturnOf(output - BigInt(between(drawn.random, 0, 1)), slippageBps)
      const isEnough = (paid: bigint) => paid > 0n && minReturnOf(paid, slippageBps) >= wanted
      const smallest = BigInt(outputs.findIndex(isEnough))
      yield { seed, query, wanted, slippageBps, smallest }
    }
  }
}

test('the input found for an output suffices, and is the smallest but for one dust market in two hundred', () => {
  const [missed, queried]: [string[], string[]] = [[], []]
  for (const { seed, query, wanted, slippageBps, smallest } of outputQueries(8)) {
    const found = inputFor(query, wanted, slippageBps)
    const label = `seed ${seed}: ${wanted} at ${slippageBps} bps`
    queried.push(label)
    if ('amount' in found) {
      const { output } = bestPath(query, found.amount)!
      assert.ok(minReturnOf(output, slippageBps) >= wanted, label)
      assert.ok(found.amount >= smallest, label)
    }
    if (!('amount' in found) || found.amount > smallest) missed.push(label)
  }
  assert.ok(missed.length * 200 <= queried.length, `${missed} of ${queried.length}`)
})

test('one accepted input between two refused ones is found where no other pays as much', () => {
  // Offers from 90 to 99 and from 101 to 199 end one atomic short of draining a pool.
  const bids = [
    ['0.1', '10'],
    ['0.01', '1'],
  ] as const
  const query = queryIn(marketOf(documentOf([pairOf(['p', 'a', 'b'], { bids })])), 'a', 'b')
  const outputs = outputsOf(query)
  assert.equal(
    outputs.findIndex((output) => output >= 9n),
    100,
  )
  const found = inputFor(query, 9n, 0)
  assert.equal('amount' in found && found.amount, 100n)
})

test('an input above 2^128 / 10^18 is found where pools take it', () => {
  const pair = pairOf(['p', 'a', 'b'], { bids: [['0.01', `${10n ** 20n}`]] })
  const query = queryIn(marketOf(documentOf([pair])), 'a', 'b')
  const found = inputFor(query, 10n ** 19n, 0)
  assert.equal('amount' in found && found.amount, 10n ** 21n)
})

test('a pool without spare precision does not hide a smaller input before it', () => {
  const spent = { price: '0.9', total: '1000', sum: ['7'.repeat(76), 0], product: ['1', 60] }
  const quote = [{ price: '1', total: '1500' }, spent, { price: '0.8', total: '1000000' }]
  const pair = pairOf(['p', 'a', 'b'], {}, { pools: { base: [], quote } })
  const query = queryIn(marketOf(documentOf([pair])), 'a', 'b')
  assert.equal(bestPath(query, 1400n)?.output, 1400n)
  const found = inputFor(query, 1400n, 0)
  assert.equal('amount' in found && found.amount, 1400n)
})

/** A maker whose prices fall below the digits of the tick: the contract aborts on more than 3,133,982,583,998,949. */
const endingLadder = (base: string, quote: string) => {
  const xyk = [
    { x: base, y: quote, step: '0.05', min_quote: '1', fee: '0.001' },
    { x: '1000000000000', y: '1000000' },
  ]
  return pairOf(['ladder', base, quote], {}, { makers: [{ address: 'm', strategy: { xyk } }] })
}

test('the most that is paid before the contract aborts is found', () => {
  const query = queryIn(marketOf(documentOf([endingLadder('a', 'b')])), 'a', 'b')
  const found = inputFor(query, mostOutput(query)!.output, 0)
  assert.equal('amount' in found && found.amount, 3_124_030_255_651_733n)
})

const step = (base: string, quote: string) =>
  pairOf([`${base}${quote}`, base, quote], { bids: [['1', `${10n ** 18n}`]] })

for (const [hop, rest] of [
  ['first', [endingLadder('a', 'c'), step('c', 'd'), step('d', 'b')]],
  ['last', [step('a', 'c'), step('c', 'd'), endingLadder('d', 'b')]],
] as const)
  test(`a path whose ${hop} hop aborts on the best input found so far is tried with less`, () => {
    const expensive = pairOf(['dear', 'a', 'b'], { bids: [['0.00000000001', '1000000']] })
    const pairs = [expensive, ...rest]
    const found = inputFor(queryIn(marketOf(documentOf(pairs)), 'a', 'b'), 998_562n, 0)
    assert.equal('amount' in found && found.amount, 3_124_030_255_651_733n)
  })

test('a path that is refused over a wide range of inputs leaves the search work for the others', () => {
  // From 10^6 to 10^8 the order of one is an atomic short of being drained, which some versions refuse.
  const quote = [{ price: '0.01', size: '1000000' }]
  const makers = [
    { address: 'm', levels: { base: [], quote }, levels_truncated: { base: false, quote: false } },
  ]
  const bids = [['0.01', '1']] as const
  const tied = pairOf(['tied', 'a', 'b'], { bids }, { makers, fin_version: undefined })
  const moreExpensive = pairOf(['dearer', 'a', 'b'], { bids: [['0.009', '1000000']] })
  const { graph } = marketOf(documentOf([tied, moreExpensive]))
  const query = queryOf(graph, 'a', 'b', openLimits, workBudget(5_000))
  const found = inputFor(query, 500_000n, 0)
  assert.equal('amount' in found && found.amount, 55_555_556n)
  assert.equal(query.budget.isCut, false)
})

test('the output of an amount in a large market is found for that amount or less', () => {
  let queries = 0
  for (const seed of seeds(12)) {
    const drawn = drawMarket(seed, { size: 'real', books: false })
    const [from, to] = shuffled(drawn.random, drawn.graph.denoms)
    const query = queryIn(drawn, from!, to!)
    const { book, side } = anyOf(drawn.random, drawn.graph.leaving[query.from]!)
    for (const cost of costsOf(book, side, 3)) {
      const amount = (cost * BigInt(between(drawn.random, 1, 100))) / 100n
      const best = amount > 0n ? bestPath(query, amount) : undefined
      const isSpent = best?.edges.some(({ book }) => isOutOfPrecision(book.state))
      if (best === undefined || isSpent) continue
      const found = inputFor(query, minReturnOf(best.output, 50), 50)
      assert.ok('amount' in found && found.amount <= amount, `seed ${seed}: ${amount}`)
      queries += 1
    }
  }
  assert.ok(queries > 10, `${queries} queries`)
})

const isOutOfPrecision = ({ asks, bids }: PairState): boolean =>
  [asks, bids].some((side) =>
    [...side.fixed, ...side.oracle].some(({ sum }) => sum !== undefined && sum.mantissa > 0n),
  )

/** A thin book whose price falls below that of a deep one. */
const thinAndDeep = (depth: string): PathQuery => {
  const bids = [
    ['1', '60'],
    ['0.5', '40'],
  ] as const
  const thin = pairOf(['thin', 'a', 'b'], { bids })
  const deep = pairOf(['deep', 'a', 'b'], { bids: [['0.05', depth]] })
  return queryIn(marketOf(documentOf([thin, deep])), 'a', 'b')
}

for (const [title, depth] of [
  ['a thin book with a better price is preferred to a deep one that pays as much', '1000'],
  ['a thin book with a better price is found where the worse one cannot pay as much', '50'],
] as const)
  test(title, () => {
    const query = thinAndDeep(depth)
    assert.equal(bestPath(query, 110n)?.output, 85n)
    const found = inputFor(query, 85n, 0)
    assert.equal('amount' in found ? found.amount : `at most ${found.largest?.output}`, 110n)
  })

test('the input found for an output of the demo market is at most the amount that pays it', () => {
  const market = decodeSnapshot(demoSnapshot(1), 'demo')
  const graph = graphOf(market)
  const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  const usdt = 'eth-usdt-0xdac17f958d2ee523a2206206994597c13d831ec7'
  const queried = [
    ['btc-btc', 'tcy', 35_607_576n],
    ['bsc-bnb', 'tcy', 4_682_439_835n],
    [usdc, usdt, 6_404_547_740_315n],
    ['rune', 'tcy', 5_269_037_275_882n],
    ['btc-btc', 'rune', 100_000_000n],
    ['rune', usdc, 100_000_000_000n],
  ] as const
  for (const [from, to, amount] of queried) {
    const query = queryOf(graph, from, to, { ...openLimits, maxHops: 4 })
    const wanted = minReturnOf(bestPath(query, amount)!.output, 50)
    const found = inputFor(query, wanted, 50)
    const described = 'amount' in found ? `${found.amount}` : 'none'
    assert.ok(
      'amount' in found && found.amount <= amount,
      `${from} to ${to}: ${described} for ${amount}`,
    )
  }
})

test('an output beyond the market is refused with the most that any path pays, however much is sold', () => {
  let answers = 0
  for (const { seed, query, outputs } of smallMarkets(12)) {
    const most = inputFor(query, 10n ** 30n, 50)
    assert.ok('largest' in most, `seed ${seed}`)
    const { amount, output } = most.largest!
    assert.equal(bestPath(query, amount)?.output, output, `seed ${seed}`)
    assert.ok(
      outputs.every((paid) => paid <= output),
      `seed ${seed}: ${output}`,
    )
    answers += 1
  }
  assert.ok(answers > 3, `${answers} answers`)
})

test('routes for an output are chosen by what they need, not by what they pay for the least input', () => {
  const pair = (name: string, ...bids: (readonly [string, string])[]) =>
    pairOf([name, 'a', 'b'], { bids })
  const best = pair('best', ['1', '60'], ['0.5', '40'])
  const ending = pair('ending', ['0.7', '77'], ['0.01', '1000'])
  const pairs = [best, ending, pair('flat', ['0.6', '1000'])]
  const query = queryIn(marketOf(documentOf(pairs)), 'a', 'b')
  const found = inputFor(query, 85n, 0)
  assert.ok('amount' in found)
  const inputs = (count: number) =>
    routesForOutput(query, { found, wanted: 85n, count }, { slippageBps: 0 }).routes.map(
      ({ input }) => input.amount,
    )
  assert.deepEqual(inputs(3), [110n, 142n, 910n])
  assert.deepEqual(inputs(2), [110n, 142n])
})

test('routes for an output take the least input that pays it over their path, the cheapest first', () => {
  const missed: string[] = []
  let compared = 0
  for (const { seed, query, wanted, slippageBps } of outputQueries(6)) {
    const found = inputFor(query, wanted, slippageBps)
    if (!('amount' in found) || found.amount > LIMIT) continue
    const terms = { limits: openLimits, slippageBps }
    const { routes } = routesForOutput(query, { found, wanted, count: 3 }, terms)
    const inputs = routes.map(({ input }) => input.amount)
    assert.equal(inputs[0], found.amount, `seed ${seed}`)
    assert.deepEqual(
      inputs,
      inputs.toSorted((a, b) => (a < b ? -1 : 1)),
    )
    for (const { hops, input, minReturn } of routes) {
      assert.ok(minReturn >= wanted, `seed ${seed}`)
      const books = hops.map(({ book }) => book)
      for (let amount = found.amount; amount < input.amount && amount < LIMIT; amount += 1n) {
        const less = routeAlong(query.graph.market, books, { denom: input.denom, amount }, terms)
        if (!isRefusal(less) && less.minReturn >= wanted) missed.push(`seed ${seed}: ${amount}`)
        compared += 1
      }
    }
  }
  assert.ok(compared > 1_000)
  assert.ok(missed.length < compared / 200, missed.join())
})
