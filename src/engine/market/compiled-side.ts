import { ArithmeticAbort, MAX_UINT128, ratio } from '../math/decimal.js'
import type { Group } from './group.js'
import { type GroupDrain, groupDrain } from './group-drain.js'
import {
  type MakerLevel,
  offerDenom,
  type PairState,
  poolsOf,
  restingOf,
  type Side,
} from './pair.js'
import { priceLevels } from './price-levels.js'
import { ContractFailure } from './refusal.js'
import { levelCostFits, levelOfferLimit, levelRate } from './venues/maker-level.js'
import { passedXykLevel, passXykLevel, type XykCursor, xykCursor } from './venues/xyk.js'

/**
 * One side in the form that answers an offer in O(log groups): the groups built so far, with running
 * sums of what draining them costs and pays. It is extended only as deep as some offer has reached,
 * and what is extended is kept. Owned by the compiled pair; grows, but never changes an answer.
 */
export type CompiledSide = {
  readonly state: PairState
  readonly side: Side
  /** The groups built so far; of a level of `ladder` that was not requested yet, its step. */
  readonly groups: (Group | bigint)[]
  /** Offer and output of draining the groups before index i; one longer than `groups`. */
  readonly soldBefore: bigint[]
  readonly boughtBefore: bigint[]
  /**
   * For each group, an offer above which it and all groups before it are certainly drained: it leaves room for their
   * cost. In floats, since rounding keeps the order of integers; never falls.
   */
  readonly drainedAbove: number[]
  /** The largest offer that reaches past group i without a 128-bit overflow on the way. */
  readonly fits: bigint[]
  /** Per maker: running sums of what its drained levels received and paid, like `soldBefore`. */
  readonly makerSold: readonly bigint[][]
  readonly makerBought: readonly bigint[][]
  /** Groups from this index on are not completely known once drained. */
  certainUntil: number
  /** Index of the first group that can only be walked. */
  walkFrom: number
  end: undefined | { readonly certain: boolean } | { readonly stopped: Error }
  readonly source: Generator<Group, boolean>
  /** The rest of the side, once only one maker's ladder is left: most of its levels, stored compactly. */
  readonly ladder: AmmLadder | undefined
}

export function compileSide(state: PairState, side: Side): CompiledSide {
  return {
    state,
    side,
    groups: [],
    soldBefore: [0n],
    boughtBefore: [0n],
    drainedAbove: [],
    fits: [],
    makerSold: state.makers.map(() => [0n]),
    makerBought: state.makers.map(() => [0n]),
    certainUntil: Number.POSITIVE_INFINITY,
    walkFrom: Number.POSITIVE_INFINITY,
    end: undefined,
    source: priceLevels(state, side),
    ladder: ammLadder(state, side),
  }
}

/** The group at an index, built on demand; `undefined` past the end of the side. */
export function groupAt(compiled: CompiledSide, index: number): Group | undefined {
  while (compiled.groups.length <= index && compiled.end === undefined) extend(compiled)
  const group = compiled.groups[index]
  if (typeof group === 'bigint') return (compiled.groups[index] = groupOf(compiled, index, group))
  if (group === undefined && compiled.end && 'stopped' in compiled.end) throw compiled.end.stopped
  return group
}

/** The groups of `priceLevels`, those that were built before not built again. */
export function* groupsOf(compiled: CompiledSide): Generator<Group, boolean> {
  for (let index = 0; ; index += 1) {
    const group = groupAt(compiled, index)
    if (group === undefined) break
    yield group
  }
  return isEndCertain(compiled)
}

/** Whether the end of the groups is known, and is the side's real end. */
export const isEndCertain = ({ end }: CompiledSide): boolean =>
  end !== undefined && 'certain' in end && end.certain

/** Builds one or several further groups. */
export function extend(compiled: CompiledSide): void {
  try {
    if (compiled.ladder && compiled.ladder.poolsAhead <= 0) extendLadder(compiled)
    else {
      const next = compiled.source.next()
      if (next.done) compiled.end = { certain: next.value }
      else append(compiled, next.value)
    }
  } catch (error) {
    if (!(error instanceof ArithmeticAbort || error instanceof ContractFailure)) throw error
    compiled.end = { stopped: error }
  }
}

/** The group of a level of the ladder, from its step. */
function groupOf(compiled: CompiledSide, index: number, step: bigint): Group {
  const size = compiled.boughtBefore[index + 1]! - compiled.boughtBefore[index]!
  return ladderGroup(compiled, { price: ratio(size, step), size })
}

/** Levels of a ladder read at once: thousands of them may lie between two offers. */
const STRIDE = 8

/** Appends levels of the ladder. The loop is written out, since a cold start spends its time here. */
function extendLadder(compiled: CompiledSide): void {
  const { state, side, groups, soldBefore, boughtBefore, drainedAbove, fits, ladder } = compiled
  const { cursor } = ladder!
  let sold = soldBefore.at(-1)!
  let bought = boughtBefore.at(-1)!
  // The prices of all levels to come are below the maker's own.
  const limit = cursor.x === 0n ? 0n : levelOfferLimit(ratio(cursor.y, cursor.x))
  const fit = min(fits.at(-1) ?? MAX_UINT128, sold + limit)
  const passed = drainedAbove.at(-1) ?? 0
  for (let i = 0; i < STRIDE; i += 1) {
    if (!passXykLevel(cursor)) {
      compiled.end = { certain: true }
      return
    }
    const { size, cost } = cursor
    // The contract aborts where it receives a level that is too large: `levelRate` throws.
    if (!isComfortable(cursor, state.pair.tick))
      levelRate(side, state.pair.tick, passedXykLevel(cursor))
    if (compiled.walkFrom <= groups.length || size === 0n || !levelCostFits(cost)) {
      appendDrain(compiled, ladderGroup(compiled, passedXykLevel(cursor)), undefined, true)
      return
    }
    sold += cost
    bought += size
    groups.push(cursor.step)
    soldBefore.push(sold)
    boughtBefore.push(bought)
    drainedAbove.push(Math.max(Number(sold), passed))
    fits.push(fit)
  }
}

function append(compiled: CompiledSide, group: Group): void {
  if (compiled.ladder) passGroup(compiled.ladder, group)
  const index = compiled.groups.length
  const drain =
    compiled.walkFrom <= index ? undefined : groupDrain(compiled.state.pair.rules, group)
  appendDrain(compiled, group, drain, group.certain)
}

function appendDrain(
  compiled: CompiledSide,
  group: Group,
  drain: GroupDrain | undefined,
  certain: boolean,
): void {
  const index = compiled.groups.length
  const { pair } = compiled.state
  const soldBefore = compiled.soldBefore[index]!
  compiled.groups.push(group)
  if (drain === undefined || compiled.walkFrom <= index) {
    compiled.walkFrom = Math.min(compiled.walkFrom, index)
    compiled.soldBefore.push(soldBefore)
    compiled.boughtBefore.push(compiled.boughtBefore[index]!)
    return
  }
  compiled.soldBefore.push(soldBefore + drain.cost)
  compiled.boughtBefore.push(compiled.boughtBefore[index]! + drain.pays)
  const drained = Number(soldBefore + drain.threshold)
  compiled.drainedAbove.push(Math.max(compiled.drainedAbove.at(-1) ?? 0, drained))
  const fits = soldBefore + drain.limit
  compiled.fits.push(index === 0 ? fits : min(compiled.fits[index - 1]!, fits))
  appendMakers(compiled, drain)
  const known =
    certain && pair.rules.drainKnown && (drain.makers.length === 0 || pair.rules.makerDrainKnown)
  if (!known) compiled.certainUntil = Math.min(compiled.certainUntil, index)
}

function appendMakers(compiled: CompiledSide, drain: GroupDrain): void {
  if (compiled.makerSold.length === 0) return
  for (const sums of [compiled.makerSold, compiled.makerBought])
    for (const list of sums) list.push(list.at(-1)!)
  for (const { maker, cost, pays } of drain.makers) {
    const [sold, bought] = [compiled.makerSold[maker]!, compiled.makerBought[maker]!]
    sold[sold.length - 1]! += cost
    bought[bought.length - 1]! += pays
  }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * What is left of a side when all its pools have been passed and its only maker is a constant-product
 * one: thousands of levels, one a group. They are kept as their steps, and a group is made only of
 * those that an offer ends in. Owned by a compiled side.
 */
type AmmLadder = {
  /** Pools that no group has held yet: the ladder begins behind the last of them. */
  poolsAhead: number
  readonly cursor: XykCursor
}

/** The ladder of a side of complete knowledge, or `undefined` where it would not be such a ladder. */
function ammLadder(state: PairState, side: Side): AmmLadder | undefined {
  const resting = restingOf(state, side)
  const [maker, second] = state.makers
  if (maker?.kind !== 'xyk' || second !== undefined) return undefined
  if (!state.exact || resting.knownTo !== undefined) return undefined
  if (!state.pair.rules.drainKnown || !state.pair.rules.makerDrainKnown) return undefined
  if (!poolsOf(resting).every((pool) => pool.certain)) return undefined
  const cursor = xykCursor(maker, offerDenom(state.pair, side))
  const poolsAhead = resting.fixed.length + resting.oracle.length
  return { poolsAhead, cursor }
}

/** Follows a group that comes before the ladder: its pools are passed, its level is read. */
function passGroup(ladder: AmmLadder, group: Group): void {
  ladder.poolsAhead -= group.pools.length
  if (group.levels.length > 0) passXykLevel(ladder.cursor)
}

/** Far from every limit at which receiving a level aborts: its rate has more digits than the tick, on either side. */
const isComfortable = ({ step, size }: XykCursor, tick: number): boolean => {
  const s = Number(size)
  const p = (s * 1e18) / Number(step)
  return tick < 10 && p > 1e9 && p < 1e27 && s < 1e20 && p * s < 1e38
}

/** A level of the ladder as the group that `groupsOf` would give. */
const ladderGroup = ({ side, state }: CompiledSide, level: MakerLevel): Group => ({
  rate: levelRate(side, state.pair.tick, level),
  pools: [],
  levels: [{ kind: 'level', maker: 0, factor: level.price, size: level.size }],
  certain: true,
})
