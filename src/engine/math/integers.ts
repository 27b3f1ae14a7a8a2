import { floorDiv } from './decimal.js'

const powers: bigint[] = []

/** Powers of ten are kept: computing one takes longer than a division by it. */
export function powerOfTen(exponent: number): bigint {
  return (powers[exponent] ??= 10n ** BigInt(exponent))
}

/** Growth of the steps from a guess. */
const GROWTH = 8n

/**
 * The least integer from 1 to `last` for which a monotone predicate holds, by growing steps from a guess; `undefined`
 * if there is none.
 */
export function firstNear(
  guess: bigint,
  last: bigint,
  holds: (size: bigint) => boolean,
): bigint | undefined {
  if (last < 1n) return undefined
  let low = 0n
  let high = guess < 1n ? 1n : guess < last ? guess : last
  let step = 1n
  if (holds(high)) {
    for (; low < high - step; step *= GROWTH)
      if (holds(high - step)) high -= step
      else low = high - step
  } else {
    do {
      if (high === last) return undefined
      low = high
      high = low + step < last ? low + step : last
      step *= GROWTH
    } while (!holds(high))
  }
  return lastFalse(low, high, holds) + 1n
}

/** Between `low`, where something does not hold, and `high`, where it does: the last that does not. */
export function lastFalse(low: bigint, high: bigint, holds: (size: bigint) => boolean): bigint {
  let no = low
  let yes = high
  while (yes - no > 1n) {
    const middle = (yes + no) / 2n
    if (holds(middle)) yes = middle
    else no = middle
  }
  return no
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
