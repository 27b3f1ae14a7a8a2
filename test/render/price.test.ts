import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { formatPrice, formatShort, formatTablePrice, scalePrice } from '../../src/render/amount.js'

const group = { tty: true }

describe('formatPrice', () => {
  const rows: readonly (readonly [sentence: string, price: string, text: string])[] = [
    ['a large price has two decimals, rounded down', '151253.069999', '151,253.06'],
    ['also a whole one', '78000', '78,000.00'],
    ['below 1000 there are eight significant digits, rounded down', '0.5070549999', '0.50705499'],
    ['trailing zeros go', '0.5', '0.5'],
    ['a small price has no exponent', '0.00000652675999', '0.0000065267599'],
    ['the smallest one neither', '0.000000000000000001', '0.000000000000000001'],
    ['zero is 0', '0', '0'],
    ['just below 1000 nothing is rounded up', '999.999999999', '999.99999'],
  ]
  for (const [sentence, price, text] of rows)
    test(`${sentence}: ${text}`, () => {
      assert.equal(formatPrice(price, group), text)
      assert.equal(formatPrice(price, { tty: false }), text.replaceAll(',', ''))
    })
})

describe('formatTablePrice', () => {
  const rows: readonly (readonly [price: string, text: string])[] = [
    ['1', '1.0000'],
    ['0.506816', '0.50681'],
    ['0.0123891', '0.012389'],
    ['458.219', '458.21'],
    ['78606.05', '78,606.05'],
    ['0', '0'],
    ['99999.999', '99,999.99'],
  ]
  for (const [price, text] of rows)
    test(`formats ${price} as ${text}`, () => assert.equal(formatTablePrice(price, group), text))
})

describe('formatShort', () => {
  const rows: readonly (readonly [atomics: bigint, decimals: number, text: string])[] = [
    [41_260_012_345_678n, 8, '412.6k'],
    [123_456_789_000_000_000n, 8, '1.2B'],
    [123_456_789_000_000n, 8, '1.2M'],
    [99_999_999_999n, 8, '999'],
    [87_730_855n, 8, '0.877'],
    [1n, 18, '0.000000000000000001'],
    [0n, 8, '0'],
  ]
  for (const [atomics, decimals, text] of rows)
    test(`formats ${atomics} of ${decimals} decimals as ${text}`, () =>
      assert.equal(formatShort(atomics, decimals), text))
})

test('a price in atomics is converted to units without losing a digit', () => {
  assert.equal(scalePrice('0.00065', { base: 8, quote: 6 }), '0.065')
  assert.equal(scalePrice('0.123456789012345678', { base: 6, quote: 8 }), '0.00123456789012345678')
  assert.equal(scalePrice('78571.7', { base: 8, quote: 8 }), '78571.7')
})
