/**
 * A fixed-point number with 18 fractional digits, held as an integer: `1.5` is
 * `1_500_000_000_000_000_000n`. The same type as CosmWasm's `Decimal`.
 *
 * Branded, because an unscaled amount is a `bigint` too and mixing them compiles.
 */
export type Decimal = bigint & { readonly __decimal: never }

/** 10^18: the integer that represents 1. */
export const ONE = 10n ** 18n

const ONE_SQUARED = ONE * ONE

/** Basis points in 1. */
export const BPS = 10_000n

/** Wraps 18-digit atomics as they come off the wire: `decimal(5n * 10n ** 17n)` is 0.5. */
export const decimal = (atomics: bigint): Decimal => atomics as Decimal

/** The greatest integer ≤ `amount × factor`. Both must be non-negative. */
export const mulFloor = (amount: bigint, factor: Decimal): bigint => (amount * factor) / ONE

/** The smallest integer ≥ `amount × factor`. Both must be non-negative. */
export const mulCeil = (amount: bigint, factor: Decimal): bigint =>
  (amount * factor + ONE - 1n) / ONE

/** The greatest integer ≤ `amount ÷ divisor`. Throws `ArithmeticAbort` for a divisor of zero. */
export const divFloor = (amount: bigint, divisor: Decimal): bigint =>
  (amount * ONE) / nonZero(divisor)

/** The smallest integer ≥ `amount ÷ divisor`. Throws `ArithmeticAbort` for a divisor of zero. */
export const divCeil = (amount: bigint, divisor: Decimal): bigint =>
  (amount * ONE + divisor - 1n) / nonZero(divisor)

function nonZero(divisor: Decimal): Decimal {
  if (divisor === 0n) throw new ArithmeticAbort('division by zero')
  return divisor
}

/** `1 ÷ value`, rounded down to 18 digits, as `Decimal::inv` does. `value` must not be zero. */
export const inverse = (value: Decimal): Decimal => decimal(ONE_SQUARED / value)

/** `numerator ÷ denominator` rounded down to 18 digits, as `Decimal::from_ratio` does. */
export const ratio = (numerator: bigint, denominator: bigint): Decimal =>
  decimal((numerator * ONE) / denominator)

/** The smallest integer ≥ `a ÷ b` of two non-negative integers. */
export const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** The greatest integer ≤ `a ÷ b` for `b` above zero, also of a negative `a`. */
export const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -ceilDiv(-a, b))

/**
 * Reads the chain's text form: an integer part and at most 18 fractional digits, no sign, no
 * exponent, value × 10^18 below 2^128. Anything else is `undefined`.
 *
 * @example parseDecimal('0.0015') === 1_500_000_000_000_000n
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (!/^\d{1,39}(\.\d{1,18})?$/.test(text)) return undefined
  const point = text.indexOf('.')
  const whole = point < 0 ? text : text.slice(0, point)
  const fraction = point < 0 ? '' : text.slice(point + 1)
  const atomics = BigInt(whole + fraction.padEnd(18, '0'))
  return atomics >> 128n === 0n ? decimal(atomics) : undefined
}

/**
 * The chain's text form: no trailing zeros, never an exponent.
 *
 * @example formatDecimal(decimal(1_500_000_000_000_000n)) === '0.0015'
 */
export function formatDecimal(value: Decimal): string {
  return decimalText(`${value / ONE}`, (value % ONE).toString().padStart(18, '0'))
}

/** Digits before and after the point as a decimal, without trailing zeros. */
export function decimalText(whole: string, fraction: string): string {
  let end = fraction.length
  while (fraction[end - 1] === '0') end -= 1
  return end === 0 ? whole : `${whole}.${fraction.slice(0, end)}`
}

/** The largest amount that the chain can hold: 2^128 − 1. */
export const MAX_UINT128 = (1n << 128n) - 1n

/** 128-bit arithmetic left its range: the contract itself would stop here with a VM abort. */
export class ArithmeticAbort extends Error {
  override readonly name = 'ArithmeticAbort'
}

/** Passes a value that fits `Uint128`; otherwise throws, as the contract panics. */
export function uint128(value: bigint): bigint {
  if (value < 0n || value > MAX_UINT128) throw new ArithmeticAbort('overflow')
  return value
}

/**
 * Reads an amount in the chain's text form: decimal digits, no sign, no leading zero, at most
 * 2^128 − 1. Anything else is `undefined`.
 */
export function parseUint128(text: string): bigint | undefined {
  if (!/^(0|[1-9]\d{0,38})$/.test(text)) return undefined
  const value = BigInt(text)
  return value <= MAX_UINT128 ? value : undefined
}
