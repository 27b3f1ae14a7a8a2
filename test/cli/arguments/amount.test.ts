import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  parseAmount,
  parseAtomic,
  parseDollar,
  splitAmountToken,
} from '../../../src/cli/arguments/amount.js'
import { readAmount } from '../../../src/cli/quotes/route-request.js'
import { SwapError } from '../../../src/engine/errors.js'
import { MAX_UINT128 } from '../../../src/engine/math/decimal.js'
import { formatUnits } from '../../../src/engine/math/units.js'
import { formatAmount } from '../../../src/render/amount.js'
import { market } from '../../render/documents.js'
import { smallMarket } from '../../support/small-market.js'
import { refusal } from '../refusal.js'

const btc = { symbol: 'BTC', denom: 'btc-btc', decimals: 8 }
const usdc = { symbol: 'USDC', denom: 'eth-usdc-0xa0b8', decimals: 8 }

describe('parseAmount', () => {
  const taken: readonly (readonly [sentence: string, text: string, atomics: bigint])[] = [
    ['a whole number counts whole units', '25000', 2_500_000_000_000n],
    ['a fraction is exact', '1.5', 150_000_000n],
    ['the zero before the dot may be left out', '.5', 50_000_000n],
    ['an underscore separates digits', '25_000', 2_500_000_000_000n],
    ['an underscore may stand among decimals too', '0.000_000_01', 1n],
    ['leading zeros change nothing', '007', 700_000_000n],
    ['all decimals of the token may be used', '0.12345678', 12_345_678n],
    ['the largest amount of a contract is taken', formatUnits(MAX_UINT128, 8), MAX_UINT128],
  ]
  for (const [sentence, text, atomics] of taken)
    test(`${sentence}: ${text}`, () => assert.equal(parseAmount(text, btc), atomics))

  const refused: readonly (readonly [sentence: string, text: string, pattern: RegExp])[] = [
    ['zero is nothing to swap', '0', /is zero/],
    ['zero is zero however it is written', '0.000', /is zero/],
    ['a minus is refused', '-1', /no sign/],
    ['a plus is refused', '+1', /no sign/],
    ['an exponent is refused', '1e6', /exponents/],
    ['an exponent with a sign is refused', '1.5E-3', /exponents/],
    ['hexadecimal is refused', '0x10', /other bases/],
    ['a comma is asked about', '1,5', /1\.5 or 15\?.*with a dot/],
    ['a comma before three digits is asked about', '1,500', /1\.5 or 1500\?/],
    ['several commas are not read as thousands either', '1,000,000', /: 1000000\?/],
    ['the other way of grouping is not read either', '1.500,25', /: 1500\.25\?/],
    ['two dots are refused', '.5.', /two dots/],
    ['a dot at the end is refused', '5.', /ends in a dot/],
    ['a dot alone is refused', '.', /not a number/],
    ['a decimal too many is never rounded', '0.123456789', /BTC has 8.*never rounded.*0\.12345678/],
    [
      'a zero too many among the decimals is refused as well',
      '1.000000000',
      /has 9 decimals.*write 1 /,
    ],
    ['more than 2^128-1 atomics is refused', '3402823669209384634633746074318.0', /2\^128-1/],
    ['40 digits are refused', '1'.repeat(40), /2\^128-1/],
    ['nothing is refused', '', /empty/],
    ['spaces alone are refused', '  ', /empty/],
    ['a space is refused', ' 1', /space/],
    ['a line break is refused', '1\n', /space/],
    ['NaN is refused', 'NaN', /not a number that can be swapped/],
    ['infinity is refused', 'Infinity', /not a number that can be swapped/],
    ['digits of other scripts are refused', '١٢', /digits 0 to 9/],
    ['full-width digits are refused', '１', /digits 0 to 9/],
    ['an underscore at an end is refused', '1_', /underscore/],
    ['two underscores are refused', '1__0', /underscore/],
    ['an underscore beside the dot is refused', '1_.5', /underscore/],
    ['a word is refused', 'abc', /not a number/],
    ['all is max', 'all', /the whole balance is written max.*swap execute max/],
    ['a token stuck to the amount is refused here', '1.5btc', /space between/],
    ['dollars are refused here', '$500', /dollars/],
    ['a text of a megabyte is refused quickly', '1,'.repeat(500_000), /1000000 characters/],
  ]
  for (const [sentence, text, pattern] of refused)
    test(`${sentence}: ${text.slice(0, 50)}`, () => {
      const error = refusal(() => parseAmount(text, btc))
      assert.equal(error.code, 'INVALID_AMOUNT')
      assert.match(error.text, pattern)
      assert.deepEqual(error.members, { pointer: '/input/amount' })
      assert.ok(error.message.length < 200)
    })
  test('a decimal is refused of a token that has none', () => {
    const { text } = refusal(() => parseAmount('1.5', { ...btc, decimals: 0 }))
    assert.match(text, /"1\.5" has 1 decimal .*BTC has 0/)
  })

  test('a text like a coin of the chain is refused with both readings', () => {
    const error = refusal(() => parseAmount('2500000000000eth-usdc-0xa0b8', usdc))
    assert.equal(error.code, 'INVALID_AMOUNT')
    assert.equal(
      error.hint,
      'add a space for 2,500,000,000,000 USDC, or write --atomic 2500000000000 for 25,000 USDC',
    )
  })

  for (const text of ['50%', '12.5%', 'max', 'MAX'])
    test(`a share of a balance needs a balance: ${text}`, () => {
      const error = refusal(() => parseAmount(text, btc))
      assert.equal(error.code, 'INVALID_REQUEST')
      assert.match(error.text, /--from/)
    })

  test('the problem names the field that the caller names', () => {
    const error = refusal(() => parseAmount('0', btc, '/output/amount'))
    assert.deepEqual(error.members, { pointer: '/output/amount' })
  })

  test('a token without decimals takes whole numbers only', () => {
    const whole = { symbol: 'NFT', denom: 'nft', decimals: 0 }
    assert.equal(parseAmount('3', whole), 3n)
    assert.match(refusal(() => parseAmount('.5', whole)).text, /NFT has 0/)
  })

  test('parsing what was formatted gives the same atomics, with any number of decimals', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, MAX_UINT128),
        fc.integer({ min: 0, max: 38 }),
        (atomics, decimals) => {
          const token = { ...btc, decimals }
          assert.equal(parseAmount(formatUnits(atomics, decimals), token), atomics)
        },
      ),
    )
  })

  test('what people are shown is never more than there is', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, MAX_UINT128),
        fc.integer({ min: 0, max: 38 }),
        (atomics, decimals) => {
          const shown = formatAmount(atomics, decimals, { tty: false })
          const read = parseAmount(shown, { ...btc, decimals })
          assert.ok(read > 0n && read <= atomics)
        },
      ),
    )
  })

  test('any text is either read exactly or refused with a reason', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        try {
          assert.ok(parseAmount(text, btc) > 0n)
        } catch (error) {
          assert.ok(error instanceof SwapError && error.why && error.hint)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('any mixture of the characters of amounts is read exactly or refused with a reason', () => {
    const characters = fc.constantFrom(...'0123459._,+-eExb%$ ma'.split(''))
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 8 }), (text) => {
        try {
          const atomics = parseAmount(text, btc)
          assert.match(text, /^[\d_]*\.?[\d_]+$/)
          assert.equal(Number(text.replaceAll('_', '')), Number(formatUnits(atomics, 8)))
        } catch (error) {
          assert.ok(error instanceof SwapError && error.why && error.hint)
        }
      }),
      { numRuns: 5000 },
    )
  })
})

describe('parseAtomic', () => {
  test('digits count base units', () => assert.equal(parseAtomic('150000000'), 150_000_000n))

  test('the largest amount is 2^128-1', () => {
    assert.equal(parseAtomic(String(MAX_UINT128)), MAX_UINT128)
    assert.match(refusal(() => parseAtomic(String(MAX_UINT128 + 1n))).text, /2\^128-1/)
  })

  for (const text of [
    '0',
    '00',
    '01',
    '1.0',
    '1_000',
    '-1',
    '+1',
    '1e6',
    '0x1',
    '',
    ' 1',
    '١',
    '1\n',
  ])
    test(`base units are digits without anything else: ${JSON.stringify(text)}`, () =>
      assert.equal(refusal(() => parseAtomic(text)).code, 'INVALID_AMOUNT'))
})

describe('splitAmountToken', () => {
  const split: readonly (readonly [text: string, amount: string, token: string])[] = [
    ['1.5btc', '1.5', 'btc'],
    ['.5btc', '.5', 'btc'],
    ['25_000usdc.base', '25_000', 'usdc.base'],
    ['39500rune', '39500', 'rune'],
    ['1.5 btc', '1.5', 'btc'],
    ['1.5btc-btc', '1.5', 'btc-btc'],
    ['25 eth-usdc-0xa0b8', '25', 'eth-usdc-0xa0b8'],
    ['1,5btc', '1,5', 'btc'],
    ['-5btc', '-5', 'btc'],
    ['$500usdc', '$500', 'usdc'],
    ['50% usdc', '50%', 'usdc'],
    ['max usdc', 'max', 'usdc'],
  ]
  for (const [text, amount, token] of split)
    test(`${text} is ${amount} of ${token}`, () =>
      assert.deepEqual(splitAmountToken(text), { amount, token }))

  for (const text of ['1.5', 'btc', 'btc-btc', 'usdc.base', '', 'maxi', '1.5.5', '_1btc'])
    test(`${JSON.stringify(text)} is not an amount with its token`, () =>
      assert.equal(splitAmountToken(text), undefined))

  for (const text of ['2500000000000eth-usdc-0xa0b8', '100btc-btc', '5x/ruji'])
    test(`a whole number stuck to a denom could count base units: ${text}`, () => {
      const error = refusal(() => splitAmountToken(text))
      assert.equal(error.code, 'INVALID_AMOUNT')
      assert.match(error.text, /coin of the chain.*add a space.*--atomic/)
    })

  for (const text of ['1e6', '1e6usdc', '0x10'])
    test(`an exponent is not taken for the beginning of a token: ${text}`, () =>
      assert.match(refusal(() => splitAmountToken(text)).text, /exponents/))
})

describe('parseDollar', () => {
  test('dollars come back as plain digits', () => {
    assert.equal(parseDollar('$500'), '500')
    assert.equal(parseDollar('$1_000.50'), '1000.50')
    assert.equal(parseDollar('$.5'), '0.5')
  })

  test('what has no dollar sign is nothing to it', () =>
    assert.equal(parseDollar('500'), undefined))

  for (const text of ['$', '$0', '$-5', '$1,000', '$1e6', '$ 5', '$$5'])
    test(`a dollar sign asks for a number above zero: ${text}`, () =>
      assert.equal(refusal(() => parseDollar(text)).code, 'INVALID_AMOUNT'))
})

describe('an amount in dollars', () => {
  const unpriced = smallMarket({ 'a/b': {} }, { dialect: 'forward' })
  test.each([
    ['that is less than one atomic', market, 'btc-btc', /^\$0.00000001 is less than one atomic/],
    ['of a token without a price', unpriced, 'a', /^\$0.00000001 of a has no known price/],
  ])('%s is refused', (_, market, denom, message) =>
    assert.throws(
      () => readAmount({ market, atomic: false }, '$0.00000001', market.tokens.get(denom)!, ''),
      { code: 'INVALID_AMOUNT', message },
    ),
  )
})
