import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { apportion } from '../../../src/engine/math/integers.js'
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
