import { ArithmeticAbort, type Decimal, decimal, ONE, uint128 } from './decimal.js'
import { powerOfTen } from './integers.js'

/**
 * Truncates a rate to `tick` significant figures, towards zero. Mirrors rujira-fin `tick.rs`: the
 * quotient is taken with 18 digits first, so for rates of more than 18 + `tick` digits the tail
 * beyond them is lost before rounding.
 *
 * Throws `ArithmeticAbort` when the rate has fewer digits than the tick: the contract underflows.
 */
export const truncateFloor = (rate: Decimal, tick: number): Decimal => {
  const unit = tickUnit(rate, tick)
  if (isPlain(unit, tick)) return decimal((rate / unit) * unit)
  return decimal((uint128((rate * ONE) / unit) / ONE) * unit)
}

/** As `truncateFloor`, rounding up; may carry to one more digit (99999.95 at 6 is 100000). */
export const truncateCeil = (rate: Decimal, tick: number): Decimal => {
  const unit = tickUnit(rate, tick)
  if (isPlain(unit, tick)) return decimal(((rate + unit - 1n) / unit) * unit)
  return decimal(((uint128((rate * ONE) / unit) + ONE - 1n) / ONE) * unit)
}

/** Whether an order may be placed at this price: it equals its own truncation and is not zero. */
export const fitsTick = (price: Decimal, tick: number): boolean =>
  price > 0n && digits(price) >= tick && truncateFloor(price, tick) === price

/** Whether the 18-digit quotient is whole enough to round in one step and cannot leave 128 bits. */
const isPlain = (unit: bigint, tick: number): boolean => unit <= ONE && tick <= 19

/** Decimal digits of a 128-bit integer: estimated in a float, settled by comparison. */
function digits(value: bigint): number {
  const guess = Math.max(1, Math.min(39, Math.ceil(Math.log10(Number(value)))))
  if (value >= powerOfTen(guess)) return guess + 1
  return guess > 1 && value < powerOfTen(guess - 1) ? guess - 1 : guess
}

function tickUnit(rate: Decimal, tick: number): bigint {
  const excess = digits(rate) - tick
  if (excess < 0) throw new ArithmeticAbort('tick: fewer digits than the tick keeps')
  return powerOfTen(excess)
}
