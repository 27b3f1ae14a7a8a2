import type { Book } from '../market/book.js'
import { type CompiledSide, extend } from '../market/compiled-side.js'
import type { LevelPart, PoolPart } from '../market/group.js'
import type { Side } from '../market/pair.js'
import { isRefusal } from '../market/refusal.js'
import { levelCost } from '../market/venues/maker-level.js'
import { costOf } from '../routing/side-bound.js'

/**
 * A side as a search uses it: cost and output of each part as floats, in the order in which the
 * contract serves them, after the venue's fee. Read only as deep as needed. Floats steer the
 * search; no number of a curve reaches an answer.
 */
export type SupplyCurve = {
  readonly compiled: CompiledSide
  /** Share of a gross output that the venue leaves. */
  readonly feeFactor: number
  readonly cost: number[]
  readonly rate: number[]
  /** Offer and output of the parts before index i; one longer than `cost`. */
  readonly offered: number[]
  readonly received: number[]
  /** Groups read so far. */
  groups: number
  isEnded: boolean
}

const curves = new WeakMap<CompiledSide, SupplyCurve>()

/**
 * The supply curve of a side as an execution finds it, cached with the side. Undefined where every
 * swap of the pair fails.
 */
export function supplyCurve(book: Book, side: Side): SupplyCurve | undefined {
  if (isRefusal(book.afterArbitrage())) return undefined
  const compiled = book.executedSide(side)
  const cached = curves.get(compiled)
  if (cached !== undefined) return cached
  const feeFactor = 1 - Number(compiled.state.pair.takerFee) / 1e18
  const curve: SupplyCurve = {
    compiled,
    feeFactor,
    cost: [],
    rate: [],
    offered: [0],
    received: [0],
    groups: 0,
    isEnded: false,
  }
  curves.set(compiled, curve)
  return curve
}

/** Whether the curve has a part at this index, reading further if necessary. */
export function hasPart(curve: SupplyCurve, index: number): boolean {
  while (curve.cost.length <= index && !curve.isEnded) readOn(curve)
  return index < curve.cost.length
}

/** Reads on to a part that the next one cannot be joined with, so that no part changes once it is read. */
function readOn(curve: SupplyCurve): void {
  do readGroup(curve)
  while (!curve.isEnded && isDust(curve.cost.at(-1)))
}

/**
 * Offers, in atomics, from which on rounding does not decide the price of a part. On 766 splits of
 * generated markets 20 gives 8 better answers than 0 and 1 worse one, as many as 1,000 does.
 */
const DUST = 20

const isDust = (cost = 0): boolean => cost <= DUST

function readGroup(curve: SupplyCurve): void {
  const { compiled, groups: index } = curve
  while (compiled.groups.length <= index && compiled.end === undefined) extend(compiled)
  if (index >= compiled.groups.length) {
    curve.isEnded = true
    return
  }
  curve.groups += 1
  const group = compiled.groups[index]!
  if (typeof group === 'bigint') {
    const { soldBefore, boughtBefore } = compiled
    const cost = soldBefore[index + 1]! - soldBefore[index]!
    append(curve, Number(cost), Number(boughtBefore[index + 1]! - boughtBefore[index]!))
    return
  }
  for (const part of group.pools) appendPool(curve, part)
  for (const part of group.levels) appendLevel(curve, part)
}

function appendPool(curve: SupplyCurve, { pool, factor, size }: PoolPart): void {
  if (factor === 0n) return
  append(curve, Number(costOf(curve.compiled.state.pair.rules, pool, factor)), Number(size))
}

function appendLevel(curve: SupplyCurve, { factor, size }: LevelPart): void {
  if (factor > 0n) append(curve, Number(levelCost(factor, size)), Number(size))
}

/**
 * Adds a part. One that costs nothing is dust that a search can leave out; one that pays more than the
 * part of a few atomics before it is joined with that one, so that prices fall along the curve.
 */
function append(curve: SupplyCurve, cost: number, gross: number): void {
  if (!(cost > 0 && gross > 0)) return
  const pays = gross * curve.feeFactor
  const last = curve.cost.length - 1
  if (last >= 0 && isDust(curve.cost[last]) && pays / cost > curve.rate[last]!) {
    curve.cost[last]! += cost
    curve.offered[last + 1]! += cost
    curve.received[last + 1]! += pays
    curve.rate[last] = (curve.received[last + 1]! - curve.received[last]!) / curve.cost[last]!
    return
  }
  curve.cost.push(cost)
  curve.rate.push(pays / cost)
  curve.offered.push(curve.offered.at(-1)! + cost)
  curve.received.push(curve.received.at(-1)! + pays)
}

/**
 * Output atomics for the first `offer` atomics of a side; NaN where the side cannot take so many.
 */
export function boughtBy(curve: SupplyCurve, offer: number): number {
  const { offered } = curve
  while (offered[offered.length - 1]! < offer && !curve.isEnded) readOn(curve)
  const index = before(offered, offer)
  if (index < curve.cost.length) {
    const partOffer = offer - offered[index]!
    return curve.received[index]! + partOffer * curve.rate[index]!
  }
  const most = offered[index]!
  return offer <= most * (1 + 1e-12) ? curve.received[index]! : Number.NaN
}

/** The offer that buys this output; the whole capacity where the side holds less. */
export function offerFor(curve: SupplyCurve, output: number): number {
  const { received } = curve
  while (received[received.length - 1]! < output && !curve.isEnded) readOn(curve)
  const index = before(received, output)
  if (index >= curve.cost.length) return curve.offered[index]!
  return curve.offered[index]! + (output - received[index]!) / curve.rate[index]!
}

/** The part in which a running sum reaches a value: the last index whose sum is not above it. */
function before(sums: readonly number[], value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (sums[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
