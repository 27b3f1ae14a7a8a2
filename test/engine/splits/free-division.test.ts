import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isWithinGasLimit, transactionGas } from '../../../src/engine/market/gas.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { queryOf } from '../../../src/engine/routing/query.js'
import {
  type LegAmount,
  type LegExecutor,
  legExecutor,
} from '../../../src/engine/splits/execute-legs.js'
import { bestSplit, findSplit } from '../../../src/engine/splits/find-split.js'
import { freeSplit, gridlessCandidates } from '../../../src/engine/splits/gridless.js'
import { searchContext } from '../../../src/engine/splits/search.js'
import type { Split } from '../../../src/engine/splits/split.js'
import { graph, market } from '../../support/demo-market.js'
import { drawMarket } from '../../support/drawn-market.js'

const BTC = 10n ** 8n
const free = { slippageBps: 50, stepPercent: 5, grid: false }
const limits = { maxHops: 4, via: [], exclude: [], affiliate: undefined }
const query = queryOf(graph, 'btc-btc', 'rune', limits)
const paid = (btc: bigint): bigint =>
  bestSplit(query, { denom: 'btc-btc', amount: btc * BTC }, free)!.expected

const named = (start: string) => graph.denoms.find((denom) => denom.startsWith(start))!

describe('a split without a grid', () => {
  test.each([
    ['what all legs need', free, 1n],
    ['twice what three legs need', { ...free, maxLegs: 3 }, 2n],
  ])('keeps within a gas limit of %s, and still pays more than one path', (_, terms, factor) => {
    const input = { denom: 'btc-btc', amount: 9n * BTC }
    const gasOf = ({ legs }: Split) =>
      transactionGas(
        market.gas,
        legs.map(({ route }) => route.gas),
      )
    const unlimited = bestSplit(query, input, free)!
    const gas = { ...market.gas, limit: gasOf(bestSplit(query, input, terms)!) * factor }
    const limited = { ...query, graph: graphOf({ ...market, gas }) }
    const { splits, single } = findSplit(limited, input, free)
    const [best] = splits
    assert.ok(!isWithinGasLimit(gas, gasOf(unlimited)))
    assert.ok(isWithinGasLimit(gas, gasOf(best!)))
    assert.ok(best!.legs.length > 1 && best!.legs.length < unlimited.legs.length)
    assert.ok(best!.expected > single!.expected)
    const onGrid = bestSplit(limited, input, { ...free, stepPercent: 1, grid: true })!
    assert.ok(best!.expected > onGrid.expected)
  })

  test('has no more legs than are allowed', () => {
    const input = { denom: 'btc-btc', amount: 9n * BTC }
    assert.equal(bestSplit(query, input, { ...free, maxLegs: 3 })!.legs.length, 3)
  })

  test('pays more for a larger amount, up to the depth of the books', () => {
    let before = 0n
    for (const btc of [1n, 3n, 6n, 9n, 10n, 11n, 12n]) {
      const now = paid(btc)
      assert.ok(now > before, `${btc} BTC pays ${now}, less BTC pays ${before}`)
      before = now
    }
  })
  test.each([1_220n, 1_240n, 1_300n])(
    'of %s hundredths of a bitcoin, which nearly use the books up, is within 2 bps of its bound',
    (hundredths) => {
      const coin = { denom: 'btc-btc', amount: (hundredths * BTC) / 100n }
      const { splits, bound } = findSplit(query, coin, free)
      const { expected } = splits[0]!
      assert.ok((bound - expected) * 5_000n <= expected, `${expected} of at most ${bound}`)
    },
  )
  test('pays no less for more than the books take at a useful price', () => {
    assert.ok(paid(14n) * 100n > paid(13n) * 99n)
  })
  test('pays more than a split on a grid, which reports the loss', () => {
    const coin = { denom: 'btc-btc', amount: 10n * BTC }
    const { splits, free: more } = findSplit(query, coin, { ...free, grid: true })
    assert.ok(more !== undefined && more * 1000n > splits[0]!.expected * 1015n)
    assert.equal(more, paid(10n))
  })
  test.each([
    ['rune', 296_684_109_440n, 'ltc-ltc', 4, []],
    ['bch-bch', 196_217_675n, 'eth-gusd-', 4, []],
    ['eth-usdc-', 2_307_852_155_310n, 'ltc-ltc', 6, []],
    // The continuous optimum has legs that do not pass the token.
    ['btc-btc', 1_660_610_315n, 'thor.nami', 4, ['thor.lqdy']],
  ])('of %s pays more than one on a grid', (start, amount, end, maxHops, via) => {
    const [from, to] = [named(start), named(end)]
    const each = queryOf(graph, from, to, { ...limits, maxHops, via })
    const [onGrid, any] = [true, false].map((grid) =>
      bestSplit(each, { denom: from, amount }, { slippageBps: 50, stepPercent: 1, grid }),
    )
    assert.ok(any!.expected > onGrid!.expected)
  })
  test.each([
    ['gaia-atom', 3_166_374_855_945n, 'doge-doge', 99_999n],
    // Here the loop costs less than paths without one.
    ['avax-avax', 8_180_779_270n, 'base-eth', 100_020n],
  ])(
    'of %s pays about as much with six hops as with four, though walks of six hops have room for a loop',
    (from, amount, to, least) => {
      const [four, six] = [4, 6].map((maxHops) => {
        const each = queryOf(graph, from, to, { ...limits, maxHops })
        return freeSplit(searchContext(each, amount), legExecutor(each), undefined)!.total
      })
      assert.ok(six! * 100_000n >= four! * least, `${six}`)
    },
  )
  test('is reported on a market of a few atomics too, where rounding pays more than the optimum', () => {
    const drawn = drawMarket(8081)
    const coin = { denom: 't5', amount: 8_682_951n }
    const each = queryOf(drawn.graph, 't5', 't4', { ...limits, maxHops: 3 })
    const terms = { slippageBps: 50, stepPercent: 6, grid: true }
    const { splits, free: more } = findSplit(each, coin, terms)
    assert.ok(more! > splits[0]!.expected)
    assert.equal(more, bestSplit(each, coin, free)!.expected)
  })
  test('reports no loss of a grid that costs at most 1 bps', () => {
    const coin = { denom: 'btc-btc', amount: BTC / 1000n }
    assert.equal(findSplit(query, coin, { ...free, grid: true }).free, undefined)
  })
  test.each([
    ['xrp-xrp', 8_080_937_451n, 'eth-usdp-'],
    ['eth-eth', 56_910_201n, 'eth-wbtc-'],
    ['gaia-atom', 40_946_645_618n, 'tcy'],
    ['bsc-bnb', 42_849_330n, 'avax-usdc-'],
  ])(
    'of %s is within 1 bps of its bound, though a loop of books is profitable',
    (from, amount, to) => {
      const coin = { denom: from, amount }
      const { splits, bound } = findSplit(queryOf(graph, from, named(to), limits), coin, free)
      const { expected } = splits[0]!
      assert.ok((bound - expected) * 10_000n <= expected, `${expected} of at most ${bound}`)
    },
  )
  test.each([0, 3])(
    'keeps a marginal leg that an execution needs (%d), and leaves the others out',
    (at) => {
      const context = searchContext(query, (BTC * 3n) / 2n)
      const run = legExecutor(query)
      const whole = freeSplit(context, run, undefined)!
      const pathsOf = (legs: readonly LegAmount[]) => legs.map(({ path }) => path)
      const all = pathsOf(whole.legAmounts)
      const shorter = gridlessCandidates(context, run, undefined)[0]!.execution
      const left = pathsOf(shorter.legAmounts)
      const marginal = all.filter((path) => !left.includes(path)).reverse()
      const needed = marginal[at]!
      const refusing: LegExecutor = Object.assign(
        (legs: readonly LegAmount[]) => {
          const paths = pathsOf(legs)
          const isShorter = paths.length < all.length && paths.every((path) => all.includes(path))
          return isShorter && !paths.includes(needed)
            ? { failedAt: 0, path: needed, refusal: { refused: 'zero_output', why: '' } as const }
            : run(legs)
        },
        { budget: run.budget },
      )
      const { execution } = gridlessCandidates(context, refusing, undefined)[0]!
      const kept = pathsOf(execution.legAmounts)
      assert.ok(marginal.length > 4 && kept.includes(needed), `${marginal.length}`)
      assert.equal(kept.length, left.length + 1)
      assert.ok((whole.total - execution.total) * 10_000n <= whole.total)
      assert.equal(
        execution.legAmounts.reduce((sum, { amount }) => sum + amount, 0n),
        context.amount,
      )
    },
  )
  test('has no leg below 0.05 % of the output', () => {
    const split = bestSplit(query, { denom: 'btc-btc', amount: (BTC * 3n) / 2n }, free)!
    for (const { route } of split.legs) assert.ok(route.expected * 2_000n > split.expected)
  })
})
