import {
  type Decimal,
  decimal,
  formatDecimal,
  mulFloor,
  ONE,
  parseDecimal,
} from '../../engine/math/decimal.js'
import { squareRoot } from '../../engine/math/integers.js'
import { truncateCeil, truncateFloor } from '../../engine/math/tick.js'
import type { AssetFact } from './assets.js'
import type { LadderStyle, PairFact } from './pair-facts.js'
import { drawBetween, drawOne, type Random, type Range } from './random.js'

/** Significant figures of every price, as on real pairs. */
export const TICK = 6

/** The parameters of one side of a book. */
type LadderPlan = {
  readonly side: 'ask' | 'bid'
  /** Quote atomics per base atomic; all asks lie above it, all bids below. */
  readonly mid: Decimal
  /** The asset that the orders of this side give. */
  readonly gives: AssetFact
  /** Their total worth, before the random ±30 %. */
  readonly depthUsd: bigint
  readonly style: LadderStyle
}

/** Levels a side; distance of the best from the mid and between neighbours, in millionths. */
type Shape = { readonly levels: Range; readonly nearest: Range; readonly gap: Range }

/** The unit of random distances and shares, in parts of one: 100 of them are a basis point. */
const MILLION = 1_000_000n

const shapes: Readonly<Record<LadderStyle, Shape>> = {
  hub: { levels: [18n, 25n], nearest: [500n, 2000n], gap: [800n, 2000n] },
  dislocated: { levels: [18n, 25n], nearest: [300n, 500n], gap: [800n, 2000n] },
  volatile: { levels: [5n, 18n], nearest: [500n, 4000n], gap: [600n, 4000n] },
  pegged: { levels: [3n, 10n], nearest: [200n, 1500n], gap: [100n, 800n] },
}

/**
 * The limit orders of one side, best price first: prices, quote per base, and the atomics that they give. Prices fit the
 * tick and are rounded away from the mid, so sides never cross; orders get larger on average the further out they rest.
 */
export function drawLadder(random: Random, plan: LadderPlan) {
  const distances = drawDistances(random, shapes[plan.style])
  const shares = distances.map((_, i) => BigInt(i + 1) * drawBetween(random, [50n, 150n]))
  const depth = plan.depthUsd * drawBetween(random, [700_000n, 1_300_000n])
  const whole = shares.reduce((sum, share) => sum + share, 0n) * MILLION
  return distances.map((distance, i) => ({
    price: formatDecimal(priceAt(plan, distance)),
    total: atomicsWorth(plan.gives, depth * (shares[i] ?? 0n), whole).toString(),
  }))
}

/** Atomics of an asset worth `dollars ÷ divisor`, rounded down. */
export const atomicsWorth = (asset: AssetFact, dollars: bigint, divisor = 1n): bigint =>
  (dollars * ONE * 10n ** BigInt(asset.decimals)) / (divisor * priceUsd(asset))

/** The fair price of a pair, quote atomics per base atomic, from the dollar prices of both. */
export const fairPrice = (base: AssetFact, quote: AssetFact): Decimal =>
  decimal(
    (ONE * priceUsd(base) * 10n ** BigInt(quote.decimals)) /
      (priceUsd(quote) * 10n ** BigInt(base.decimals)),
  )

/** A price moved by basis points, down if negative; rounded down. */
export const shiftedBy = (price: Decimal, bps: bigint): Decimal => movedBy(price, bps * 100n)

/** A price moved by millionths, down if negative; rounded down. */
export const movedBy = (price: Decimal, millionths: bigint): Decimal =>
  decimal((price * (MILLION + millionths)) / MILLION)

function drawDistances(random: Random, shape: Shape): readonly bigint[] {
  const count = Number(drawBetween(random, shape.levels))
  let distance = drawBetween(random, shape.nearest)
  return Array.from({ length: count }, (_, i) => {
    if (i > 0) distance += drawBetween(random, shape.gap)
    return distance
  })
}

const priceAt = ({ side, mid }: LadderPlan, distance: bigint): Decimal =>
  side === 'ask'
    ? truncateCeil(movedBy(mid, distance), TICK)
    : truncateFloor(movedBy(mid, -distance), TICK)

/** Dollars per displayed unit. */
export const priceUsd = (asset: AssetFact): Decimal => parseDecimal(asset.priceUsd) ?? decimal(0n)

/** Atomics below which a maker quotes no level. */
const MIN_QUOTE = '10000'

/** Share of its reserves that a maker offers per level; the price then moves by twice that. */
const STEPS = ['0.0005', '0.001', '0.001', '0.002', '0.005'] as const

/** The fee of a maker: with its step it leaves 20 bps or more between the mid and its levels. */
const FEES = ['0.0015', '0.002', '0.0025', '0.003'] as const

/**
 * The constant-product maker of a pair, if it has one: both reserves worth half of its dollars
 * (±20 %), their ratio the pair's `mid` price, LP shares as after a first deposit. In the format of its `strategy` answer:
 * config, then state (atomics).
 */
export function drawMakers(random: Random, fact: PairFact, mid: Decimal) {
  if (fact.maker === undefined) return []
  const percent = drawBetween(random, [80n, 120n])
  const x = atomicsWorth(fact.base, fact.maker.tvlUsd * percent, 200n)
  const y = mulFloor(x, mid)
  const config = {
    x: fact.base.denom,
    y: fact.quote.denom,
    step: drawOne(random, STEPS),
    min_quote: MIN_QUOTE,
    fee: drawOne(random, FEES),
  }
  const state = { x: `${x}`, y: `${y}`, k: `${x * y}`, shares: `${squareRoot(x * y)}` }
  return [{ address: fact.maker.address, strategy: { xyk: [config, state] as const } }]
}
