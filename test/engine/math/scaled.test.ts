import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  SCALED_ONE,
  SCALED_ZERO,
  type Scaled,
  scaled,
  scaledAdd,
  scaledComplement,
  scaledEqual,
  scaledMul,
  scaledRatio,
} from '../../../src/engine/math/scaled.js'
import { runs } from '../../support/books.js'

const at = (mantissa: bigint, scale: number): Scaled => ({ mantissa, scale })
const LIMIT = 1n << 256n

describe('a factor of one pool step', () => {
  const steps: readonly (readonly [string, Scaled, Scaled])[] = [
    ['of a half has one digit', scaledRatio(1n, 2n), at(5n, 1)],
    [
      'of a third has 24 digits, rounded down',
      scaledRatio(1n, 3n),
      at(333333333333333333333333n, 24),
    ],
    ['of twice a total has one digit', scaledRatio(2000n, 1000n), at(2n, 0)],
    ['of ten times a total has no trailing zero', scaledRatio(10_000n, 1000n), at(1n, -1)],
    ['of nothing sold is zero', scaledRatio(0n, 7n), SCALED_ZERO],
    [
      'of two thirds left is rounded up by the complement',
      scaledComplement(1n, 3n),
      at(666666666666666666666667n, 24),
    ],
    ['of nothing bought is one', scaledComplement(0n, 7n), SCALED_ONE],
    ['of everything bought is zero', scaledComplement(7n, 7n), SCALED_ZERO],
  ]
  for (const [title, found, expected] of steps)
    test(title, () => assert.ok(scaledEqual(found, expected)))
})

describe('the product of two scaled numbers', () => {
  test('is exact while it fits 256 bits', () => {
    assert.deepEqual(scaledMul(at(25n, 2), at(4n, 0)), at(1n, 0))
    const digits = 10n ** 38n - 1n
    assert.deepEqual(scaledMul(at(digits, 38), at(digits, 38)), at(digits * digits, 76))
  })

  test('drops the last digits of both factors until it fits 256 bits', () => {
    // Three digits each: 6.5e76 × 123456 would be 8e81.
    const product = scaledMul(at(3n ** 161n, 90), at(123_456n, 6))
    assert.deepEqual(product, at((3n ** 161n / 1000n) * 123n, 90))
  })

  test('is zero where a factor of one digit would have to be cut', () => {
    assert.deepEqual(scaledMul(at(3n ** 161n, 90), at(5n, 1)), SCALED_ZERO)
    assert.notDeepEqual(scaledMul(at(3n ** 161n, 90), at(1n, 1)), SCALED_ZERO)
  })
})

describe('the sum of two scaled numbers', () => {
  test('is exact at the finer scale', () => {
    assert.deepEqual(scaledAdd(at(5n, 1), at(25n, 2)), at(75n, 2))
    assert.deepEqual(scaledAdd(at(5n, 1), at(5n, 1)), at(1n, 0))
  })

  test('is the other number where one is zero', () => {
    assert.deepEqual(scaledAdd(SCALED_ZERO, at(7n, 3)), at(7n, 3))
    assert.deepEqual(scaledAdd(at(7n, 3), SCALED_ZERO), at(7n, 3))
  })

  test('drops its last digits until it fits 256 bits', () => {
    assert.deepEqual(scaledAdd(at(1n, 0), at(1n, 80)), at(1n, 0))
    assert.deepEqual(scaledAdd(at(LIMIT - 1n, 70), at(1n, 70)), at(LIMIT / 10n, 69))
  })

  test('is the coarser number where the other one has digits far behind it alone', () => {
    assert.deepEqual(scaledAdd(at(LIMIT - 1n, 1_000_000), at(1n, -1_000_000)), at(1n, -1_000_000))
    for (const finer of [77, 78, 155, 156, 160, 161, 200]) {
      const [fine, coarse] = [at(LIMIT - 1n, finer), at(7n, 0)]
      let sum = LIMIT - 1n + 7n * 10n ** BigInt(finer)
      let scale = finer
      for (; sum >= LIMIT; scale -= 1) sum /= 10n
      for (const order of [[fine, coarse] as const, [coarse, fine] as const])
        assert.deepEqual(scaledAdd(...order), scaled(sum, scale))
    }
  })
})

test('scaled arithmetic leaves no trailing zero, stays within 256 bits and never exceeds the true result', () => {
  const anyScaled = fc
    .tuple(fc.bigInt(1n, LIMIT - 1n), fc.integer({ min: -5, max: 120 }))
    .filter(([mantissa]) => mantissa % 10n !== 0n)
    .map(([mantissa, scale]) => at(mantissa, scale))
  const whole = ({ mantissa, scale }: Scaled) => mantissa * 10n ** BigInt(300 - scale)
  fc.assert(
    fc.property(anyScaled, anyScaled, (a, b) => {
      const [sum, product] = [scaledAdd(a, b), scaledMul(a, b)]
      for (const { mantissa } of [sum, product]) {
        assert.ok(mantissa < LIMIT && (mantissa === 0n || mantissa % 10n !== 0n))
      }
      assert.ok(whole(sum) <= whole(a) + whole(b))
      assert.ok(whole(product) * 10n ** 300n <= whole(a) * whole(b))
    }),
    runs(300),
  )
})
