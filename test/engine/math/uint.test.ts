import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  ArithmeticAbort,
  MAX_UINT128,
  parseUint128,
  uint128,
} from '../../../src/engine/math/uint.js'

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
