import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { formatUnits } from '../../src/engine/math/units.js'
import {
  formatAmount,
  formatBps,
  formatChange,
  formatDollars,
  formatDollarsAndCents,
  formatPayment,
  formatSignedBps,
  impactWord,
  renderImpact,
} from '../../src/render/amount.js'
import { plainStyle, styleOf } from '../../src/render/style.js'

describe('formatUnits', () => {
  const rows: readonly (readonly [
    sentence: string,
    atomics: bigint,
    decimals: number,
    text: string,
  ])[] = [
    ['whole units have no dot', 100_000_000n, 8, '1'],
    ['trailing zeros go', 150_000_000n, 8, '1.5'],
    ['every digit stays', 123_456_789_012_345_678n, 18, '0.123456789012345678'],
    ['one atomic of 18 decimals has no exponent', 1n, 18, '0.000000000000000001'],
    [
      'the largest amount is written out',
      2n ** 128n - 1n,
      0,
      '340282366920938463463374607431768211455',
    ],
    ['zero is 0', 0n, 8, '0'],
    ['a difference keeps its sign', -5n, 8, '-0.00000005'],
  ]
  for (const [sentence, atomics, decimals, text] of rows)
    test(`${sentence}: ${text}`, () => assert.equal(formatUnits(atomics, decimals), text))
})

describe('formatChange', () => {
  test('has the digits of the amount beside it, and is never 0', () => {
    const rows: readonly (readonly [change: bigint, amount: bigint, text: string])[] = [
      [9_671_636_700n, 22_776_937_000_000n, '96.71'],
      [9_671_636_700n, 22_776_900_000_000n, '96.71'],
      [123_456_700_000n, 22_776_937_000_000n, '1,234.56'],
      [12_345_678n, 12_345_678_901n, '0.12345'],
      [12_345n, 150_000_000n, '0.0001234'],
      [300n, 22_776_937_000_000n, '0.000003'],
    ]
    for (const [change, amount, text] of rows)
      assert.equal(formatChange(change, amount, 8, { tty: true }), text)
  })
})

describe('formatAmount', () => {
  const rows: readonly (readonly [
    sentence: string,
    atomics: bigint,
    decimals: number,
    text: string,
  ])[] = [
    ['a large amount has two decimals, rounded down', 3_991_236_999_999n, 8, '39,912.36'],
    ['a large whole amount has none', 2_500_000_000_000n, 8, '25,000'],
    [
      'a large amount that is nearly whole shows that it is not',
      2_500_000_000_001n,
      8,
      '25,000.00',
    ],
    ['below 1000 there are eight significant digits', 12_345_678_901n, 8, '123.45678'],
    ['just below 1000 nothing is rounded up', 99_999_999_999n, 8, '999.99999'],
    ['trailing zeros go', 50_000_000n, 8, '0.5'],
    ['below 1 the zeros do not count', 123_456_789_123n, 18, '0.00000012345678'],
    ['one atomic is not nothing', 1n, 18, '0.000000000000000001'],
    ['a hair above a whole number rounds down to it', 999_000_000_000_000_000_001n, 18, '999'],
    ['zero is 0', 0n, 8, '0'],
    ['a token with one decimal shows one', 12_345n, 1, '1,234.5'],
    ['a difference is rounded towards zero', -3_991_236_999_999n, 8, '-39,912.36'],
    ['millions are grouped twice', 123_456_789_000_000_000n, 8, '1,234,567,890'],
  ]
  for (const [sentence, atomics, decimals, text] of rows)
    test(`${sentence}: ${text}`, () => {
      assert.equal(formatAmount(atomics, decimals, { tty: true }), text)
      assert.equal(formatAmount(atomics, decimals, { tty: false }), text.replaceAll(',', ''))
    })

  test('formatAmount never shows a nonzero amount as zero', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 128n), fc.integer({ min: 0, max: 38 }), (atomics, decimals) =>
        assert.match(formatAmount(atomics, decimals, { tty: true }), /[1-9]/),
      ),
    )
  })

  test('formatAmount never shows a larger amount as a smaller one', () => {
    const amount = fc.bigInt(0n, 10n ** 16n)
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        const shown = (atomics: bigint) => Number(formatAmount(atomics, 8, { tty: false }))
        const [small, large] = one < other ? [one, other] : [other, one]
        assert.ok(shown(small) <= shown(large))
      }),
    )
  })
})

describe('formatPayment', () => {
  const rows: readonly (readonly [atomics: bigint, text: string])[] = [
    [124_606_018_934n, '1,246.07'],
    [124_606_000_000n, '1,246.06'],
    [12_469_897_001n, '124.69898'],
    [99_999_999_999n, '1,000'],
    [100_000_000_001n, '1,000.01'],
    [150_000_000n, '1.5'],
    [1n, '0.00000001'],
    [0n, '0'],
  ]
  for (const [atomics, text] of rows)
    test(`rounds up: ${text}`, () => assert.equal(formatPayment(atomics, 8, { tty: true }), text))
})

describe('formatDollars', () => {
  for (const [usd, text] of [
    ['117908.71', '$117,908'],
    ['-12.509', '-$12.50'],
    ['0.0099', '<$0.01'],
    ['-0.0099', '>-$0.01'],
    ['0', '$0'],
  ] as const)
    test(`formats ${usd} as ${text}`, () => assert.equal(formatDollars(usd, { tty: true }), text))
})

describe('formatBps', () => {
  const rows: readonly (readonly [bps: number | null, text: string])[] = [
    [80, '0.80 %'],
    [0, '0.00 %'],
    [50, '0.50 %'],
    [184, '1.84 %'],
    [10_000, '100.00 %'],
    [-25.9, '-0.26 %'],
    [0.5, '0.01 %'],
    [0.2, '<0.01 %'],
    [-0.2, '>-0.01 %'],
    [0.1 + 0.2, '<0.01 %'],
    [null, 'n/a'],
    [Number.NaN, 'n/a'],
  ]
  for (const [bps, text] of rows)
    test(`formats ${bps} bps as ${text}`, () => assert.equal(formatBps(bps), text))

  test('shows the sign of a gain', () => {
    assert.equal(formatSignedBps(99), '+0.99 %')
    assert.equal(formatSignedBps(-92), '-0.92 %')
    assert.equal(formatSignedBps(0), '0.00 %')
    assert.equal(formatSignedBps(null), 'n/a')
  })
})

describe('impactWord', () => {
  const rows: readonly (readonly [bps: number | null, word: string, role: string])[] = [
    [-12, 'low', 'none'],
    [29.99, 'low', 'none'],
    [30, 'moderate', 'none'],
    [99.99, 'moderate', 'none'],
    [100, 'notable', 'warning'],
    [300, 'high', 'bad'],
    [499.99, 'high', 'bad'],
    [500, 'severe', 'bad'],
    [1_000_000, 'severe', 'bad'],
    [null, 'unknown', 'none'],
  ]
  for (const [bps, word, role] of rows)
    test(`is ${word} for ${bps} bps`, () => {
      const severity = impactWord(bps)
      assert.deepEqual([severity.word, severity.role], [word, role])
    })

  test('is shown as number, mark and word, coloured only where colour is on', () => {
    assert.equal(renderImpact(80, plainStyle), '0.80 % ▂ moderate')
    assert.equal(renderImpact(29.6, plainStyle), '0.30 % ▂ moderate')
    assert.equal(renderImpact(29.4, plainStyle), '0.29 % ▁ low')
    assert.equal(renderImpact(620, styleOf({ ...plainStyle, ascii: true })), '6.20 % ! severe')
    const red = renderImpact(620, styleOf({ ...plainStyle, color: true }))
    assert.equal(red, '\u001b[1m\u001b[91m6.20 % █ severe\u001b[39m\u001b[22m')
  })
})

describe('formatDollarsAndCents', () => {
  const rows = [
    ['9.41234', '$9.41'],
    ['1234567.899', '$1,234,567.89'],
    ['0.03732613', '$0.03'],
    ['0.00012945678', '$0.00012'],
    ['12', '$12.00'],
    ['0', '$0.00'],
  ] as const
  for (const [usd, text] of rows)
    test(`${usd} are ${text}`, () => assert.equal(formatDollarsAndCents(usd, { tty: true }), text))
  test('that are not known are nothing', () =>
    assert.equal(formatDollarsAndCents(null, { tty: true }), ''))
})
