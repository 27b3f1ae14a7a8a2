import { type Decimal, decimal, ONE } from './decimal.js'
import { ArithmeticAbort, uint128 } from './uint.js'

/**
 * Truncates a rate to `tick` significant figures, towards zero. Mirrors rujira-fin `tick.rs`: the
 * quotient is taken with 18 digits first, so for rates of more than 18 + `tick` digits the tail
 * beyond them is lost before rounding.
 *
 * Throws `ArithmeticAbort` when the rate has fewer digits than the tick: the contract underflows.
 */
export const truncateFloor = (rate: Decimal, tick: number): Decimal => {
  const unit = tickUnit(rate, tick)
  return decimal((uint128((rate * ONE) / unit) / ONE) * unit)
}

/** As `truncateFloor`, rounding up; may carry to one more digit (99999.95 at 6 is 100000). */
export const truncateCeil = (rate: Decimal, tick: number): Decimal => {
  const unit = tickUnit(rate, tick)
  return decimal(((uint128((rate * ONE) / unit) + ONE - 1n) / ONE) * unit)
}

/** Whether an order may be placed at this price: it equals its own truncation and is not zero. */
export const fitsTick = (price: Decimal, tick: number): boolean =>
  price > 0n && digits(price) >= tick && truncateFloor(price, tick) === price

const digits = (value: bigint): number => value.toString().length

function tickUnit(rate: Decimal, tick: number): bigint {
  const excess = digits(rate) - tick
  if (excess < 0) throw new ArithmeticAbort('tick: fewer digits than the tick keeps')
  return 10n ** BigInt(excess)
}
