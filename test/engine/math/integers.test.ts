import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { apportion, firstNear } from '../../../src/engine/math/integers.js'
import { runs } from '../../support/books.js'

const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n)

describe('an apportionment', () => {
  test('gives the missing units to the largest remainders, the first of equal ones', () => {
    assert.deepEqual(apportion([14n, 14n, 14n], 10n), [2n, 1n, 1n])
    assert.deepEqual(apportion([11n, 18n, 16n], 10n), [1n, 2n, 2n])
    assert.deepEqual(apportion([-14n, 9n], 10n), [-1n, 1n])
    assert.deepEqual(apportion([], 10n), [])
  })

  test('adds up to the rounded sum, each part within a unit of its quotient', () => {
    const part = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (parts, unit) => {
          const rounded = apportion(parts, unit)
          const off = 2n * (sum(rounded) * unit - sum(parts))
          assert.ok(off <= unit && off > -unit)
          for (const [i, each] of rounded.entries()) {
            const away = each * unit - parts[i]!
            assert.ok(away < unit && away > -unit)
          }
        },
      ),
      runs(300),
    )
  })
})

test('the first integer near a guess for which a predicate holds is found from any guess', () => {
  const size = fc.bigInt({ min: -50n, max: 10n ** 12n })
  fc.assert(
    fc.property(size, size, size, (last, guess, first) => {
      const expected = first > 0n ? first : 1n
      const found = firstNear(guess, last, (each) => {
        assert.ok(0n < each && each <= last)
        return each >= first
      })
      assert.equal(found, expected <= last ? expected : undefined)
    }),
    runs(300),
  )
})

test('an exact guess takes two evaluations, one that is off by a thousand less than twenty', () => {
  const evaluations = (guess: bigint): number => {
    let count = 0
    firstNear(guess, 10n ** 30n, (each) => {
      count += 1
      return each >= 10n ** 20n
    })
    return count
  }
  assert.equal(evaluations(10n ** 20n), 2)
  for (const guess of [10n ** 20n - 1_000n, 10n ** 20n + 1_000n])
    assert.ok(evaluations(guess) < 20, `${evaluations(guess)}`)
})
