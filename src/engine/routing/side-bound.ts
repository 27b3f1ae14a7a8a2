import type { Book } from '../market/book.js'
import {
  type Maker,
  offerDenom,
  type PairState,
  poolsOf,
  quotedLevels,
  type RestingPool,
  restingOf,
  type Side,
} from '../market/pair.js'
import { isRefusal } from '../market/refusal.js'
import type { FinRules } from '../market/venues/fin-rules.js'
import { levelCost } from '../market/venues/maker-level.js'
import { drainCost, poolFactor } from '../market/venues/resting-pool.js'
import { xykPriceCeiling } from '../market/venues/xyk.js'
import { type Decimal, decimal, ONE } from '../math/decimal.js'

/**
 * An upper bound on every fill of one side: an offer of `x` buys at most `rate * x + extra` output
 * atomics, after the venue's fee. Floats, rounded up: they steer a search and never reach an
 * answer. `rate` is the best price of any part; `extra` is what drained pools may give beyond their
 * price, because their cost is rounded down and one atomic short counts as drained
 * (docs/maths.md#upper-bounds-of-a-side).
 */
export type SideBound = { readonly rate: number; readonly extra: number }

const CLOSED: SideBound = { rate: 0, extra: 0 }
const UP = 1 + 1e-12

/** The bound of a side as an execution finds it, after the pair's own arbitrage step. */
export function sideBound(book: Book, side: Side): SideBound {
  const arbitrage = book.afterArbitrage()
  if (isRefusal(arbitrage)) return CLOSED
  const { state } = arbitrage
  const resting = restingOf(state, side)
  const best = Math.max(
    ...[resting.fixed[0], resting.oracle[0]].map((pool) => (pool ? priceOf(side, pool) : 0)),
    ...state.makers.map((maker) => makerPrice(state, side, maker)),
  )
  if (!(best > 0)) return CLOSED
  const topRate = decimal(BigInt(Math.ceil(best * UP * 1e18)))
  const extra =
    poolsOf(resting).reduce((sum, pool) => sum + poolExtra(state, side, topRate, pool), 0n) +
    state.makers
      .flatMap((maker) => quotedLevels(maker, side))
      .reduce((sum, { price, size }) => sum + excessOver(topRate, size, levelCost(price, size)), 0n)
  const keeps = 1 - (Number(state.pair.takerFee) / 1e18) * (1 - 1e-12)
  return { rate: best * keeps * UP, extra: Number(extra) * keeps * UP }
}

const priceOf = (side: Side, pool: RestingPool): number =>
  Number(poolFactor(side, pool.rate)) / 1e18

function makerPrice(state: PairState, side: Side, maker: Maker): number {
  if (maker.kind === 'xyk') return xykPriceCeiling(maker, offerDenom(state.pair, side))
  return quotedLevels(maker, side).reduce(
    (best, { price }) => Math.max(best, Number(price) / 1e18),
    0,
  )
}

function poolExtra(state: PairState, side: Side, topRate: Decimal, pool: RestingPool): bigint {
  const factor = poolFactor(side, pool.rate)
  if (factor === 0n) return pool.total
  return excessOver(topRate, pool.total, costOf(state.pair.rules, pool, factor))
}

/** The offer that draining a pool costs, by the rule that fills it; above 128 bits no offer drains it. */
export const costOf = (rules: FinRules, { origin, total }: RestingPool, factor: Decimal): bigint =>
  origin === 'unknown' ? levelCost(factor, total) : drainCost(rules, factor, total)

/** The amount by which a drained part pays more than `topRate × cost`. */
function excessOver(topRate: Decimal, pays: bigint, cost: bigint): bigint {
  const fair = (topRate * cost) / ONE
  return pays > fair ? pays - fair : 0n
}
