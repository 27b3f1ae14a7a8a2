import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { ArithmeticAbort, decimal, formatDecimal } from '../../../src/engine/math/decimal.js'
import { fitsTick, truncateCeil, truncateFloor } from '../../../src/engine/math/tick.js'
import { runs } from '../../support/books.js'
import { must } from '../../support/matching.js'

const rates: readonly (readonly [string, number, string, string])[] = [
  ['0.00000129', 2, '0.0000012', '0.0000013'],
  ['1001.006011041096301783', 8, '1001.006', '1001.0061'],
  ['99900.09985', 8, '99900.099', '99900.1'],
  ['99700.598951048951048951', 8, '99700.598', '99700.599'],
  ['99501.496506986027944111', 8, '99501.496', '99501.497'],
  ['99999.95', 6, '99999.9', '100000'],
  ['123456', 6, '123456', '123456'],
  ['123456.000000000000000001', 6, '123456', '123457'],
  ['1', 6, '1', '1'],
  ['0.2202', 6, '0.2202', '0.2202'],
]

describe('a rate cut to the tick', () => {
  for (const [rate, tick, floor, ceil] of rates)
    test(`of ${rate} at ${tick} figures is ${floor} for bids and ${ceil} for asks`, () => {
      assert.equal(formatDecimal(truncateFloor(must(rate), tick)), floor)
      assert.equal(formatDecimal(truncateCeil(must(rate), tick)), ceil)
    })
})

describe('the price of an order at two figures', () => {
  for (const price of ['12', '1.2', '0.00012', '10', '0.1'])
    test(`may be ${price}`, () => assert.ok(fitsTick(must(price), 2)))
  for (const price of ['123', '12.3', '0.00000123', '0'])
    test(`may not be ${price}`, () => assert.ok(!fitsTick(must(price), 2)))
  test('may not have fewer digits than the tick, and cutting it aborts', () => {
    assert.ok(!fitsTick(decimal(12n), 3))
    assert.throws(() => truncateFloor(decimal(12n), 3), ArithmeticAbort)
    assert.throws(() => truncateCeil(decimal(12n), 3), ArithmeticAbort)
    assert.equal(truncateFloor(decimal(123n), 3), 123n)
  })
})

test('a rate cut to the tick loses its tail beyond 18 digits before rounding up', () => {
  const rate = 12n * 10n ** 26n + 10n ** 7n
  assert.equal(truncateCeil(decimal(rate), 2), 12n * 10n ** 26n)
  assert.equal(truncateCeil(decimal(12n * 10n ** 26n + 10n ** 8n), 2), 13n * 10n ** 26n)
})

test('a rate cut to the tick changes by less than one unit of the last figure, and only once', () => {
  fc.assert(
    fc.property(
      fc.bigInt(10n ** 8n, 10n ** 26n),
      fc.integer({ min: 1, max: 8 }),
      (atomics, tick) => {
        const rate = decimal(atomics)
        const [floor, ceil] = [truncateFloor(rate, tick), truncateCeil(rate, tick)]
        const unit = 10n ** BigInt(atomics.toString().length - tick)
        assert.ok(floor <= rate && rate < floor + unit)
        assert.ok(ceil >= rate && ceil < rate + unit)
        assert.ok(fitsTick(floor, tick) && fitsTick(ceil, tick))
        assert.equal(truncateFloor(floor, tick), floor)
        assert.equal(truncateCeil(floor, tick), floor)
      },
    ),
    runs(500),
  )
})
