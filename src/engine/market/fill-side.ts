import { ceilDiv } from '../math/decimal.js'
import { type CompiledSide, extend, groupAt, isEndCertain } from './compiled-side.js'
import { type LiveGroup, liveGroup, takeGroup, withoutPrecision } from './group.js'
import type { FinRules } from './venues/fin-rules.js'
import { isCertain, remainder, type Walk } from './walk.js'

/** The result of an offer on one side, before the fee; the same numbers as `walk`. */
export type SideFill = Omit<Walk, 'trades'> & {
  readonly groups: number
  /** Per reached maker: its payment and obligation in this swap. */
  readonly orders: readonly { readonly maker: number; sold: bigint; asked: bigint }[]
}

/** The liquidity that a fill used: the groups that it ended in, and the ranges of indices that it drained. */
export type FillTrail = {
  readonly liveGroups: LiveGroup[]
  readonly drained: (readonly [from: number, to: number])[]
}

/**
 * Fills an offer from a compiled side. Bisects over the groups that the offer drains for certain,
 * then takes from the group it ends in exactly as the contract does, and continues from there: a group
 * of several parts may leave some of the offer to the next one.
 *
 * Throws `ContractFailure` or `ArithmeticAbort` where the contract fails, as `walk` does. Where `windows` are `ignored`,
 * an offer that ends in an abort window takes the pool, or all but an atomic of it, and a pool without precision is
 * filled: no contract does that, but a search needs an output that never falls. `trail` is appended to.
 */
export function fillSide(
  compiled: CompiledSide,
  offer: bigint,
  windows: 'refused' | 'ignored' = 'refused',
  trail?: FillTrail,
): SideFill {
  const strict = windows === 'refused'
  const { rules: pairRules } = compiled.state.pair
  const rules = strict ? pairRules : withoutWindows(pairRules)
  let unsold = offer
  let gross = 0n
  let index = 0
  let drained = 0
  let certain = true
  let orders: SideFill['orders'] = NO_ORDERS
  for (;;) {
    const next = skipDrained(compiled, unsold, index)
    if (next > index) {
      unsold -= compiled.soldBefore[next]! - compiled.soldBefore[index]!
      gross += compiled.boughtBefore[next]! - compiled.boughtBefore[index]!
      orders = addDrained(compiled, orders, index, next)
      trail?.drained.push([index, next])
      drained = next
      index = next
      if (unsold === 0n) break
    }
    const group = groupAt(compiled, index)
    if (group === undefined) {
      certain &&= isEndCertain(compiled)
      break
    }
    const live = strict ? liveGroup(group) : withoutPrecision(liveGroup(group))
    const taken = takeGroup(rules, live, unsold)
    trail?.liveGroups.push(live)
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

/**
 * About the least offer for which a side pays so much before the fee: at most an atomic above it inside a group, as the
 * rounded cost of the whole group is divided; where the side ends before, what drains it.
 */
export function offerNear(compiled: CompiledSide, gross: bigint): bigint {
  const { groups, soldBefore, boughtBefore } = compiled
  while (
    compiled.end === undefined &&
    compiled.walkFrom > groups.length &&
    boughtBefore.at(-1)! < gross
  )
    extend(compiled)
  let next = 1
  let end = boughtBefore.length
  while (next < end) {
    const middle = (next + end) >>> 1
    if (boughtBefore[middle]! < gross) next = middle + 1
    else end = middle
  }
  const [sold, bought] = [soldBefore[next - 1]!, boughtBefore[next - 1]!]
  const [cost, pays] = [(soldBefore[next] ?? sold) - sold, (boughtBefore[next] ?? bought) - bought]
  return pays === 0n ? sold : sold + ceilDiv((gross - bought) * cost, pays)
}

/** The first index ≥ `from` that the offer may not drain. Extends the side as far as needed. */
function skipDrained(compiled: CompiledSide, unsold: bigint, from: number): number {
  const { groups, drainedAbove, fits } = compiled
  const reach = unsold + (compiled.soldBefore[from] ?? 0n)
  const about = Number(reach)
  while (
    compiled.end === undefined &&
    compiled.walkFrom > groups.length &&
    (drainedAbove.at(-1) ?? -1) < about
  )
    extend(compiled)
  let next = from
  let end = Math.min(groups.length, compiled.walkFrom)
  while (next < end) {
    const middle = (next + end) >>> 1
    if (drainedAbove[middle]! < about) next = middle + 1
    else end = middle
  }
  // The group whose 128-bit products an offer is too large for is filled as the contract does, which aborts.
  while (next > from && reach > fits[next - 1]!) next -= 1
  return next
}

/** The version's rules without abort windows: an offer in one takes the whole pool, or all but an atomic of it. */
const withoutWindows = (rules: FinRules): FinRules => ({
  ...rules,
  tolerance: rules.tolerance === 'atom' ? 'atom' : 'none',
})

type Orders = SideFill['orders']

const NO_ORDERS: Orders = []

/** A maker's sum over groups; behind its own list follows only the ladder, which is all its own. */
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

/** Adds the makers' amounts of the drained groups `from` to `to`. */
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
  const existing = orders.find((order) => order.maker === maker)
  if (existing === undefined) return [...orders, { maker, sold, asked }]
  existing.sold += sold
  existing.asked += asked
  return orders
}
