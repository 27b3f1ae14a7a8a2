import type { Decimal } from '../math/decimal.js'
import { ArithmeticAbort, MAX_UINT128 } from '../math/uint.js'
import { type Drain, drainOf } from './drain.js'
import type { FinRules } from './fin-rules.js'
import { type Group, type LiveGroup, liveGroup, takeGroup, withoutPrecision } from './group.js'
import { groupsOf } from './grouping.js'
import {
  isReached,
  type LadderTail,
  ladderTail,
  nextTailLevel,
  passGroup,
  tailGroup,
} from './ladder-tail.js'
import type { PairState, Side } from './pair.js'
import { WalkStopped } from './refusal.js'
import { levelCost, levelCostFits, levelOfferLimit, levelThreshold } from './venues/maker-level.js'
import { isCertain, remainder } from './walk.js'

/**
 * One side in the form that answers an offer in O(log groups): the groups built so far, with running
 * sums of what draining them costs and pays. It is extended only as deep as some offer has reached,
 * and what is extended is kept. Owned by the compiled pair; grows, but never changes an answer.
 */
export type CompiledSide = {
  readonly state: PairState
  readonly side: Side
  /** The groups built so far; a hole stands for a level of `tail` not asked for yet. */
  readonly groups: (Group | undefined)[]
  /** Offer and output of draining the groups before index i; one longer than `groups`. */
  readonly soldBefore: bigint[]
  readonly boughtBefore: bigint[]
  /**
   * The least offer that drains all groups up to and including i and leaves room for their cost
   * (running maximum); `undefined` ends the part that may be skipped by bisection.
   */
  readonly passes: bigint[]
  /** The largest offer that reaches past group i without a 128-bit overflow on the way. */
  readonly fits: bigint[]
  /** Per maker: running sums of what its drained levels were sold and paid, like `soldBefore`. */
  readonly makerSold: readonly bigint[][]
  readonly makerBought: readonly bigint[][]
  /** Groups from this index on are not completely known once drained. */
  certainUntil: number
  /** Index of the first group that can only be walked. */
  walkFrom: number
  end: undefined | { readonly certain: boolean } | { readonly stopped: Error }
  readonly source: Generator<Group, boolean>
  /** The rest of the side, once it is one maker's ladder alone: most of its levels, read cheaply. */
  readonly tail: LadderTail | undefined
}

/** What an offer does to one side, before the fee; the same numbers as `walk` gives. */
export type SideFill = {
  readonly sold: bigint
  readonly unsold: bigint
  readonly gross: bigint
  readonly groups: number
  readonly certain: boolean
  /** Per maker that was reached: what it is sold and asked for in this swap. */
  readonly orders: readonly { readonly maker: number; sold: bigint; asked: bigint }[]
}

export function compileSide(state: PairState, side: Side): CompiledSide {
  return {
    state,
    side,
    groups: [],
    soldBefore: [0n],
    boughtBefore: [0n],
    passes: [],
    fits: [],
    makerSold: state.makers.map(() => [0n]),
    makerBought: state.makers.map(() => [0n]),
    certainUntil: Number.POSITIVE_INFINITY,
    walkFrom: Number.POSITIVE_INFINITY,
    end: undefined,
    source: groupsOf(state, side),
    tail: ladderTail(state, side),
  }
}

/**
 * Fills an offer from a compiled side. Bisects over the groups that the offer drains for certain,
 * then takes from the group it ends in exactly as the contract does, and goes on from there: a group
 * of several parts may leave some of the offer to the next one.
 *
 * Throws `WalkStopped` or `ArithmeticAbort` where the contract fails, as `walk` does. `looking away`
 * lets an offer that ends in an abort window drain the pool after all, and a pool without precision be
 * filled: no contract does that, but a search needs an output that never falls.
 */
export function fillSide(
  compiled: CompiledSide,
  offer: bigint,
  windows: 'refused' | 'looking away' = 'refused',
): SideFill {
  const strict = windows === 'refused'
  const { rules: own } = compiled.state.pair
  const rules: FinRules = strict ? own : { ...own, tolerance: 'atom' }
  let [unsold, gross] = [offer, 0n]
  let [index, drained] = [0, 0]
  let certain = true
  let orders: SideFill['orders'] = NO_ORDERS
  for (;;) {
    const next = skipDrained(compiled, unsold, index)
    if (next > index) {
      unsold -= compiled.soldBefore[next]! - compiled.soldBefore[index]!
      gross += compiled.boughtBefore[next]! - compiled.boughtBefore[index]!
      orders = addDrained(compiled, orders, index, next)
      drained = next
      index = next
      if (unsold === 0n) break
    }
    const group = groupAt(compiled, index)
    if (group === undefined) {
      certain &&= endCertain(compiled)
      break
    }
    const live = strict ? liveGroup(group) : withoutPrecision(liveGroup(group))
    const taken = takeGroup(rules, live, unsold)
    certain &&= isCertain(compiled.state.pair, live)
    orders = addLive(orders, live)
    index += 1
    unsold = !strict && taken.sold > unsold ? 0n : remainder(unsold, taken.sold)
    gross += taken.bought
    if (unsold === 0n) break
  }
  certain &&= drained <= compiled.certainUntil
  return { sold: offer - unsold, unsold, gross, groups: index, certain, orders }
}

/** The first index ≥ `from` that the offer may not drain. Extends the side as far as needed. */
function skipDrained(compiled: CompiledSide, unsold: bigint, from: number): number {
  const reach = unsold + (compiled.soldBefore[from] ?? 0n)
  while (
    compiled.end === undefined &&
    compiled.walkFrom > compiled.groups.length &&
    (compiled.passes.at(-1) ?? -1n) <= reach
  )
    extend(compiled)
  let [low, high] = [from, Math.min(compiled.passes.length, compiled.walkFrom)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compiled.passes[middle]! <= reach) low = middle + 1
    else high = middle
  }
  // An offer too large for 128-bit products on the way is walked group by group into its abort.
  if (low > from && reach > compiled.fits[low - 1]!) return from
  return low
}

/** The group at an index, building it if need be; `undefined` past the end of the side. */
export function groupAt(compiled: CompiledSide, index: number): Group | undefined {
  while (compiled.groups.length <= index && compiled.end === undefined) extend(compiled)
  if (index < compiled.groups.length)
    return (compiled.groups[index] ??= tailGroup(compiled.tail!, index))
  if (compiled.end && 'stopped' in compiled.end) throw compiled.end.stopped
  return undefined
}

const endCertain = (compiled: CompiledSide): boolean =>
  compiled.end !== undefined && 'certain' in compiled.end && compiled.end.certain

function extend(compiled: CompiledSide): void {
  try {
    if (compiled.tail && isReached(compiled.tail, compiled.groups.length)) extendTail(compiled)
    else {
      const next = compiled.source.next()
      if (next.done) compiled.end = { certain: next.value }
      else append(compiled, next.value)
    }
  } catch (error) {
    if (!(error instanceof ArithmeticAbort || error instanceof WalkStopped)) throw error
    compiled.end = { stopped: error }
  }
}

/** Levels of a tail that are read at once: thousands of them may lie between two offers. */
const STRIDE = 32

/** Appends some levels of the tail. The loop is written out: a cold start spends its time here. */
function extendTail(compiled: CompiledSide): void {
  const { groups, soldBefore, boughtBefore, passes, fits, tail } = compiled
  if (compiled.walkFrom <= groups.length) {
    if (nextTailLevel(tail!, groups.length)) appendDrain(compiled, undefined, undefined, true)
    else compiled.end = { certain: true }
    return
  }
  let sold = soldBefore.at(-1)!
  let bought = boughtBefore.at(-1)!
  let pass = passes.at(-1) ?? 0n
  let fit = fits.at(-1) ?? MAX_UINT128
  for (let i = 0; i < STRIDE; i += 1) {
    const level = nextTailLevel(tail!, groups.length)
    if (level === undefined) {
      compiled.end = { certain: true }
      return
    }
    const { price, size } = level
    const cost = levelCost(price, size)
    if (size === 0n || !levelCostFits(cost)) {
      appendDrain(compiled, undefined, undefined, true)
      return
    }
    const threshold = sold + levelThreshold(price, size, cost)
    if (threshold > pass) pass = threshold
    const limit = sold + levelOfferLimit(price)
    if (limit < fit) fit = limit
    sold += cost
    bought += size
    groups.push(undefined)
    soldBefore.push(sold)
    boughtBefore.push(bought)
    passes.push(pass)
    fits.push(fit)
  }
}

function append(compiled: CompiledSide, group: Group): void {
  if (compiled.tail) passGroup(compiled.tail, group)
  const index = compiled.groups.length
  const drain = compiled.walkFrom <= index ? undefined : drainOf(compiled.state.pair.rules, group)
  appendDrain(compiled, group, drain, group.certain)
}

function appendDrain(
  compiled: CompiledSide,
  group: Group | undefined,
  drain: Drain | undefined,
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
  compiled.passes.push(max(compiled.passes.at(-1) ?? 0n, soldBefore + drain.threshold))
  const fits = soldBefore + drain.limit
  compiled.fits.push(index === 0 ? fits : min(compiled.fits[index - 1]!, fits))
  appendMakers(compiled, drain)
  const known =
    certain && pair.rules.drainKnown && (drain.makers.length === 0 || pair.rules.makerDrainKnown)
  if (!known) compiled.certainUntil = Math.min(compiled.certainUntil, index)
}

function appendMakers(compiled: CompiledSide, drain: Drain): void {
  for (const sums of [compiled.makerSold, compiled.makerBought])
    for (const list of sums) list.push(list.at(-1)!)
  for (const { maker, cost, pays } of drain.makers) {
    const [sold, bought] = [compiled.makerSold[maker]!, compiled.makerBought[maker]!]
    sold[sold.length - 1]! += cost
    bought[bought.length - 1]! += pays
  }
}

type Orders = SideFill['orders']

const NO_ORDERS: Orders = []

/** A maker's sum over groups; behind its own list only the tail follows, which is all its own. */
function madeBy(
  list: readonly bigint[],
  totals: readonly bigint[],
  from: number,
  to: number,
): bigint {
  const listed = list.length - 1
  if (to <= listed) return list[to]! - list[from]!
  if (from >= listed) return totals[to]! - totals[from]!
  return list[listed]! - list[from]! + totals[to]! - totals[listed]!
}

/** Adds what the makers get from the drained groups `from` to `to`. */
function addDrained(compiled: CompiledSide, orders: Orders, from: number, to: number): Orders {
  let sums = orders
  for (const maker of compiled.makerSold.keys()) {
    const asked = madeBy(compiled.makerBought[maker]!, compiled.boughtBefore, from, to)
    const sold = madeBy(compiled.makerSold[maker]!, compiled.soldBefore, from, to)
    if (asked > 0n || sold > 0n) sums = addOrder(sums, maker, sold, asked)
  }
  return sums
}

const addLive = (orders: Orders, live: LiveGroup): Orders =>
  live.levels.reduce(
    (sums, { part, sold, bought }) => addOrder(sums, part.maker, sold, bought),
    orders,
  )

function addOrder(orders: Orders, maker: number, sold: bigint, asked: bigint): Orders {
  const known = orders.find((order) => order.maker === maker)
  if (known === undefined) return [...orders, { maker, sold, asked }]
  known.sold += sold
  known.asked += asked
  return orders
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)

/** The best price of the side as the contract shows it, if there is one. */
export const bestRate = (compiled: CompiledSide): Decimal | undefined => groupAt(compiled, 0)?.rate
