import type { Book } from '../market/book.js'
import {
  keptBySide,
  type MakerLevel,
  offerDenom,
  poolsOf,
  quotedLevels,
  restingOf,
} from '../market/pair.js'
import { isRefusal } from '../market/refusal.js'
import { levelCost } from '../market/venues/maker-level.js'
import { poolFactor } from '../market/venues/resting-pool.js'
import { passedXykLevel, passXykLevel, type XykCursor, xykCursor } from '../market/venues/xyk.js'
import { costOf } from '../routing/side-bound.js'

/** One part of a side: all that it pays, after the venue's fee, and the least offer that this costs. */
type SupplyPart = { readonly cost: number; readonly pays: number }

/**
 * Everything that a side can ever pay, part by part, independent of order and rounded up: in any
 * sequence of legs a part pays at most `pays / cost` per offer atomic. A maker that requotes
 * after a fill never pays more in total than its first ladder and a few atomics a level
 * (docs/maths.md#two-swaps-in-a-row).
 */
export type SupplyBound = readonly PartRow[]

/** Parts with falling rates: the pools and quoted levels of a side, or the ladder of one maker. */
type PartRow = {
  readonly cost: number[]
  readonly pays: number[]
  /** What the parts before index i cost and pay together; one longer than `cost`. */
  readonly costs: number[]
  readonly paid: number[]
  /** Reads the next part; none where the row has ended. */
  readonly read: () => SupplyPart | undefined
}

const UP = 1 + 1e-12

/** Atomics a level that rounding keeps back, which one fill across levels would pay. */
const KEPT_BACK = 3

/** The supply bound of a side, cached with its book. */
export const supplyBound = keptBySide((book: Book, side): SupplyBound => {
  const arbitrage = book.afterArbitrage()
  if (isRefusal(arbitrage)) return []
  const { state } = arbitrage
  const feeFactor = (1 - Number(state.pair.takerFee) / 1e18) * UP
  const pools = poolsOf(restingOf(state, side)).map((pool): SupplyPart => {
    const factor = poolFactor(side, pool.rate)
    if (factor === 0n) return { cost: 0, pays: Number(pool.total) * feeFactor }
    return partOf(
      Number(costOf(state.pair.rules, pool, factor)),
      Number(pool.total),
      Number(factor),
      feeFactor,
    )
  })
  const quoted = state.makers
    .flatMap((maker) => quotedLevels(maker, side))
    .map((level) => quotedPart(level, feeFactor))
  const ladders = state.makers.flatMap((maker) =>
    maker.kind === 'xyk'
      ? rowOf(ladderParts(xykCursor(maker, offerDenom(state.pair, side)), feeFactor))
      : [],
  )
  const sorted = [...pools, ...quoted].filter(({ pays }) => pays > 0).sort(byRate)
  return [rowOf(() => sorted.shift()), ...ladders]
})

const rowOf = (read: PartRow['read']): PartRow => ({
  read,
  cost: [],
  pays: [],
  costs: [0],
  paid: [0],
})

/** The best first; a part that costs nothing before all others. An empty one would have no rate. */
const byRate = (a: SupplyPart, b: SupplyPart): number => b.pays * a.cost - a.pays * b.cost

const quotedPart = ({ price, size }: MakerLevel, feeFactor: number): SupplyPart =>
  price === 0n
    ? { cost: 0, pays: Number(size) * feeFactor }
    : partOf(Number(levelCost(price, size)), Number(size), Number(price), feeFactor)

/** A drained part may cost less than at its price, a partial fill costs its price. */
const partOf = (cost: number, pays: number, factor: number, feeFactor: number): SupplyPart => ({
  cost: Math.min(cost, (pays * 1e18) / factor),
  pays: pays * feeFactor,
})

/** Pairs of prices of a side, both of which rise from one to the next: the first `count` of each. */
export type Layers = {
  /** What an output atomic is worth at most. */
  readonly worth: Float64Array
  /** What an offer atomic is worth. */
  readonly price: Float64Array
  count: number
}

/** What a side adds to a bound: the sum over its parts of the best surplus of a pair of prices. */
export function surplusOf(bound: SupplyBound, layers: Layers): number {
  let sum = 0
  for (const row of bound) sum += surplusOfRow(row, layers)
  return sum
}

/**
 * The highest of the layers' lines `pays × worth − cost × price`, summed over a row. As rates fall, layers
 * with lower prices take over one after the other; each part of the row between is summed at once.
 */
function surplusOfRow(row: PartRow, layers: Layers): number {
  const { worth, price, count } = layers
  let end = 0
  for (let l = 0; l < count; l += 1) end = Math.max(end, reach(row, layers, l))
  let sum = 0
  let best = count - 1
  for (let start = 0; start < end; ) {
    let next = best
    let stop = end
    for (let l = best - 1; l >= 0; l -= 1) {
      const overtakes = firstPart(row, start, stop, layers, best, l)
      if (overtakes < stop) {
        next = l
        stop = overtakes
      }
    }
    const paid = row.paid[stop]! - row.paid[start]!
    sum += paid * worth[best]! - (row.costs[stop]! - row.costs[start]!) * price[best]!
    if (next === best) break
    best = next
    start = stop
  }
  return sum
}

/** Parts of a row that pay more than they cost at the prices of a layer; reads on as far as needed. */
function reach(row: PartRow, layers: Layers, layer: number): number {
  const { cost, pays } = row
  const [worth, price] = [layers.worth[layer]!, layers.price[layer]!]
  for (let last = cost.length - 1; ; last += 1) {
    if (last >= 0 && pays[last]! * worth <= cost[last]! * price) break
    if (!readOn(row)) break
  }
  return firstPart(row, 0, cost.length, layers, layer)
}

/**
 * The first part from `from` on, before `to`, that pays at most what it costs at the prices of a layer, or
 * that pays no more at them than at those of the `lower` one.
 */
function firstPart(
  { cost, pays }: PartRow,
  from: number,
  to: number,
  layers: Layers,
  layer: number,
  lower?: number,
): number {
  const worth = layers.worth[layer]! - (lower === undefined ? 0 : layers.worth[lower]!)
  const price = layers.price[layer]! - (lower === undefined ? 0 : layers.price[lower]!)
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (pays[middle]! * worth > cost[middle]! * price) low = middle + 1
    else high = middle
  }
  return low
}

function readOn({ cost, pays, costs, paid, read }: PartRow): boolean {
  const part = read()
  if (part === undefined) return false
  cost.push(part.cost)
  pays.push(part.pays)
  costs.push(costs.at(-1)! + part.cost)
  paid.push(paid.at(-1)! + part.pays)
  return true
}

/** The levels of a ladder; one more than it has, since a maker that requotes ends elsewhere. */
function ladderParts(cursor: XykCursor, feeFactor: number): PartRow['read'] {
  let last: SupplyPart | undefined
  let isEnded = false
  return () => {
    if (isEnded) return undefined
    isEnded = !passXykLevel(cursor)
    if (isEnded) return last
    const { price, size } = passedXykLevel(cursor)
    last = partOf(
      Number(cursor.cost),
      Number(size) + KEPT_BACK,
      Number(price) * (1 + KEPT_BACK / Math.max(Number(size), 1)),
      feeFactor,
    )
    return last
  }
}
