import { type Rational, rational } from '../../engine/math/rational.js'

/** The number that was written, exactly: what a person reads as 0.1 is a tenth here. */
export function exactRational(value: number): Rational {
  const [digits = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const shift = BigInt(Number(exponent) - fraction.length)
  const number = BigInt(whole + fraction)
  return shift < 0n ? rational(number, 10n ** -shift) : rational(number * 10n ** shift, 1n)
}
