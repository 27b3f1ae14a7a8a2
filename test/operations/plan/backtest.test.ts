import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { usualGas } from '../../../src/engine/market/gas.js'
import type { Market } from '../../../src/engine/market/market.js'
import { parseDecimal } from '../../../src/engine/math/decimal.js'
import {
  backtest,
  backtestPlan,
  bestDivision,
  compareDivisions,
  evenSlices,
} from '../../../src/operations/plan/backtest.js'
import type { DivisionDocument, PlanDocument } from '../../../src/operations/plan/plan-documents.js'
import { smallMarket } from '../../support/small-market.js'

/** Two orders to buy `a`: 50 at 1 and many at a half. */
const fresh = (): Market =>
  smallMarket(
    {
      'a/b': {
        quote: [
          { price: '1', total: '50000000' },
          { price: '0.5', total: '900000000' },
        ],
      },
    },
    { dialect: 'forward' },
  )
const at = (height: number, market: Market): Market => ({
  ...market,
  height,
  time: new Date(height * 1_000).toISOString(),
})
const planOf = (count: number, everyMs: number): PlanDocument => ({
  format: 'swap.plan/1',
  id: 'p_00000000',
  network: 'small',
  chain_id: 'small-1',
  input: { denom: 'a', amount: '100000000' },
  output: 'b',
  slices: evenSlices(100_000_000n, count, { start: 86_400_000, everyMs }),
})
const gainsOf = async (markets: readonly Market[], plan: PlanDocument, ...starts: number[]) =>
  (await backtest(markets, [plan], new Set(starts)))[0]!.runs

describe('a plan on recorded blocks', () => {
  test('pays as much as all at once where no maker quotes again', async () => {
    const market = fresh()
    const blocks = [1, 2, 3].map((height) => at(height, market))
    const [run, more] = await gainsOf(blocks, planOf(3, 1_000), 1)
    assert.deepEqual([run!.height, run!.time, more], [1, '1970-01-01T00:00:01.000Z', undefined])
    assert.equal(run!.at_once, '75000000')
    assert.ok(Math.abs(run!.gain_bps!) < 0.05, `${run!.gain_bps}`)
  })

  test('pays for the gas of every slice where gas has a price', async () => {
    const price = { denom: 'b', amount: parseDecimal('2')! }
    const market = { ...fresh(), gas: { ...usualGas, price } }
    const [run] = await gainsOf([at(1, market), at(2, market)], planOf(2, 1_000), 1)
    // At two atomics for 1.4 times the gas of a transaction with a hop of one or two levels.
    const [one, two] = [1n, 2n].map(
      (levels) => (28n * (130_000n + 125_000n + 130_000n + levels * 21_000n)) / 10n,
    )
    assert.deepEqual(
      [run!.at_once, run!.in_time],
      [`${75_000_000n - two!}`, `${75_000_000n - one! * 2n}`],
    )
  })

  test('pays more where the recorded pair changes in between', async () => {
    const blocks = [at(1, fresh()), at(2, fresh())]
    const [run] = await gainsOf(blocks, planOf(2, 1_000), 1)
    // 50 + 50 in place of 50 + 25.
    assert.ok(Math.abs(run!.gain_bps! - 3_333.33) < 0.1, `${run!.gain_bps}`)
  })

  test('executes slices that are due in one block after each other', async () => {
    const market = fresh()
    const [run] = await gainsOf([at(1, market), at(9, market)], planOf(4, 2_000), 1)
    assert.equal(run!.failed, 0)
    assert.ok(Math.abs(run!.gain_bps!) < 0.1, `${run!.gain_bps}`)
  })

  test('begins on each start, and leaves out what does not end on the tape', async () => {
    const blocks = [1, 2, 3].map((height) => at(height, fresh()))
    const runs = await gainsOf(blocks, planOf(2, 1_000), 1, 2, 3)
    assert.deepEqual(
      runs.map(({ height }) => height),
      [1, 2],
    )
  })

  test('is left out where more than ten blocks are missing between its slices', async () => {
    const lastAt = (height: number) =>
      gainsOf([at(1, fresh()), at(height, fresh())], planOf(2, 1_000), 1)
    assert.equal((await lastAt(12)).length, 1)
    assert.deepEqual(await lastAt(13), [])
  })

  test('has no gain where the starting block does not buy the whole', async () => {
    const half = { 'a/b': { quote: [{ price: '1', total: '60000000' }] } }
    const blocks = [at(1, smallMarket(half, { dialect: 'forward' })), at(2, fresh())]
    const [run] = await gainsOf(blocks, planOf(2, 1_000), 1)
    assert.deepEqual(
      [run!.at_once, run!.in_time, run!.failed, run!.gain_bps],
      [null, '100000000', 0, null],
    )
  })

  test('has no gain where a slice finds no market', async () => {
    const empty = smallMarket({ 'a/b': {} }, { dialect: 'forward' })
    const [tested] = await backtest(
      [at(1, fresh()), at(2, empty)],
      [planOf(2, 1_000)],
      new Set([1]),
    )
    const [run] = tested!.runs
    assert.deepEqual([run!.failed, run!.gain_bps, tested!.gain], [1, null, null])
    const [first, last] = [at(1, fresh()), at(2, empty)]
    const blocks = { heights: [1, 2], first, last, markets: () => [first, last] }
    const terms = { everyMs: 1_000, most: 1 }
    const divisions = await compareDivisions(blocks, (count) => planOf(count, 1_000), terms)
    assert.deepEqual(
      divisions.map(({ received, gain }) => [received, gain === null]),
      [
        ['75000000', false],
        [null, true],
      ],
    )
  })
})

/** Blocks, a second apart; in some of them all is bought at 1, by default from the third on. */
const recorded = (
  isBetter = (height: number) => height >= 3,
  heights: readonly number[] = [1, 2, 3, 4, 5],
) => {
  const better = smallMarket(
    { 'a/b': { quote: [{ price: '1', total: '900000000' }] } },
    { dialect: 'forward' },
  )
  const markets = heights.map((height) => at(height, isBetter(height) ? better : fresh()))
  const head = ({ height, chainId, time }: Market) => ({ height, chainId, time })
  return {
    heights,
    markets: () => markets,
    first: head(markets[0]!),
    last: head(markets.at(-1)!),
  }
}

test('slices are of equal size, the first ones with what remains, and evenly spaced in time', () => {
  const slices = evenSlices(11n, 3, { start: 5_000, everyMs: 500 })
  assert.deepEqual(slices, [
    { amount: '4', due: '1970-01-01T00:00:05.000Z' },
    { amount: '4', due: '1970-01-01T00:00:05.500Z' },
    { amount: '3', due: '1970-01-01T00:00:06.000Z' },
  ])
})

const countsOf = (divisions: readonly DivisionDocument[]) => divisions.map(({ slices }) => slices)

describe('a plan on a tape', () => {
  test('has the quantiles of the gains of its runs', async () => {
    const blocks = Array.from({ length: 22 }, (_, i) => {
      const orders = [
        { price: '1', total: `${50 + i}000000` },
        { price: '0.5', total: '900000000' },
      ]
      return at(i, smallMarket({ 'a/b': { quote: orders } }, { dialect: 'forward' }))
    })
    const [tested] = await backtest(
      blocks,
      [planOf(2, 1_000)],
      new Set(blocks.map(({ height }) => height)),
    )
    const sorted = tested!.runs.map(({ gain_bps }) => gain_bps!).toSorted((a, b) => a - b)
    assert.equal(new Set(sorted).size, 21)
    const [worst_bps, p5_bps] = sorted
    const [median_bps, p95_bps, best_bps] = [10, 19, 20].map((place) => sorted[place])
    const quantiles = { worst_bps, p5_bps, median_bps, p95_bps, best_bps }
    assert.deepEqual(tested!.gain, { ...quantiles, left_out: 0 })
  })

  test.each([
    [0, 8, [1, 2, 3, 4, 5]],
    [2_000, 8, [1, 2, 3]],
    [4_000, 8, [1]],
    [1_000, 2, [1, 3]],
    [0, 2, [1, 3]],
  ])(
    'of %d ms begins at most %d times, on each block from which it ends: %j',
    async (everyMs, most, heights) => {
      const { runs, first, last } = await backtestPlan(recorded(), planOf(2, everyMs), most)
      assert.deepEqual([first, last], [1, 5])
      assert.deepEqual(
        runs.map(({ height }) => height),
        heights,
      )
    },
  )

  test('that was recorded in two parts ends in the one in which it begins', async () => {
    const blocks = recorded(undefined, [1, 2, 3, 4, 5, 101, 102, 103, 104, 105])
    const { runs } = await backtestPlan(blocks, planOf(2, 2_000), 8)
    assert.deepEqual(
      runs.map(({ height }) => height),
      [1, 2, 3, 101, 102, 103],
    )
    const why = 'the plan takes 4.001 s, and 4 s are recorded without a long gap'
    await assert.rejects(backtestPlan(blocks, planOf(2, 4_001), 8), { why })
    const terms = { everyMs: 1_000, most: 9 }
    const divisions = await compareDivisions(blocks, (count) => planOf(count, 1_000), terms)
    assert.deepEqual(countsOf(divisions), [1, 2, 3])
  })

  test('may last as long as the tape, of the same chain', async () => {
    const other = { ...planOf(2, 1_000), chain_id: 'other-1' }
    const refused: readonly (readonly [PlanDocument, string])[] = [
      [planOf(2, 4_001), 'the plan takes 4.001 s, and 4 s are recorded without a long gap'],
      [planOf(3, 2_001), 'the plan takes 4.002 s, and 4 s are recorded without a long gap'],
      [other, 'the tape is of small-1, the plan for other-1'],
    ]
    for (const [plan, why] of refused) {
      const members = { errors: [{ pointer: '', detail: why }] }
      const error = { code: 'INVALID_REQUEST', why, members }
      await assert.rejects(backtestPlan(recorded(), plan, 8), error)
    }
  })

  const divided = (everyMs: number, amount = '100000000') =>
    compareDivisions(
      recorded(),
      (count) => ({ ...planOf(count, everyMs), input: { denom: 'a', amount } }),
      { everyMs, most: 2 },
    )

  test('is divided into what half of the tape has time for, but at least into two', async () => {
    assert.deepEqual(countsOf(await divided(1_000)), [1, 2, 3])
    assert.deepEqual(countsOf(await divided(1_001)), [1, 2])
    assert.deepEqual(countsOf(await divided(4_000)), [1, 2])
    assert.deepEqual(countsOf(await divided(1_000, '2')), [1, 2])
  })

  test('is divided on the starts from which the greatest number of slices ends', async () => {
    const blocks = [1, 2, 3].map((height) => at(height, fresh()))
    const plans = [planOf(1, 1_000), planOf(3, 1_000)]
    const divisions = await backtest(blocks, plans, new Set([1, 2, 3]))
    for (const { runs } of divisions)
      assert.deepEqual(
        runs.map(({ height }) => height),
        [1],
      )
  })

  test('has the lower median of two runs, whichever began first', async () => {
    for (const worse of [1, 2]) {
      const blocks = recorded((height) => height !== worse)
      const terms = { everyMs: 1_000, most: 2 }
      const divisions = await compareDivisions(blocks, (count) => planOf(count, 1_000), terms)
      assert.equal(divisions[0]!.received, '75000000')
    }
  })

  test('is best divided with the greatest median gain, of equal ones into the fewest slices', () => {
    const divisionsOf = (...medians: readonly (number | null)[]): readonly DivisionDocument[] =>
      medians.map((median_bps, i) => ({
        slices: i + 1,
        received: '1',
        failed: 0,
        gain: median_bps === null ? null : { ...level, median_bps },
      }))
    const level = { worst_bps: 5, p5_bps: 5, p95_bps: 5, best_bps: 5, left_out: 0 }
    const rows = [[5, 5], [null, -5], [5, null, 6], [-7, -6, -8], [null]]
    assert.deepEqual(
      rows.map((medians) => bestDivision(divisionsOf(...medians)).slices),
      [1, 2, 3, 2, 1],
    )
  })

  const divisionsOn = (marketAt: (height: number) => Market) => {
    const markets = [1, 2, 3, 4, 5].map((each) => at(each, marketAt(each)))
    const blocks = { ...recorded(), markets: () => markets }
    return compareDivisions(blocks, (count) => planOf(count, 1_000), { everyMs: 1_000, most: 3 })
  }
  const buying = (price: string, total: string) =>
    smallMarket({ 'a/b': { quote: [{ price, total }] } }, { dialect: 'forward' })

  test('is best divided so that slices fail on the fewest starting blocks', async () => {
    const divisions = await divisionsOn((at) => (at < 4 ? fresh() : buying('0.4', '15000000')))
    assert.equal(`${divisions.map(({ failed, gain }) => [failed, gain?.left_out])}`, '0,0,1,1,0,0')
    assert.equal(bestDivision(divisions).slices, 3)
  })

  test('is best divided with the greatest median output where the whole is never bought at once', async () => {
    const divisions = await divisionsOn(() => buying('1', '60000000'))
    assert.equal(bestDivision(divisions).received, '100000000')
  })
})
