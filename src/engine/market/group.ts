import type { Decimal } from '../math/decimal.js'
import { type Scaled, scaledAdd, scaledMul, scaledRatio } from '../math/scaled.js'
import type { RestingPool } from './pair.js'
import { ContractFailure } from './refusal.js'
import type { FinRules } from './venues/fin-rules.js'
import { takeLevel } from './venues/maker-level.js'
import { distribute, type PoolFill, takePool } from './venues/resting-pool.js'

/** A limit pool as a part of a group. `factor`: bought per sold. */
export type PoolPart = {
  readonly kind: 'pool'
  readonly pool: RestingPool
  readonly factor: Decimal
  readonly size: bigint
}

/** One level of one maker as a part of a group. `factor`: its price, bought per sold. */
export type LevelPart = {
  readonly kind: 'level'
  /** Index of the maker in the pair's list. */
  readonly maker: number
  readonly factor: Decimal
  readonly size: bigint
}

export type GroupPart = PoolPart | LevelPart

/**
 * Everything on one side with one rate, served together: at most a fixed and an oracle pool, and at
 * most one level of each maker, in address order (docs/venues.md#groups).
 */
export type Group = {
  /** Quote atomics per base atomic; truncated to the tick where makers set it. */
  readonly rate: Decimal
  readonly pools: readonly PoolPart[]
  readonly levels: readonly LevelPart[]
  /** False if the group, or a group before it, is not completely known. */
  readonly certain: boolean
}

/** A part during a fill: its remaining amount, and the amounts it sold and bought so far. */
export type LivePart<P extends GroupPart = GroupPart> = {
  readonly part: P
  left: bigint
  sold: bigint
  bought: bigint
  /** Partial fills of a pool whose running sum and product are known, oldest first. */
  readonly partials: Partial[]
}

/** A partial fill of a pool: its previous total and the amounts taken. */
type Partial = { readonly total: bigint; readonly taken: PoolFill }

/** A group while it is being taken from. Owned and mutated by one walk; the group itself is shared. */
export type LiveGroup = {
  readonly group: Group
  readonly pools: readonly LivePart<PoolPart>[]
  readonly levels: readonly LivePart<LevelPart>[]
}

export const liveGroup = (group: Group): LiveGroup => ({
  group,
  pools: group.pools.map(livePart),
  levels: group.levels.map(livePart),
})

/** The group without the precision of its pools. */
export const withoutPrecision = (live: LiveGroup): LiveGroup => ({
  ...live,
  pools: live.pools.map((part) => {
    const { sum: _sum, product: _product, ...pool } = part.part.pool
    return { ...part, part: { ...part.part, pool } }
  }),
})

const livePart = <P extends GroupPart>(part: P): LivePart<P> => ({
  part,
  left: part.size,
  sold: 0n,
  bought: 0n,
  partials: [],
})

/** A copy that a trial may mutate. */
export const copyLive = (live: LiveGroup): LiveGroup => ({
  group: live.group,
  pools: live.pools.map((part) => ({ ...part, partials: [...part.partials] })),
  levels: live.levels.map((part) => ({ ...part })),
})

/** What is left in the group, in the denom that the taker receives. */
export const leftIn = (live: LiveGroup): bigint => leftOf(live.pools) + leftOf(live.levels)

const leftOf = (parts: readonly LivePart[]): bigint =>
  parts.reduce((sum, part) => sum + part.left, 0n)

/**
 * Takes from a group: pools and makers share the offer in proportion to what they hold, rounded down
 * for the pools; what one part cannot use is not offered to the others
 * (docs/venues.md#shares-within-a-group). Mutates `live`. `sold` may exceed `offer` under the `atom`
 * tolerance.
 */
export function takeGroup(rules: FinRules, live: LiveGroup, offer: bigint): PoolFill {
  if (live.levels.length === 0) return takePools(rules, live.pools, offer)
  if (live.pools.length === 0) return takeLevels(live.levels, offer)
  const inPools = leftOf(live.pools)
  const toPools = share(offer, inPools, inPools + leftOf(live.levels))
  const fromPools = takePools(rules, live.pools, toPools)
  const fromLevels = takeLevels(live.levels, offer - toPools)
  return add(fromPools, fromLevels)
}

function takePools(rules: FinRules, pools: readonly LivePart<PoolPart>[], offer: bigint): PoolFill {
  const [first, second] = pools
  if (first === undefined) return { sold: 0n, bought: 0n }
  if (second === undefined) return takeFromPool(rules, first, offer)
  const toFirst = share(offer, first.left, first.left + second.left)
  const fromFirst = takeFromPool(rules, first, toFirst)
  return add(fromFirst, takeFromPool(rules, second, offer - toFirst))
}

/** `offer × part ÷ total`, rounded down. */
function share(offer: bigint, part: bigint, total: bigint): bigint {
  if (total === 0n) throw new ContractFailure('zero_total', 'Denominator must not be zero')
  return (offer * part) / total
}

/** The makers of a group in address order: each gets its floored share, at most what remains. */
function takeLevels(levels: readonly LivePart<LevelPart>[], offer: bigint): PoolFill {
  const single = levels[0]
  if (levels.length === 1 && single !== undefined) return takeFromLevel(single, offer)
  const total = leftOf(levels)
  let rest = offer
  let bought = 0n
  for (const level of levels) {
    if (rest === 0n) break
    const levelOffer = share(offer, level.left, total)
    const taken = takeFromLevel(level, levelOffer < rest ? levelOffer : rest)
    rest -= taken.sold
    bought += taken.bought
  }
  return { sold: offer - rest, bought }
}

function takeFromPool(rules: FinRules, live: LivePart<PoolPart>, offer: bigint): PoolFill {
  const { part } = live
  // An estimate, by the rule of makers (docs/venues.md#levels-of-unknown-kind).
  const taken =
    part.pool.origin === 'unknown'
      ? takeLevel(part.factor, live.left, offer)
      : takePool(rules, part.factor, live.left, offer)
  const { sum } = part.pool
  if (sum !== undefined && taken.sold > 0n && taken.bought < live.left) {
    live.partials.push({ total: live.left, taken })
    if (live.partials.length > 1 || !isFresh(part.pool, live.left)) precisionOf(live)
  }
  return record(live, taken)
}

/** A pool that was never partly filled takes one such fill whatever its size, up to 10^24 atomics. */
const isFresh = ({ sum, product }: RestingPool, total: bigint): boolean =>
  sum?.mantissa === 0n && product?.mantissa === 1n && product.scale === 0 && total < FRESH_LIMIT

const FRESH_LIMIT = 10n ** 24n

/**
 * A pool's running sum and product after its partial fills, where they are known. Throws
 * `ContractFailure` where the contract answers `DistributionError`.
 */
export function precisionOf({
  part: { pool },
  partials,
}: LivePart<PoolPart>): { readonly sum: Scaled; readonly product: Scaled } | undefined {
  const { sum, product } = pool
  if (sum === undefined || product === undefined) return undefined
  return partials.reduce(
    (state, { total, taken }) => distribute(state.sum, state.product, total, taken),
    { sum, product },
  )
}

/**
 * The sum at which the epoch of a drained pool ended: what a share of one was paid since the epoch
 * began. `undefined` where the pool's precision is not known.
 */
export function drainedSum(live: LivePart<PoolPart>): Scaled | undefined {
  const before = precisionOf(live)
  if (before === undefined) return undefined
  const sum = (of: (taken: PoolFill) => bigint) =>
    live.partials.reduce((total, { taken }) => total + of(taken), 0n)
  const total = live.part.size - sum((taken) => taken.bought)
  const sold = live.sold - sum((taken) => taken.sold)
  return scaledAdd(before.sum, scaledMul(before.product, scaledRatio(sold, total)))
}

const takeFromLevel = (live: LivePart<LevelPart>, offer: bigint): PoolFill =>
  record(live, takeLevel(live.part.factor, live.left, offer))

function record(live: LivePart, taken: PoolFill): PoolFill {
  live.left -= taken.bought
  live.sold += taken.sold
  live.bought += taken.bought
  return taken
}

const add = (a: PoolFill, b: PoolFill): PoolFill => ({
  sold: a.sold + b.sold,
  bought: a.bought + b.bought,
})
