import BigNumber from 'bignumber.js'
import { invalidRequest, type SwapError } from '../../engine/errors.js'
import { counted, groupThousands } from '../../engine/math/counted.js'
import { MAX_UINT128 } from '../../engine/math/decimal.js'
import {
  DECIMAL_AMOUNT,
  formatUnits,
  LONGEST_AMOUNT,
  readTypedAmount,
} from '../../engine/math/units.js'
import type { NamedDenom } from '../../operations/price/price-documents.js'
import { shellWord } from '../../platform/shell-word.js'
import { quote } from '../../render/width.js'
import { invalidAmount } from '../invalid-request.js'

/**
 * A whole-unit amount as typed, in atomics. `.5` is fine, `5.` is not; `_` separates
 * digits. Whatever could be read two ways, or would need rounding, is refused with the reason.
 * `pointer` names the request's field in the problem document.
 *
 * @example parseAmount('25_000', { symbol: 'RUNE', denom: 'rune', decimals: 8 }) // 2_500_000_000_000n
 */
export function parseAmount(text: string, token: NamedDenom, pointer = '/input/amount'): bigint {
  const read = readTypedAmount(text, token.decimals)
  if (read.kind === 'amount') return read.atomics
  if (read.kind === 'malformed') throw malformedAmount(text, token, pointer)
  if (read.kind === 'too_fine') throw tooFine({ ...read, text }, token, pointer)
  throw read.kind === 'zero' ? zeroAmount(pointer, text) : tooLarge(text, pointer)
}

/**
 * A count of atomics, as `--atomic` and the service's JSON take it: digits only, 1 to 2^128-1.
 *
 * @example parseAtomic('150000000') // 150_000_000n
 */
export function parseAtomic(text: string, pointer = '/input/amount'): bigint {
  if (/^(0|[1-9]\d{0,38})$/.test(text)) {
    const atomics = BigInt(text)
    if (atomics === 0n) throw zeroAmount(pointer)
    if (atomics > MAX_UINT128) throw tooLarge(text, pointer)
    return atomics
  }
  throw invalidAmount(`${quote(text)} is not an amount in base units`, pointer, {
    why: 'with --atomic an amount is a whole number, digits only, at most 2^128-1',
    hint: 'write the digits, e.g. --atomic 150000000, or leave --atomic out for whole units',
  })
}

/** An unchecked amount and its token. */
export type AmountAndToken = { readonly amount: string; readonly token: string }

/**
 * Takes apart an amount and a token given as one word, e.g. `1.5btc` or `39500rune`; nothing when
 * the text does not begin with an amount and end with a name. A whole number stuck to a denom is
 * what an SDK coin looks like, where it would count base units: refused.
 *
 * @example splitAmountToken('1.5btc') // { amount: '1.5', token: 'btc' }
 */
export function splitAmountToken(text: string): AmountAndToken | undefined {
  if (text.length > 2 * LONGEST_AMOUNT) return undefined
  if (/^[+-]?(\d[\d._]*e([+-]?\d|[+-]?$)|0[xbo][\da-f]{1,16}$)/i.test(text))
    throw notation(text, '/input/amount')
  const [, amount, space = '', token = ''] =
    /^((?:[+$-]?[\d.][\d._,]*%?)|max(?= ))( *)([a-z].*)$/i.exec(text) ?? []
  if (amount === undefined) return undefined
  if (space === '') refuseSuffix(amount, token)
  if (space === '' && looksLikeDenom(amount, token)) throw coinLookAlike({ amount, token })
  return { amount, token }
}

/**
 * The dollars of `$500`, as plain decimal digits; nothing when the text is no dollar amount. The
 * command turns them into a token's amount at the mid price.
 *
 * @example parseDollar('$1_000.50') // '1000.50'
 */
export function parseDollar(text: string): string | undefined {
  if (!text.startsWith('$')) return undefined
  const digits = text.slice(1)
  if (text.length <= LONGEST_AMOUNT && DECIMAL_AMOUNT.test(digits) && /[1-9]/.test(digits))
    return digits.replaceAll('_', '').replace(/^\./, '0.')
  throw invalidAmount(`${quote(text)} is not an amount of dollars`, '/input/amount', {
    why: 'after $ comes a number above zero, with a dot for cents and no commas',
    hint: "write e.g. '$500' or '$1_000.50', in quotes for the shell",
  })
}

/** Zeros alone are what a shell leaves of `$500`, in which `$5` is a variable. */
const zeroAmount = (pointer: string, text = ''): SwapError =>
  invalidAmount('the amount is zero', pointer, {
    why: isSwapped(pointer) ? 'there is nothing to swap' : 'zero has no effect here',
    hint: `write an amount above zero${/^00+$/.test(text) ? "; dollars in quotes: '$500'" : ''}`,
  })

const tooLarge = (text: string, pointer: string): SwapError =>
  invalidAmount(`${quote(text)} is more than any token can have`, pointer, {
    why: `the chain holds at most 2^128-1 (${MAX_UINT128}) base units`,
    hint: 'write a smaller amount',
  })

function tooFine(
  { text, whole, fraction }: { readonly [part in 'text' | 'whole' | 'fraction']: string },
  { symbol, decimals }: NamedDenom,
  pointer: string,
): SwapError {
  const shorter = fraction.slice(0, decimals).replace(/0+$/, '')
  const nearest = (whole || '0') + (shorter && `.${shorter}`)
  const usable = /[1-9]/.test(nearest)
  return invalidAmount(`${quote(text)} has ${counted(fraction.length, 'decimal')}`, pointer, {
    why: `${symbol} has ${decimals}, and amounts are never rounded for you`,
    hint: usable
      ? `write ${nearest} if that is what you meant`
      : `write at most ${decimals} decimals`,
  })
}

type Reason = { readonly why: string; readonly hint: string }

/** Why a text is no amount: the first row that fits. */
const reasons: readonly (Reason & { readonly fits: RegExp })[] = [
  {
    fits: /^all$/i,
    why: 'the whole balance is written max, where a balance is read',
    hint: 'write the amount, or sell all of it: swap execute max btc rune --from <key>',
  },
  { fits: /^\s*$/, why: 'it is empty', hint: 'write the amount, e.g. 1.5' },
  { fits: /\s/, why: 'there is a space in it', hint: 'write the digits without spaces: 25_000' },
  {
    fits: /^[+-]/,
    why: 'an amount has no sign',
    hint: 'write the amount alone; the order of the tokens says which one is sold',
  },
  {
    fits: /^(nan|[∞]|inf(inity)?)$/i,
    why: 'it is not a number that can be swapped',
    hint: 'write the amount in digits, e.g. 1.5',
  },
  {
    fits: /[^\x20-\x7e]/,
    why: 'it has other characters than the digits 0 to 9',
    hint: 'type the amount again, e.g. 1.5',
  },
  {
    fits: /^\$/,
    why: 'an amount in dollars works only as the input of a quote',
    hint: 'write the amount of the token itself',
  },
  { fits: /^\d[\d_]*\.$/, why: 'it ends in a dot', hint: 'leave the dot out, or write 5.0' },
  { fits: /\..*\./, why: 'it has two dots', hint: 'write one dot, e.g. 1.5' },
  {
    fits: /^[\d_.]*_[\d_.]*$/,
    why: 'an underscore may only be between two digits',
    hint: 'write e.g. 25_000',
  },
  {
    fits: /^\.?\d/,
    why: 'it has other characters than digits, a dot and underscores',
    hint: 'write e.g. 1.5 or 25_000',
  },
]

function malformedAmount(text: string, token: NamedDenom, pointer: string): SwapError {
  // First, so that no pattern below runs over megabytes of text.
  if (text.length > LONGEST_AMOUNT)
    return notAnAmount(text, pointer, {
      why: `it has ${text.length} characters`,
      hint: 'shorten it',
    })
  if (isShare(text))
    return invalidRequest(`${quote(text)} is a share of a balance`, pointer, {
      why: 'a share is taken of what an account sells: swap execute and swap order sell read its balance',
      hint: `write the amount itself, e.g. 1.5; or sell a share: swap ${isSwapped(pointer) ? 'execute 50% btc rune' : 'order sell 50% rune usdc --price 0.52'} --from <key>`,
    })
  if (/^[+-]?(\d[\d._]*e[+-]?\d*|0[xbo][\da-f]*)$/i.test(text)) return notation(text, pointer)
  if (/^[\d.,_]+$/.test(text) && /\d.*,|,.*\d/.test(text)) return withCommas(text, pointer)
  const [, amount, name = ''] = /^(\d[\d_.]*) *([a-z].*)$/i.exec(text) ?? []
  if (amount !== undefined) {
    refuseSuffix(amount, name, pointer)
    return coinLookAlike({ amount, token: name }, token, pointer)
  }
  const noNumber = {
    why: 'it is not a number',
    hint: isSwapped(pointer)
      ? 'write the amount first, then the tokens: 1.5 btc usdc'
      : 'write the amount in digits, e.g. 1.5',
  }
  return notAnAmount(text, pointer, reasons.find(({ fits }) => fits.test(text)) ?? noNumber)
}

/** Whether a word is a share of a balance: `max`, or a percentage. */
export const isShare = (text: string): boolean => /^(max|[\d._]+%)$/i.test(text)

/** Whether an amount is what is swapped, beside two tokens. */
const isSwapped = (pointer: string): boolean => /^\/(input|output)\/amount$/.test(pointer)

const notAnAmount = (text: string, pointer: string, reason: Reason): SwapError =>
  invalidAmount(`${quote(text)} is not an amount`, pointer, reason)

const notation = (text: string, pointer: string): SwapError =>
  notAnAmount(text, pointer, {
    why: 'exponents and other bases are not read: a zero more or less is too easily missed',
    hint: 'write all digits, e.g. 1_000_000',
  })

/**
 * The last of dots and commas is the decimal one if there are both. A single comma may also group thousands; several
 * commas do.
 */
function withCommas(text: string, pointer: string): SwapError {
  const bare = (part: string) => part.replace(/[.,_]/g, '').replace(/^0+(?=\d)/, '')
  const last = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  const cents = text.slice(last + 1).replace(/[_]|0+$/g, '')
  const split = (bare(text.slice(0, last)) || '0') + (cents && `.${cents}`)
  const hasDots = text.includes('.')
  const hasOneComma = text.indexOf(',') === text.lastIndexOf(',')
  const readings = [...(hasDots || hasOneComma ? [split] : []), ...(hasDots ? [] : [bare(text)])]
  return invalidAmount(`${quote(text)}: ${readings.join(' or ')}?`, pointer, {
    why: 'a comma means thousands to some and decimals to others',
    hint: `write ${readings.join(' or ')}, with a dot for decimals and no commas`,
  })
}

/** Zeros that a letter abbreviates. */
const ZEROS = { k: 3, m: 6, mn: 6, mm: 6, mio: 6, b: 9, bn: 9 } as const

/** Refuses `1k` and `2.5m`, which a token called K or M would make ambiguous. */
function refuseSuffix(amount: string, suffix: string, pointer = '/input/amount'): void {
  const zeros = Object.entries(ZEROS).find(([name]) => name === suffix.toLowerCase())?.[1]
  const digits = amount.replace(/^\$/, '')
  if (zeros === undefined || !DECIMAL_AMOUNT.test(digits)) return
  const units = new BigNumber(digits.replaceAll('_', '')).shiftedBy(zeros).toFixed()
  throw notAnAmount(amount + suffix, pointer, {
    why: 'amounts are written in digits; letters for thousands and millions are not read',
    hint: `write ${shellWord(amount.startsWith('$') ? `$${units}` : units)}`,
  })
}

const looksLikeDenom = (amount: string, token: string): boolean =>
  /^\d+$/.test(amount) && /[-/~:]/.test(token)

function coinLookAlike(
  { amount, token: name }: AmountAndToken,
  token?: NamedDenom,
  pointer = '/input/amount',
): SwapError {
  const isCoin = looksLikeDenom(amount, name) && amount.length <= 60
  const units = token === undefined ? 'whole units' : token.symbol
  const base =
    token === undefined || !isCoin
      ? 'that many base units'
      : `${groupThousands(formatUnits(BigInt(amount), token.decimals))} ${token.symbol}`
  return notAnAmount(amount + name, pointer, {
    why: isCoin
      ? 'it looks like a coin of the chain, which counts base units; amounts here are whole units'
      : 'amount and token are two words',
    hint: isCoin
      ? `add a space for ${groupThousands(amount)} ${units}, or write --atomic ${amount} for ${base}`
      : 'put a space between the amount and the token',
  })
}
