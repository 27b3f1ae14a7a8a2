import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  ArithmeticAbort,
  ceilDiv,
  type Decimal,
  decimal,
  divCeil,
  divFloor,
  formatDecimal,
  inverse,
  MAX_UINT128,
  mulCeil,
  mulFloor,
  ONE,
  parseDecimal,
  parseUint128,
  ratio,
  uint128,
} from '../../../src/engine/math/decimal.js'
import { runs } from '../../support/books.js'
import { must } from '../../support/matching.js'

const anyDecimal = fc.bigInt(1n, 10n ** 30n).map(decimal)
const anyAmount = fc.bigInt(0n, 10n ** 30n)

const texts: readonly (readonly [string, bigint])[] = [
  ['0', 0n],
  ['1', ONE],
  ['0.0015', 1_500_000_000_000_000n],
  ['1001.006011041096301783', 1_001_006_011_041_096_301_783n],
  ['0.000000000000000001', 1n],
  ['340282366920938463463.374607431768211455', (1n << 128n) - 1n],
]

describe('the text form of a decimal', () => {
  for (const [text, atomics] of texts)
    test(`${text} is ${atomics} of 10^-18, both ways`, () => {
      assert.equal(parseDecimal(text), atomics)
      assert.equal(formatDecimal(decimal(atomics)), text)
    })

  const refused = [
    '',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    '1e3',
    ' 1',
    '1 ',
    '1,5',
    '0x1',
    '1.0000000000000000001',
    '340282366920938463463.374607431768211456',
    '1'.repeat(40),
    '٣',
    'NaN',
  ]
  for (const text of refused)
    test(`refuses "${text.slice(0, 45)}"`, () => assert.equal(parseDecimal(text), undefined))

  test('may have redundant zeros when read and has none when written', () => {
    assert.equal(formatDecimal(must('007.5000')), '7.5')
    assert.equal(formatDecimal(must('10')), '10')
    assert.equal(formatDecimal(must('0.000000000000000000')), '0')
  })

  test('is read back as the same value', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 128n) - 1n), (atomics) => {
        assert.equal(parseDecimal(formatDecimal(decimal(atomics))), atomics)
      }),
      runs(300),
    )
  })
})

const products: readonly (readonly [bigint, string, bigint, bigint])[] = [
  [5001n, '87900', 439_587_900n, 439_587_900n],
  [100_000n, '0.000010962628399785', 1n, 2n],
  [333n, '3', 999n, 999n],
  [0n, '1.5', 0n, 0n],
  [1n, '0.000000000000000001', 0n, 1n],
]

describe('an amount times a decimal', () => {
  for (const [amount, factor, floor, ceil] of products)
    test(`${amount} × ${factor} is ${floor} rounded down and ${ceil} rounded up`, () => {
      assert.equal(mulFloor(amount, must(factor)), floor)
      assert.equal(mulCeil(amount, must(factor)), ceil)
    })
})

const quotients: readonly (readonly [bigint, string, bigint, bigint])[] = [
  [4_660_412_100n, '87900', 53_019n, 53_020n],
  [50_000_000n, '99700.598', 501n, 502n],
  [600n, '0.001', 600_000n, 600_000n],
  [1n, '3', 0n, 1n],
]

describe('an amount divided by a decimal', () => {
  for (const [amount, divisor, floor, ceil] of quotients)
    test(`${amount} ÷ ${divisor} is ${floor} rounded down and ${ceil} rounded up`, () => {
      assert.equal(divFloor(amount, must(divisor)), floor)
      assert.equal(divCeil(amount, must(divisor)), ceil)
    })
})

const inverses: readonly (readonly [string, string])[] = [
  ['91219', '0.000010962628399785'],
  ['0.000998995', '1001.006011041096301783'],
  ['3', '0.333333333333333333'],
  ['1', '1'],
  ['0.000000000000000003', '333333333333333333.333333333333333333'],
]

describe('one divided by a decimal', () => {
  for (const [value, expected] of inverses)
    test(`1 ÷ ${value} is ${expected}, rounded down`, () =>
      assert.equal(formatDecimal(inverse(must(value))), expected))
})

test('a ratio of decimals keeps 18 digits, rounded down', () => {
  assert.equal(formatDecimal(ratio(199_799n, 200_000_000n)), '0.000998995')
  assert.equal(formatDecimal(ratio(2n, 3n)), '0.666666666666666666')
  assert.equal(formatDecimal(ratio(9900n, 10_000n)), '0.99')
})

test('rounding up a decimal is rounding down, plus one where a remainder was cut', () => {
  const off = (floor: bigint, ceil: bigint, isWhole: boolean) =>
    assert.equal(ceil - floor, isWhole ? 0n : 1n)
  fc.assert(
    fc.property(anyAmount, anyDecimal, (amount: bigint, factor: Decimal) => {
      off(mulFloor(amount, factor), mulCeil(amount, factor), (amount * factor) % ONE === 0n)
      off(divFloor(amount, factor), divCeil(amount, factor), (amount * ONE) % factor === 0n)
      off(amount / factor, ceilDiv(amount, factor), amount % factor === 0n)
    }),
    runs(300),
  )
})

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
