import { decimalText, floorDiv } from './decimal.js'
import { powerOfTen } from './integers.js'

/** An exact quotient of two integers; the denominator is above zero. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint }

export const rational = (numerator: bigint, denominator: bigint): Rational => ({
  numerator,
  denominator,
})

export const plus = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

export const minus = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator)

export const times = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator)

/** `b` must not be zero. */
export const over = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator)

/** Below zero where `a` is the smaller one, zero where both are equal, above zero otherwise. */
export function compareRationals(a: Rational, b: Rational): number {
  const left = a.numerator * b.denominator
  const right = b.numerator * a.denominator
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** A decimal with no more than this many significant digits is written. */
const SIGNIFICANT = 18

/**
 * A non-negative quotient as a decimal: at most 18 significant digits, rounded down, no trailing
 * zeros, never an exponent.
 *
 * @example formatRational(rational(2n, 3n)) === '0.666666666666666666'
 */
export function formatRational({ numerator, denominator }: Rational): string {
  if (numerator === 0n) return '0'
  let places = 0
  let digits = ''
  while (digits.length < SIGNIFICANT) {
    places += 2 * SIGNIFICANT
    digits = ((numerator * powerOfTen(places)) / denominator).toString()
  }
  const written = digits.slice(0, SIGNIFICANT)
  const wholes = digits.length - places
  if (wholes <= 0) return decimalText('0', '0'.repeat(-wholes) + written)
  return wholes < SIGNIFICANT
    ? decimalText(written.slice(0, wholes), written.slice(wholes))
    : written.padEnd(wholes, '0')
}

/** A quotient in basis points, as a number people compare: two decimals, half up; towards zero on a negative half. */
export const toBps = ({ numerator, denominator }: Rational): number =>
  toPercent(rational(numerator * 100n, denominator))

/** The same in percent. */
export function toPercent({ numerator, denominator }: Rational): number {
  const rounded = floorDiv(numerator * 20_000n + denominator, denominator * 2n)
  return Number(rounded) / 100
}

/** How far `value` is below `reference` in bps, two decimals, half up; negative where it is above. */
export const bpsBelow = (value: bigint, reference: bigint): number =>
  toBps(rational(reference - value, reference))
