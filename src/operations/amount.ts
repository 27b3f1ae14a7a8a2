import { SwapError } from '../engine/errors.js'
import { MAX_UINT128, parseUint128 } from '../engine/math/uint.js'

/**
 * Reads an amount of a request: digits in a string, or an integer that JSON holds exactly. Zero,
 * signs, fractions, exponents and anything above 2^128 − 1 are refused.
 */
export function readAmount(value: string | number, pointer: string): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value
  const amount = typeof text === 'string' ? parseUint128(text) : undefined
  if (amount !== undefined && amount > 0n) return amount
  throw new SwapError('INVALID_AMOUNT', `${shown(value)} is not an amount`, {
    why: `an amount is a whole number of atomics above zero and at most ${MAX_UINT128}`,
    hint: 'write it as a string of digits, such as "150000000"',
    members: { pointer },
  })
}

/** An amount in whole units as it is typed, or why it is none. */
export type TypedAmount =
  | { readonly kind: 'amount'; readonly atomics: bigint }
  | { readonly kind: 'malformed' | 'zero' | 'too_large' }
  /** More decimals than the token has; amounts are never rounded. */
  | { readonly kind: 'too_fine'; readonly whole: string; readonly fraction: string }

/** No honest amount is longer: 39 digits, 38 decimals, and underscores between some of them. */
export const LONGEST_AMOUNT = 120

export const DECIMAL_AMOUNT = /^(?:(\d+(?:_\d+)*)(?:\.(\d+(?:_\d+)*))?|\.(\d+(?:_\d+)*))$/

/**
 * Reads an amount in whole units: digits, a dot, and `_` between digits. `.5` is one, `5.` is not.
 *
 * @example readTypedAmount('25_000', 8) // { kind: 'amount', atomics: 2_500_000_000_000n }
 */
export function readTypedAmount(text: string, decimals: number): TypedAmount {
  const match = text.length <= LONGEST_AMOUNT ? DECIMAL_AMOUNT.exec(text) : null
  if (match === null) return { kind: 'malformed' }
  const whole = digitsOf(match[1])
  const fraction = digitsOf(match[2] ?? match[3])
  if (fraction.length > decimals) return { kind: 'too_fine', whole, fraction }
  const atomics = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (atomics === 0n) return { kind: 'zero' }
  return atomics > MAX_UINT128 ? { kind: 'too_large' } : { kind: 'amount', atomics }
}

const digitsOf = (group: string | undefined): string => (group ?? '').replaceAll('_', '')

const shown = (value: string | number): string => {
  const text = JSON.stringify(value)
  return text.length > 48 ? `${text.slice(0, 45)}...` : text
}
