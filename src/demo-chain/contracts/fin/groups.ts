import type { FinRules } from '../../../engine/market/venues/fin-rules.js'
import type { Taken } from '../../../engine/market/venues/resting-pool.js'
import type { Decimal } from '../../../engine/math/decimal.js'
import { ContractError } from '../../modules/contract.js'
import type { View } from './config.js'
import {
  type LevelPart,
  levelSource,
  type PoolPart,
  poolSource,
  takeFromLevel,
  takeFromPool,
} from './liquidity.js'
import type { BookSide } from './price.js'

/**
 * Everything on one side at one rate, served together: at most a fixed and an oracle pool, and one
 * level of each maker in address order (docs/venues.md#groups). Owned and changed by one walk.
 */
export type Group = {
  /** Quote per base, truncated to the tick where a maker set it. */
  readonly rate: Decimal
  readonly pools: readonly PoolPart[]
  readonly levels: readonly LevelPart[]
}

/** A source of liquidity with its next element; `undefined` at its end. */
type LevelQueue<P> = { readonly rest: Iterator<P, void>; head: P | undefined; open: boolean }

const queueOf = <P>(rest: Iterator<P, void>): LevelQueue<P> => ({
  rest,
  head: undefined,
  open: true,
})

/** The groups of one side, best first, read lazily. */
export function* groupsOf(view: View, side: BookSide): Iterator<Group, void> {
  const fixed = queueOf(poolSource(view, side, 'fixed'))
  const oracle = queueOf(poolSource(view, side, 'oracle'))
  const makers = view.config.makers.map((maker) => queueOf(levelSource(view, side, maker)))
  const pools = [fixed, oracle]
  for (;;) {
    const rate = bestHead(side, pools, makers)
    if (rate === undefined) return
    yield { rate, pools: takeHeads(pools, rate), levels: takeHeads(makers, rate) }
  }
}

function bestHead(
  side: BookSide,
  pools: readonly LevelQueue<PoolPart>[],
  makers: readonly LevelQueue<LevelPart>[],
): Decimal | undefined {
  let best: Decimal | undefined
  for (const queue of [...pools, ...makers]) {
    const rate = headOf<PoolPart | LevelPart>(queue)?.rate
    if (rate === undefined) continue
    if (best === undefined || (side === 'base' ? rate < best : rate > best)) best = rate
  }
  return best
}

function headOf<P>(queue: LevelQueue<P>): P | undefined {
  if (queue.head === undefined && queue.open) {
    const next = queue.rest.next()
    if (next.done) queue.open = false
    else queue.head = next.value
  }
  return queue.head
}

function takeHeads<P extends PoolPart | LevelPart>(
  queues: readonly LevelQueue<P>[],
  rate: Decimal,
): P[] {
  const parts: P[] = []
  for (const queue of queues)
    if (queue.head !== undefined && queue.head.rate === rate) {
      parts.push(queue.head)
      queue.head = undefined
    }
  return parts
}

/** A group that a trial may change. */
export const copyOf = ({ rate, pools, levels }: Group): Group => ({
  rate,
  pools: pools.map((part) => ({ ...part })),
  levels: levels.map((part) => ({ ...part })),
})

/** Atomics left in a group, in the denom that the taker receives. */
export const totalOf = ({ pools, levels }: Group): bigint => inPools(pools) + inLevels(levels)

const inPools = (parts: readonly PoolPart[]): bigint =>
  parts.reduce((sum, { pool }) => sum + pool.total, 0n)

const inLevels = (parts: readonly LevelPart[]): bigint =>
  parts.reduce((sum, { left }) => sum + left, 0n)

/**
 * Takes from a group: pools and makers share the offer by what they hold, rounded down for the
 * pools; what one of them cannot use is not offered to the others
 * (docs/venues.md#shares-within-a-group). Under 1.1 `sold` may exceed the offer.
 */
export function takeFrom(rules: FinRules, { pools, levels }: Group, offer: bigint): Taken {
  if (levels.length === 0) return takePools(rules, pools, offer)
  if (pools.length === 0) return takeLevels(levels, offer)
  const resting = inPools(pools)
  const part = share(offer, resting, resting + inLevels(levels))
  return sumOf(takePools(rules, pools, part), takeLevels(levels, offer - part))
}

const NOTHING: Taken = { sold: 0n, bought: 0n }

function takePools(rules: FinRules, [first, second]: readonly PoolPart[], offer: bigint): Taken {
  if (first === undefined) return NOTHING
  if (second === undefined) return takeFromPool(rules, first, offer)
  const part = share(offer, first.pool.total, first.pool.total + second.pool.total)
  return sumOf(takeFromPool(rules, first, part), takeFromPool(rules, second, offer - part))
}

/** Each maker in turn gets its share, rounded down, but at most the rest of the offer. */
function takeLevels(levels: readonly LevelPart[], offer: bigint): Taken {
  const total = levels.length === 1 ? 1n : inLevels(levels)
  let rest = offer
  let bought = 0n
  for (const level of levels) {
    if (rest === 0n) break
    const part = levels.length === 1 ? offer : share(offer, level.left, total)
    const taken = takeFromLevel(level, part < rest ? part : rest)
    rest -= taken.sold
    bought += taken.bought
  }
  return { sold: offer - rest, bought }
}

function share(offer: bigint, part: bigint, total: bigint): bigint {
  if (total === 0n) throw new ContractError('Denominator must not be zero')
  return (offer * part) / total
}

const sumOf = (a: Taken, b: Taken): Taken => ({
  sold: a.sold + b.sold,
  bought: a.bought + b.bought,
})
