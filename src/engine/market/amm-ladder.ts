import type { Group } from './group.js'
import { type MakerLevel, offerDenom, type PairState, restingOf, type Side } from './pair.js'
import { levelRate } from './venues/maker-level.js'
import { nextXykLevel, type XykCursor, xykCursor } from './venues/xyk.js'

/**
 * What is left of a side when all its pools have been passed and its only maker is a constant-product
 * one: thousands of levels, one a group. They are kept as levels, and a group is made only of those
 * that an offer ends in. Owned by a compiled side.
 */
export type AmmLadder = {
  readonly state: PairState
  readonly side: Side
  /** Pools that no group has held yet: the tail begins behind the last of them. */
  poolsAhead: number
  /** Index of the tail's first group, once it has been reached. */
  start: number | undefined
  readonly levels: MakerLevel[]
  readonly cursor: XykCursor
}

/** The tail of a side of complete knowledge, or `undefined` where it would not be such a ladder. */
export function ammLadder(state: PairState, side: Side): AmmLadder | undefined {
  const resting = restingOf(state, side)
  const [maker, second] = state.makers
  if (maker?.kind !== 'xyk' || second !== undefined) return undefined
  if (!state.exact || resting.knownTo !== undefined) return undefined
  if (!state.pair.rules.drainKnown || !state.pair.rules.makerDrainKnown) return undefined
  if (![...resting.fixed, ...resting.oracle].every((pool) => pool.certain)) return undefined
  const cursor = xykCursor(maker, offerDenom(state.pair, side))
  const poolsAhead = resting.fixed.length + resting.oracle.length
  return { state, side, poolsAhead, start: undefined, levels: [], cursor }
}

/** Follows a group that comes before the tail: its pools are passed, its level is read. */
export function passGroup(tail: AmmLadder, group: Group): void {
  tail.poolsAhead -= group.pools.length
  if (group.levels.length > 0) nextXykLevel(tail.cursor)
}

/** Whether the groups so far, `count` of them, hold all pools of the side. */
export function isReached(tail: AmmLadder, count: number): boolean {
  if (tail.poolsAhead > 0) return false
  tail.start ??= count
  return true
}

/** The next level of the tail. Throws `ArithmeticAbort` where the contract aborts on receiving it. */
export function nextLadderLevel(tail: AmmLadder, index: number): MakerLevel | undefined {
  const level = nextXykLevel(tail.cursor)
  if (level === undefined) return undefined
  if (!isComfortable(level, tail.state.pair.tick)) levelRate(tail.side, tail.state.pair.tick, level)
  tail.levels[index - tail.start!] = level
  return level
}

/** Far from every limit at which receiving a level aborts. */
const isComfortable = ({ price, size }: MakerLevel, tick: number): boolean => {
  const [p, s] = [Number(price), Number(size)]
  return tick < 10 && p > 1e6 && p < 1e27 && s < 1e20 && p * s < 1e38
}

/** The group at an index of the tail, as `groupsOf` would give it. */
export function ladderGroup(tail: AmmLadder, index: number): Group {
  const level = tail.levels[index - tail.start!]!
  return {
    rate: levelRate(tail.side, tail.state.pair.tick, level),
    pools: [],
    levels: [{ kind: 'level', maker: 0, factor: level.price, size: level.size }],
    certain: true,
  }
}
