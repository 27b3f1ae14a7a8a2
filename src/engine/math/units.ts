import { decimalText, MAX_UINT128 } from './decimal.js'

/** A typed amount in whole units, or why it is invalid. */
export type TypedAmount =
  | { readonly kind: 'amount'; readonly atomics: bigint }
  | { readonly kind: 'malformed' | 'zero' | 'too_large' }
  /** More decimals than the token has; amounts are never rounded. */
  | { readonly kind: 'too_fine'; readonly whole: string; readonly fraction: string }

/** Maximum decimals of a token: 2^128 has 39 digits. */
export const MAX_DECIMALS = 38

/** Maximum length: 39 digits, 38 decimals, and underscores between some of them. */
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

/**
 * Atomics as display units: every digit, no exponent, no grouping, no trailing zeros. `decimals` is
 * the token's, 0 to 38. Negative differences keep their sign.
 *
 * @example formatUnits(150_000_000n, 8) // '1.5'
 */
export function formatUnits(atomics: bigint, decimals: number): string {
  const { sign, whole, fraction } = unitsOf(atomics, decimals)
  return sign + decimalText(whole, fraction)
}

/** Millionths of a dollar as dollars; `null` if unknown or not set. @example '99.5' */
export const formatMicroUsd = (micro: bigint | undefined): string | null =>
  micro === undefined ? null : formatUnits(micro, 6)

/** The digits of atomics before and after the point of whole units. */
export function unitsOf(atomics: bigint, decimals: number) {
  const digits = String(atomics < 0n ? -atomics : atomics).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return {
    sign: atomics < 0n ? '-' : '',
    whole: digits.slice(0, point),
    fraction: digits.slice(point),
  }
}
