import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  type Book,
  compileBook,
  executeBook,
  quoteBook,
  settleBook,
  simulateBook,
} from '../../../../src/engine/market/book.js'
import type { Maker, XykMaker } from '../../../../src/engine/market/pair.js'
import { isRefusal } from '../../../../src/engine/market/refusal.js'
import { visibleBook } from '../../../../src/engine/market/resting-orders.js'
import { levelCost } from '../../../../src/engine/market/venues/maker-level.js'
import {
  fillXyk,
  passedXykLevel,
  passXykLevel,
  xykCursor,
  xykLadder,
} from '../../../../src/engine/market/venues/xyk.js'
import { formatDecimal } from '../../../../src/engine/math/decimal.js'
import { pairOf, stateWith, xykMaker } from '../../../support/books.js'
import { must } from '../../../support/matching.js'

/** The first levels as `[price, size]`. */
const ladder = (of: XykMaker, offered: string, most = 2) =>
  [...xykLadder(of, offered)]
    .slice(0, most)
    .map(({ price, size }) => [formatDecimal(price), size] as const)

describe('the ladder of a constant-product maker', () => {
  const rows: readonly (readonly [string, XykMaker, string, ReturnType<typeof ladder>])[] = [
    [
      'paid in x',
      xykMaker(1_000_001_000n, 2_000_002_000n),
      'base',
      [
        ['1.998000001999998', 1_998_002n],
        ['1.994009995994009995', 1_996_006n],
      ],
    ],
    [
      'paid in y',
      xykMaker(1_000_000_000n, 2_000_000_000n),
      'quote',
      [
        ['0.4994995', 998_999n],
        ['0.498501998001998001', 998_001n],
      ],
    ],
    [
      'a denom that is neither counts as x',
      xykMaker(1_000_001_000n, 2_000_002_000n),
      'other',
      [
        ['1.998000001999998', 1_998_002n],
        ['1.994009995994009995', 1_996_006n],
      ],
    ],
    [
      'a fee is rounded down and one atomic is taken on top',
      xykMaker(1_000_001_000n, 2_000_002_000n, { fee: must('0.1') }),
      'base',
      [
        ['1.7982002017997982', 1_798_202n],
        ['1.794609595794609595', 1_796_406n],
      ],
    ],
  ]
  for (const [title, of, offered, levels] of rows)
    test(title, () => assert.deepEqual(ladder(of, offered), levels))

  const ends: readonly (readonly [string, XykMaker, number])[] = [
    ['a step of less than the least amount', xykMaker(9_999_999n, 100_000_000n), 0],
    ['an output of less than the least amount', xykMaker(100_000_000n, 10_000_000n), 0],
    ['an output of just the least amount', xykMaker(10_000_000n, 10_010_000n), 1],
    ['an output of one atomic, which it keeps', xykMaker(1000n, 1001n, { minQuote: 0n }), 0],
    ['nothing to pay in', xykMaker(0n, 100_000_000n), 0],
    ['nothing to pay out', xykMaker(100_000_000n, 0n, { minQuote: 0n }), 0],
    ['a step that rounds to nothing', xykMaker(999n, 100_000_000n, { minQuote: 0n }), 0],
    ['a level that its fee uses up', xykMaker(10_000n, 1000n, { minQuote: 0n }), 0],
    [
      'a price that equals the one of the reserves, both rounded down',
      xykMaker(10n ** 22n, 209_999n, { minQuote: 0n }),
      0,
    ],
    ['reserves whose price leaves 128 bits', xykMaker(1000n, 10n ** 24n, { minQuote: 0n }), 0],
    ['as many levels as leave enough to give', xykMaker(10_000_000n, 10_030_000n), 2],
  ]
  for (const [title, of, count] of ends)
    test(`${count} levels for ${title}`, () => assert.equal(ladder(of, 'base', 100).length, count))
})

test('the cost beside each level of a ladder is what draining the level costs', () => {
  for (const [x, y] of [
    [1_000_001_000n, 2_000_002_000n],
    [3_000_000_000_000_000_000_000n, 500_000_000n],
    [200_000_000n, 9_000_000_000_000_000n],
  ] as const) {
    const cursor = xykCursor(xykMaker(x, y, { minQuote: 1n, fee: must('0.003') }), 'base')
    const costs: bigint[] = []
    while (costs.length < 500 && passXykLevel(cursor)) {
      const { price, size } = passedXykLevel(cursor)
      assert.equal(cursor.cost, levelCost(price, size))
      costs.push(cursor.cost)
    }
    assert.ok(costs.length > 50, `${costs.length} levels of ${x} against ${y}`)
  }
})

describe('one step of a constant-product maker', () => {
  const stepped = (start: XykMaker, offered: string, sold: bigint, asked: bigint) => {
    const { reserveX, reserveY } = fillXyk(start, offered, sold, asked)
    return [reserveX, reserveY]
  }
  test('pays up to 198 for 100 into 10,000 of 20,000', () => {
    assert.deepEqual(stepped(xykMaker(10_000n, 20_000n), 'base', 100n, 198n), [10_100n, 19_802n])
    assert.throws(() => stepped(xykMaker(10_000n, 20_000n), 'base', 100n, 199n), /pays 198 for 100/)
  })
  test('pays up to 49 in the other direction, and keeps the difference to what was asked', () => {
    assert.deepEqual(stepped(xykMaker(20_000n, 10_000n), 'base', 100n, 49n), [20_100n, 9951n])
    assert.deepEqual(stepped(xykMaker(20_000n, 10_000n), 'base', 100n, 1n), [20_100n, 9951n])
    assert.deepEqual(stepped(xykMaker(10_000n, 20_000n), 'quote', 100n, 49n), [9951n, 20_100n])
  })
  test('rounds its fee down, without the atomic that a quoted level loses', () => {
    const of = xykMaker(1000n, 2000n, { fee: must('0.2') })
    assert.deepEqual(stepped(of, 'base', 50n, 76n), [1050n, 1905n])
    assert.throws(() => stepped(of, 'base', 50n, 77n), /pays 76 for 50/)
    assert.deepEqual(stepped(of, 'quote', 100n, 38n), [953n, 2100n])
    assert.throws(() => stepped(of, 'quote', 100n, 48n), /pays 38 for 100/)
  })
})

describe('reserves beyond 10^18, where a quotient of 18 digits is cut', () => {
  const x = 2n * 10n ** 18n + 1n
  test('leave in one step up to an atomic less than the curve requires', () => {
    // 11 × (2e18 + 1) is 10 × (2.2e18 + 1) and 1: rounded up it would be 11.
    const { reserveX, reserveY } = fillXyk(xykMaker(x, 11n), 'base', 2n * 10n ** 17n, 1n)
    assert.deepEqual([reserveX, reserveY], [x + 2n * 10n ** 17n, 10n])
  })
  test('end the ladder at a level that would lose that atomic', () => {
    const fails = xykMaker(x, 22n * 10n ** 17n + 12n, { step: must('0.1') })
    assert.equal(ladder(fails, 'base').length, 0)
    assert.equal(ladder({ ...fails, reserveY: fails.reserveY + 1n }, 'base').length, 2)
  })
})

const levelsOf = (book: Book, side: 'ask' | 'bid', most: number) =>
  visibleBook(book.state, side, most).levels.map(({ rate, total }) => [formatDecimal(rate), total])

const swapped = (book: Book, denom: string, amount: bigint) => {
  const done = executeBook(book, { denom, amount })
  assert.ok(!isRefusal(done))
  return done
}

const reserves = (of: Maker | undefined) => {
  assert.ok(of?.kind === 'xyk')
  return [of.reserveX, of.reserveY]
}

describe('a pair of one maker of 200,000,000 against 200,000,000,000', () => {
  const pair = pairOf({ tick: 8, takerFee: must('0.015') })
  const book = compileBook(stateWith({ pair, makers: [xykMaker(200_000_000n, 200_000_000_000n)] }))

  test('shows rates cut to eight figures against the taker', () => {
    assert.deepEqual(levelsOf(book, 'ask', 6), [
      ['1001.0061', 199_799n],
      ['1003.0111', 199_599n],
      ['1005.0161', 199_400n],
      ['1007.0312', 199_200n],
      ['1009.0462', 199_001n],
      ['1011.0613', 198_803n],
    ])
    assert.deepEqual(levelsOf(book, 'bid', 3), [
      ['999.00099', 199_800_198n],
      ['997.00598', 199_600_598n],
      ['995.01496', 199_400_998n],
    ])
  })

  const first = swapped(book, 'quote', 100_000_000n)
  test('sells half a level at its full price, and moves by one step of the curve', () => {
    assert.deepEqual([first.bought, first.fee, first.unsold], [98_400n, 1499n, 0n])
    assert.deepEqual(reserves(first.after.state.makers[0]), [199_900_050n, 200_100_000_000n])
  })

  test('quotes a new ladder from the reserves after the swap', () => {
    assert.deepEqual(levelsOf(first.after, 'bid', 3), [
      ['1000.0002', 199_900_048n],
      ['998.00324', 199_699_451n],
      ['996.01022', 199_500_849n],
    ])
    assert.deepEqual(levelsOf(first.after, 'ask', 3), [
      ['1002.0081', 199_699n],
      ['1004.0156', 199_499n],
      ['1006.0231', 199_300n],
    ])
  })

  test('fills a second swap from the levels of the new ladder', () => {
    const second = swapped(first.after, 'base', 500_000n)
    assert.deepEqual([second.bought, second.fee], [491_713_494n, 7_488_023n])
    assert.deepEqual(
      second.trades.map(({ rate, sold, bought }) => [formatDecimal(rate), sold, bought]),
      [
        ['1000.0002', 199_900n, 199_900_048n],
        ['998.00324', 200_099n, 199_699_451n],
        ['996.01022', 100_001n, 99_602_018n],
      ],
    )
  })
})

test('a maker of 10,000,000,000 against 35,017,508,754,377 pays a liquidation as recorded', () => {
  const pair = pairOf({ tick: 8, takerFee: must('0.015') })
  const rich = xykMaker(10_000_000_000n, 35_017_508_754_377n, { minQuote: 1000n })
  const done = swapped(compileBook(stateWith({ pair, makers: [rich] })), 'base', 30_000_000n)
  assert.equal(done.bought, 103_167_134_070n)
})

describe('a maker whose price falls below 10^-11, of a pair of eight figures', () => {
  const state = stateWith({
    pair: pairOf({ tick: 8 }),
    makers: [
      xykMaker(39_395_211_351_283n, 2_360_087n, {
        step: must('0.01'),
        minQuote: 100n,
        fee: must('0.01'),
      }),
    ],
  })
  const book = compileBook(state)

  for (const [name, swap] of Object.entries({ simulateBook, quoteBook, executeBook, settleBook }))
    test(`refuses in ${name} an offer that reaches its first level of fewer figures`, () => {
      const fill = swap(book, { denom: 'base', amount: 480_610_705_472_218_010n })
      assert.ok(isRefusal(fill))
      assert.equal(fill.refused, 'overflow')
      assert.ok(!isRefusal(swap(book, { denom: 'base', amount: 10n ** 15n })))
    })
})
