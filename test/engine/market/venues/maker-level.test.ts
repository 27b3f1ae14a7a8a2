import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Side } from '../../../../src/engine/market/pair.js'
import {
  levelCost,
  levelRate,
  takeLevel,
} from '../../../../src/engine/market/venues/maker-level.js'
import { ArithmeticAbort, decimal, formatDecimal } from '../../../../src/engine/math/decimal.js'
import { must } from '../../../support/matching.js'

type Row = readonly [price: string, size: bigint, offer: bigint, sold: bigint, bought: bigint]

const rows: readonly Row[] = [
  ['1.25', 10_000n, 500n, 500n, 625n],
  ['1.25', 10_000n, 500_000n, 8000n, 10_000n],
  ['0.00000999', 19_980n, 50_000_000n, 50_000_000n, 499n],
  ['99900.09985', 1_998_001_997n, 25_000n, 20_000n, 1_998_001_997n],
  ['99700.598951048951048951', 1_996_005_991n, 24_390n, 20_020n, 1_996_005_991n],
  ['99501.496506986027944111', 1_994_011_991n, 3977n, 3977n, 395_717_451n],
  ['3', 1000n, 333n, 333n, 999n],
  ['3', 999n, 333n, 333n, 999n],
  ['3', 1000n, 334n, 333n, 1000n],
  ['0.9', 10n, 1n, 1n, 0n],
  ['0.9', 9n, 11n, 10n, 9n],
  ['1000', 7n, 1n, 0n, 7n],
  ['1.25', 10_000n, 0n, 0n, 0n],
]

describe("a maker's level", () => {
  for (const [price, size, offer, sold, bought] of rows)
    test(`of ${size} at ${price} gives ${bought} for ${sold} of ${offer}`, () =>
      assert.deepEqual(takeLevel(must(price), size, offer), { sold, bought }))

  test('has no tolerance: one atomic short of a drain is a partial fill', () => {
    assert.deepEqual(takeLevel(must('0.001'), 600n, 599_999n), { sold: 599_999n, bought: 599n })
    assert.deepEqual(takeLevel(must('0.001'), 600n, 600_000n), { sold: 600_000n, bought: 600n })
  })

  test('with a price of few digits may cost more to drain than the step it was quoted for', () => {
    // A step of 333,333 for 1,000 is quoted as 0.003000003000003, and as 0.000000000000003 far below.
    assert.equal(levelCost(must('0.003000003000003'), 1000n), 333_333n)
    assert.equal(levelCost(decimal(3n), 1n), 333_333_333_333_333_333n)
  })
})

const examples: readonly (readonly [Side, string, number, string])[] = [
  ['ask', '0.000998995', 8, '1001.0061'],
  ['bid', '999.00099', 8, '999.00099'],
  ['bid', '99900.09985', 8, '99900.099'],
  ['bid', '99700.598951048951048951', 8, '99700.598'],
  ['ask', '17052.573674776412241516', 8, '0.000058642175'],
  ['ask', '17052.573581868151794956', 8, '0.000058642175'],
  ['ask', '0.3', 6, '3.33334'],
  ['ask', '0.5', 6, '2'],
]

describe("the rate shown for a maker's level", () => {
  for (const [side, price, tick, rate] of examples)
    test(`${side} ${price} at ${tick} figures is ${rate}: never better than the price`, () =>
      assert.equal(formatDecimal(levelRate(side, tick, { price: must(price), size: 1n })), rate))
})

describe("a maker's level beyond 128 bits", () => {
  const past = 340_282_366_920_938_463_464n
  const overflows: readonly (readonly [string, () => unknown])[] = [
    ['an offer', () => takeLevel(must('1'), 5n, past)],
    ['an offer times the price', () => takeLevel(must('1000'), 5n, past / 1000n + 1n)],
    ['the cost of a drain', () => takeLevel(decimal(1n), 341n, 1n)],
    [
      'a size when the level is received',
      () => levelRate('bid', 6, { price: must('0.5'), size: past }),
    ],
    [
      'a size times its price when the level is received',
      () => levelRate('bid', 6, { price: must('1000'), size: past / 1000n + 1n }),
    ],
    [
      'a price of fewer digits than the tick',
      () => levelRate('bid', 6, { price: decimal(99_999n), size: 1n }),
    ],
  ]
  for (const [title, compute] of overflows)
    test(`aborts for ${title}`, () => assert.throws(compute, ArithmeticAbort))
  test('does not abort for amounts just within 128 bits', () => {
    assert.equal(takeLevel(must('1'), 5n, past - 1n).sold, 5n)
    assert.equal(takeLevel(must('1000'), 5n, past / 1000n).bought, 5n)
    assert.equal(takeLevel(decimal(1n), 340n, 1n).sold, 1n)
    assert.equal(levelRate('bid', 6, { price: must('1'), size: past - 1n }), must('1'))
  })
})
