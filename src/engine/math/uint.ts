import { floorDiv } from './decimal.js'

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

/** The greatest integer whose square is not above a `value` of 0 or more. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  // From above, Newton's steps fall until they pass the root.
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/**
 * Divides every part by `unit` and rounds the quotients so that they add up to their sum, rounded half
 * up: the largest remainders are rounded up, the first of equal ones before the others. No result is a
 * whole unit away from its quotient. Parts may be negative; `unit` is above zero.
 *
 * @example apportion([14n, 14n, 14n], 10n) // [2n, 1n, 1n], for 42 is 4 units
 */
export function apportion(parts: readonly bigint[], unit: bigint): readonly bigint[] {
  const rounded = parts.map((part) => floorDiv(part, unit))
  const remainders = parts.map((part, i) => part - rounded[i]! * unit)
  // The remainders add up to the units that are missing, but for the last one's half.
  for (let rest = sum(remainders); 2n * rest >= unit; rest -= unit) {
    const largest = remainders.reduce((best, each, i) => (each > remainders[best]! ? i : best), 0)
    rounded[largest]! += 1n
    remainders[largest] = 0n
  }
  return rounded
}

const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n)
