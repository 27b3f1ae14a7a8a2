import { ceilDiv, decimal, mulFloor, ONE, ratio } from '../../math/decimal.js'
import { MAX_UINT128 } from '../../math/uint.js'
import type { MakerLevel, XykMaker } from '../pair.js'
import { ContractFailure } from '../refusal.js'
import type { Denom } from '../token.js'

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
  for (let level = nextXykLevel(cursor); level !== undefined; level = nextXykLevel(cursor))
    yield level
}

/** Position in a ladder: the maker's view of its reserves. Owned and advanced by one reader. */
export type XykCursor = {
  readonly maker: XykMaker
  x: bigint
  y: bigint
  invariant: bigint
  /** What draining the last level costs. */
  cost: bigint
}

export function xykCursor(maker: XykMaker, offered: Denom): XykCursor {
  const [x, y] = xykReserves(maker, offered)
  // The maker's own price, `y ÷ x`, only falls along the ladder; where it leaves 128 bits there is no level.
  const isPriced = x > 0n && ratio(y, x) <= MAX_UINT128
  return { maker, x: isPriced ? x : 0n, y, invariant: x * y, cost: 0n }
}

/** The next level of a ladder, moving its cursor past it; `undefined` at its end. */
export function nextXykLevel(cursor: XykCursor): MakerLevel | undefined {
  const { maker, x, y, invariant } = cursor
  if (x === 0n) return undefined
  const amount = mulFloor(x, maker.step)
  const nextX = x + amount
  const nextY = reserveAfter(invariant, nextX)
  const output = y - nextY
  if (amount < maker.minQuote || output < maker.minQuote || amount === 0n) return undefined
  const nextInvariant = nextX * nextY
  if (nextX > ONE && nextInvariant < invariant) return undefined
  const size = output - (mulFloor(output, maker.fee) + 1n)
  if (size < 0n) return undefined
  const value = size * ONE
  const price = decimal(value / amount)
  // Every level is worse than the maker's price, since the maker keeps an atomic. Only from 10^18 atomics on
  // can the 18 digits of the price lose that atomic.
  if (price === 0n || (amount >= ONE && price >= ratio(y, x))) return undefined
  cursor.x = nextX
  cursor.y = nextY
  cursor.invariant = nextInvariant
  // `levelCost`, `value ÷ price`, is the step itself but for what rounding the price left.
  const rest = value - price * amount
  cursor.cost = rest < price ? amount : amount + rest / price
  return { price, size }
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
