import type { Decimal } from '../math/decimal.js'
import type { Group, LevelPart, PoolPart } from './group.js'
import {
  isBetter,
  type Maker,
  type MakerLevel,
  offerDenom,
  type PairState,
  quotedLevels,
  type RestingPool,
  restingOf,
  type Side,
} from './pair.js'
import { levelRate } from './venues/maker-level.js'
import { poolFactor } from './venues/resting-pool.js'
import { xykLadder } from './venues/xyk.js'

/**
 * The groups of one side, best rate first, built as far as they are read (docs/venues.md#groups):
 * fixed and oracle pools are joined by rate, the makers' levels by truncated rate, and the two sequences are
 * joined again. A maker's levels are read one ahead and never sorted.
 *
 * Returns whether the end of the side is really its end, and not just the end of what was read.
 * Throws `ArithmeticAbort` at the group where the contract would abort while receiving a level.
 */
export function* priceLevels(state: PairState, side: Side): Generator<Group, boolean> {
  const resting = restingOf(state, side)
  const pools = poolGroups(side, resting.fixed, resting.oracle)
  const makers = levelGroups(state, side)
  let pool = pools.next()
  let maker = makers.next()
  let certain = state.exact
  for (;;) {
    const level = maker.done ? undefined : maker.value
    // A maker whose levels were cut off may have hidden ones before anything that follows.
    certain &&= !maker.done || maker.value
    const usePool = !pool.done && !(level && isBetter(side, level.rate, pool.value.rate))
    const useLevel = level !== undefined && (!usePool || level.rate === pool.value?.rate)
    const head = usePool && !pool.done ? pool.value : level
    if (head === undefined) break
    certain &&= resting.knownTo === undefined || !isBetter(side, resting.knownTo, head.rate)
    certain &&= (!useLevel || level.certain) && (!usePool || pool.value?.certain === true)
    yield {
      rate: head.rate,
      pools: usePool && !pool.done ? pool.value.parts : [],
      levels: useLevel ? level.parts : [],
      certain,
    }
    if (usePool) pool = pools.next()
    if (useLevel) maker = makers.next()
  }
  return certain && resting.knownTo === undefined
}

/** The parts of one kind that share a rate. */
type PartsAtRate<P> = {
  readonly rate: Decimal
  readonly parts: readonly P[]
  readonly certain: boolean
}

function* poolGroups(
  side: Side,
  fixed: readonly RestingPool[],
  oracle: readonly RestingPool[],
): Generator<PartsAtRate<PoolPart>, void> {
  let i = 0
  let j = 0
  for (;;) {
    const a = fixed[i]
    const b = oracle[j]
    if (a && b && a.rate === b.rate) {
      i += 1
      j += 1
      yield poolLevel(side, [a, b])
    } else if (a && !(b && isBetter(side, b.rate, a.rate))) {
      i += 1
      yield poolLevel(side, [a])
    } else if (b) {
      j += 1
      yield poolLevel(side, [b])
    } else return
  }
}

const poolLevel = (
  side: Side,
  pools: readonly [RestingPool, ...RestingPool[]],
): PartsAtRate<PoolPart> => ({
  rate: pools[0].rate,
  parts: pools.map((pool) => ({
    kind: 'pool',
    pool,
    factor: poolFactor(side, pool.rate),
    size: pool.total,
  })),
  certain: pools.every((pool) => pool.certain),
})

type Head = { readonly rate: Decimal; readonly part: LevelPart }

/** Returns whether every maker's levels are known to their end. */
function* levelGroups(state: PairState, side: Side): Generator<PartsAtRate<LevelPart>, boolean> {
  const makers = state.makers.map((maker, index) => makerLevels(state, side, maker, index))
  const single = makers[0]
  if (single && makers.length === 1) return yield* singleMaker(single)
  const heads = makers.map((maker) => maker.next())
  let certain = true
  for (;;) {
    certain &&= heads.every((head) => !head.done || head.value !== 'unknown')
    const live = heads.flatMap((head) => (head.done ? [] : [head.value]))
    if (live.length === 0) return certain
    const best = live.reduce((a, b) => (isBetter(side, b.rate, a.rate) ? b : a)).rate
    const isAtBest = heads.map((head) => !head.done && head.value.rate === best)
    yield {
      rate: best,
      parts: live.filter((head) => head.rate === best).map((h) => h.part),
      certain,
    }
    for (const [i, maker] of makers.entries()) if (isAtBest[i]) heads[i] = maker.next()
  }
}

/** The usual case, one maker: as `levelGroups`, without looking for ties. */
function* singleMaker(
  maker: Generator<Head, 'ended' | 'unknown'>,
): Generator<PartsAtRate<LevelPart>, boolean> {
  for (let head = maker.next(); ; head = maker.next()) {
    if (head.done) return head.value === 'ended'
    yield { rate: head.value.rate, parts: [head.value.part], certain: true }
  }
}

/** One maker's levels with their truncated rates; ends in `unknown` where more of them may exist. */
function* makerLevels(
  state: PairState,
  side: Side,
  maker: Maker,
  index: number,
): Generator<Head, 'ended' | 'unknown'> {
  for (const level of levelsOf(state, side, maker)) {
    const rate = levelRate(side, state.pair.tick, level)
    yield { rate, part: { kind: 'level', maker: index, factor: level.price, size: level.size } }
  }
  if (maker.kind !== 'quoted') return 'ended'
  const truncated = side === 'ask' ? maker.asksTruncated : maker.bidsTruncated
  return truncated || maker.stale ? 'unknown' : 'ended'
}

const levelsOf = (state: PairState, side: Side, maker: Maker): Iterable<MakerLevel> =>
  maker.kind === 'xyk' ? xykLadder(maker, offerDenom(state.pair, side)) : quotedLevels(maker, side)
