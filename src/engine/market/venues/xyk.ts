import { ceilDiv, MAX_UINT128, mulFloor, ONE, ratio } from '../../math/decimal.js'
import type { MakerLevel, XykMaker } from '../pair.js'
import { ContractFailure } from '../refusal.js'
import type { Denom } from '../token.js'
import { levelCost } from './maker-level.js'

/**
 * The levels that a constant-product maker quotes to a taker who pays `offered`, best first. Mirrors
 * rujira-rs `bow/xyk.rs` (docs/venues.md#the-ladder). The ladder advances a copy of the reserves; a
 * fill moves the reserves in one step instead (`fillXyk`).
 *
 * It ends where a step is below `min_quote` on either side, where rounding leaves no price, and where
 * the maker's own arithmetic fails (a failing query is a maker without further levels).
 */
export function* xykLadder(maker: XykMaker, offered: Denom): Generator<MakerLevel, void> {
  const cursor = xykCursor(maker, offered)
  while (passXykLevel(cursor)) yield passedXykLevel(cursor)
}

/**
 * Position in a ladder: the maker's view of its reserves after the last level, and what draining that level costs and
 * pays. Owned and advanced by one reader.
 */
export type XykCursor = {
  readonly maker: XykMaker
  /** `1 ÷ maker.step` where that is an integer, else 0: the step is `x` divided by it, which is quicker. */
  readonly stepsInReserve: bigint
  x: bigint
  y: bigint
  /** The step of the last level, whose price is `size ÷ step`. */
  step: bigint
  size: bigint
  /** What draining it costs: the step, and what rounding the price adds. */
  cost: bigint
}

export function xykCursor(maker: XykMaker, offered: Denom): XykCursor {
  const [x, y] = xykReserves(maker, offered)
  // The maker's own price, `y ÷ x`, only falls along the ladder; where it leaves 128 bits there is no level.
  const isPriced = x > 0n && ratio(y, x) <= MAX_UINT128
  const stepsInReserve = maker.step > 0n && ONE % maker.step === 0n ? ONE / maker.step : 0n
  return { maker, stepsInReserve, x: isPriced ? x : 0n, y, step: 0n, size: 0n, cost: 0n }
}

/** The level that a cursor was moved past last. */
export const passedXykLevel = ({ step, size }: XykCursor): MakerLevel => ({
  price: ratio(size, step),
  size,
})

/** Moves a cursor past the next level; false at the end of the ladder. */
export function passXykLevel(cursor: XykCursor): boolean {
  const { maker, stepsInReserve, x, y } = cursor
  if (x === 0n) return false
  const step = stepsInReserve === 0n ? mulFloor(x, maker.step) : x / stepsInReserve
  const invariant = x * y
  const nextX = x + step
  const nextY = reserveAfter(invariant, nextX)
  const output = y - nextY
  if (step < maker.minQuote || output < maker.minQuote || step === 0n) return false
  if (nextX > ONE && nextX * nextY < invariant) return false
  const size = output - (mulFloor(output, maker.fee) + 1n)
  if (size < 0n) return false
  // `levelCost` is the step itself where the price in its 18 digits is not below the step.
  const width = Number(step)
  let cost = step
  if (width >= 1e18 || Number(size) * 9e17 <= width * width) {
    const price = ratio(size, step)
    // Every level is worse than the maker's price, since the maker keeps an atomic. Only from 10^18 atomics on
    // can the 18 digits of the price lose that atomic.
    if (price === 0n || (step >= ONE && price >= ratio(y, x))) return false
    cost = levelCost(price, size)
  }
  cursor.x = nextX
  cursor.y = nextY
  cursor.step = step
  cursor.size = size
  cursor.cost = cost
  return true
}

/**
 * The maker after it was paid `sold` of `offered` and asked for `asked`: one constant-product step
 * with the whole amount (docs/venues.md#one-step-fills). It pays exactly `asked`; fee and surplus
 * leave the reserves.
 * Throws `ContractFailure` if the step would pay less than `asked`.
 */
export function fillXyk(maker: XykMaker, offered: Denom, sold: bigint, asked: bigint): XykMaker {
  const [x, y] = xykReserves(maker, offered)
  const nextX = x + sold
  const nextY = reserveAfter(x * y, nextX)
  const output = y - nextY
  const net = output - mulFloor(output, maker.fee)
  if (net < asked)
    throw new ContractFailure(
      'maker_refuses',
      `maker ${maker.address} pays ${net} for ${sold} in one step, below the ${asked} of its levels`,
    )
  return offered === maker.y
    ? { ...maker, reserveX: nextY, reserveY: nextX }
    : { ...maker, reserveX: nextX, reserveY: nextY }
}

/**
 * No level of the ladder is priced above this (received per offered, as a float a little too high):
 * each step pays at most `(1 − fee) × y / (x + step)`, and `y / x` only falls. A drained level costs
 * at least its own step, so no level pays more than this times its cost either.
 */
export function xykPriceCeiling(maker: XykMaker, offered: Denom): number {
  const [x, y] = xykReserves(maker, offered)
  if (x === 0n) return 0
  const step = Number(maker.step) / 1e18
  const shrink = Math.max(1 + step - 1 / Number(x), 1)
  return ((Number(y) / Number(x)) * (1 - Number(maker.fee) / 1e18) * (1 + 1e-12)) / shrink
}

/** Reserves as (paid in, paid out). A denom that is neither counts as `x`, as in the contract. */
export const xykReserves = (maker: XykMaker, offered: Denom): [bigint, bigint] =>
  offered === maker.y ? [maker.reserveY, maker.reserveX] : [maker.reserveX, maker.reserveY]

/** `ceil` of the 18-digit quotient, itself rounded down: the contract's two steps. */
const reserveAfter = (invariant: bigint, x: bigint): bigint =>
  x <= ONE ? ceilDiv(invariant, x) : ceilDiv((invariant * ONE) / x, ONE)
