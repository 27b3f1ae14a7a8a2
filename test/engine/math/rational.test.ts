import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { squareRoot } from '../../../src/engine/math/integers.js'
import {
  bpsBelow,
  compareRationals,
  formatRational,
  rational,
  toBps,
  toPercent,
} from '../../../src/engine/math/rational.js'

test('rationals are compared by value, whatever their denominators', () => {
  const [low, high] = [rational(-1n, 3n), rational(2n, 6n)]
  assert.deepEqual(
    [
      compareRationals(low, high),
      compareRationals(high, low),
      compareRationals(high, rational(1n, 3n)),
    ],
    [-1, 1, 0],
  )
})

describe('the text form of a rational', () => {
  test.each([
    [0n, 7n, '0'],
    [2n, 3n, '0.666666666666666666'],
    [1n, 3000n, '0.000333333333333333333'],
    [7n, 2n, '3.5'],
    [2n, 3n * 10n ** 20n, '0.00000000000000000000666666666666666666'],
    [10n ** 57n, 10n ** 97n, `0.${'0'.repeat(39)}1`],
    [10n ** 21n - 1n, 1000n, '999999999999999999'],
    [10n ** 20n + 1n, 1n, '100000000000000000000'],
    [10n ** 17n + 1n, 1n, '100000000000000001'],
  ])('formats %s over %s as %s, rounded down to 18 digits', (numerator, denominator, text) => {
    assert.equal(formatRational(rational(numerator, denominator)), text)
  })
})

describe('a rational in percent and in bps', () => {
  test.each([
    [1n, 20_000n, 0.01],
    [1n, 20_100n, 0],
    [-1n, 20_000n, 0],
    [-3n, 20_000n, -0.01],
    [-2n, 30_000n, -0.01],
    [1n, 4n, 25],
  ])('rounds %s over %s half up to %s %%', (numerator, denominator, rounded) => {
    assert.equal(toPercent(rational(numerator, denominator)) + 0, rounded)
    assert.equal(toBps(rational(numerator, denominator * 100n)) + 0, rounded)
  })

  test('gives the distance below a reference in bps, negative above it', () => {
    assert.equal(bpsBelow(9_999n, 10_000n), 1)
    assert.equal(bpsBelow(10_001n, 10_000n), -1)
  })
})

test('the integer square root is the greatest integer whose square is not above the argument', () => {
  const values = [0n, 1n, 2n, 3n, 4n, 8n, 9n, 10n ** 30n - 1n, 10n ** 30n, 2n ** 128n - 1n]
  for (const value of values) {
    const root = squareRoot(value)
    assert.ok(root * root <= value && (root + 1n) ** 2n > value, `${value}`)
  }
})
