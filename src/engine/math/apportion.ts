import { floorDiv } from './decimal.js'

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
