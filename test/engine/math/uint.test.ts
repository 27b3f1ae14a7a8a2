import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  ArithmeticAbort,
  apportion,
  MAX_UINT128,
  parseUint128,
  uint128,
} from '../../../src/engine/math/uint.js'
import { runs } from '../../support/books.js'

const LARGEST = '340282366920938463463374607431768211455'

describe('an amount of the chain', () => {
  test('is at most 2^128 - 1', () => {
    assert.equal(`${MAX_UINT128}`, LARGEST)
    assert.equal(uint128(MAX_UINT128), MAX_UINT128)
    assert.equal(uint128(0n), 0n)
    assert.throws(() => uint128(MAX_UINT128 + 1n), ArithmeticAbort)
    assert.throws(() => uint128(-1n), ArithmeticAbort)
  })

  for (const text of ['0', '1', '100000000', LARGEST])
    test(`"${text}" is accepted`, () => assert.equal(`${parseUint128(text)}`, text))

  const refused = ['', '00', '01', '-1', '+1', '1.0', '1e3', ' 1', '1\n', '0x10', '1_000']
  for (const text of [...refused, '340282366920938463463374607431768211456', '9'.repeat(40)])
    test(`${JSON.stringify(text)} is refused`, () => assert.equal(parseUint128(text), undefined))
})

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
