import type { Book } from '../market/book.js'
import { type CompiledSide, extend } from '../market/compiled-side.js'
import type { LevelPart, PoolPart } from '../market/group.js'
import type { MakerLevel, Side } from '../market/pair.js'
import { isRefusal } from '../market/refusal.js'
import { levelCost } from '../market/venues/maker-level.js'
import { costOf } from '../routing/side-bound.js'

/**
 * A side as a search sees it: what each of its parts costs and pays, as floats, in the order in which
 * the contract serves them, after the venue's fee. Read only as deep as something has asked. Floats
 * choose where to look; no number of a lane leaves the search.
 */
export type Lane = {
  readonly compiled: CompiledSide
  /** Share of a gross output that the venue leaves. */
  readonly keeps: number
  readonly cost: number[]
  readonly rate: number[]
  /** Offer and output of the parts before index i; one longer than `cost`. */
  readonly offered: number[]
  readonly received: number[]
  /** Groups read so far. */
  groups: number
  ended: boolean
}

const lanes = new WeakMap<CompiledSide, Lane>()

/** The lane of a side as an execution finds it, kept with the side; none where no swap works. */
export function laneOf(book: Book, side: Side): Lane | undefined {
  if (isRefusal(book.settled())) return undefined
  const compiled = book.found(side)
  const known = lanes.get(compiled)
  if (known !== undefined) return known
  const keeps = 1 - Number(compiled.state.pair.takerFee) / 1e18
  const lane: Lane = {
    ...{ compiled, keeps, cost: [], rate: [] },
    ...{ offered: [0], received: [0], groups: 0, ended: false },
  }
  lanes.set(compiled, lane)
  return lane
}

/** Whether the lane has a part at this index, reading on if need be. */
export function hasPart(lane: Lane, index: number): boolean {
  while (lane.cost.length <= index && !lane.ended) readGroup(lane)
  return index < lane.cost.length
}

function readGroup(lane: Lane): void {
  const { compiled, groups: index } = lane
  while (compiled.groups.length <= index && compiled.end === undefined) extend(compiled)
  if (index >= compiled.groups.length) {
    lane.ended = true
    return
  }
  lane.groups += 1
  const group = compiled.groups[index]
  if (group === undefined) {
    const { tail } = compiled
    appendLevel(lane, tail!.levels[index - tail!.start!]!)
    return
  }
  for (const part of group.pools) appendPool(lane, part)
  for (const { factor, size } of group.levels) appendLevel(lane, { price: factor, size })
}

function appendPool(lane: Lane, { pool, factor, size }: PoolPart | (LevelPart & { pool: never })) {
  if (factor === 0n) return
  append(lane, Number(costOf(lane.compiled.state.pair.rules, pool, factor)), Number(size))
}

function appendLevel(lane: Lane, { price, size }: MakerLevel): void {
  if (price > 0n) append(lane, Number(levelCost(price, size)), Number(size))
}

/** A part that costs nothing is dust that a search can leave out. */
function append(lane: Lane, cost: number, gross: number): void {
  if (!(cost > 0 && gross > 0)) return
  const pays = gross * lane.keeps
  lane.cost.push(cost)
  lane.rate.push(pays / cost)
  lane.offered.push(lane.offered.at(-1)! + cost)
  lane.received.push(lane.received.at(-1)! + pays)
}

/** What the first `offer` atomics of a side buy; NaN where it cannot take so much. */
export function boughtBy(lane: Lane, offer: number): number {
  const { offered } = lane
  while (offered[offered.length - 1]! < offer && !lane.ended) readGroup(lane)
  const index = before(offered, offer)
  if (index < lane.cost.length) {
    const inside = offer - offered[index]!
    return lane.received[index]! + inside * lane.rate[index]!
  }
  const most = offered[index]!
  return offer <= most * (1 + 1e-12) ? lane.received[index]! : Number.NaN
}

/** The offer that buys so much; all that the side takes where it holds less. */
export function offerFor(lane: Lane, output: number): number {
  const { received } = lane
  while (received[received.length - 1]! < output && !lane.ended) readGroup(lane)
  const index = before(received, output)
  if (index >= lane.cost.length) return lane.offered[index]!
  return lane.offered[index]! + (output - received[index]!) / lane.rate[index]!
}

/** The part in which a running sum reaches a value: the last index whose sum is not above it. */
function before(sums: readonly number[], value: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (sums[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
