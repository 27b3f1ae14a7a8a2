import type { Book } from '../market/book.js'
import { offerDenom, type QuotedMaker, restingOf, type Side } from '../market/pair.js'
import { isRefusal } from '../market/refusal.js'
import { levelCost } from '../market/venues/maker-level.js'
import { poolFactor } from '../market/venues/resting-pool.js'
import { nextXykLevel, type XykCursor, xykCursor } from '../market/venues/xyk.js'
import { costOf } from '../routing/side-bound.js'

/** One part of a side: all that it pays, after the venue's fee, and the least offer that this costs. */
type Part = { readonly cost: number; readonly pays: number }

/**
 * Everything that a side can ever pay, part by part, independent of order and rounded up: in any
 * sequence of legs a part pays at most `pays / cost` per offer atomic. A maker that requotes
 * after a fill never pays more in total than its first ladder and a few atomics a level
 * (docs/maths.md#two-swaps-in-a-row).
 */
export type SupplyBound = {
  /** Pools and quoted levels, the best first. */
  readonly fixed: readonly Part[]
  readonly ladders: readonly Ladder[]
}

type Ladder = {
  readonly keeps: number
  readonly cursor: XykCursor
  readonly parts: Part[]
  ended: boolean
}

const UP = 1 + 1e-12

/** Atomics a level that rounding keeps back, which one fill across levels would pay. */
const KEPT_BACK = 3

const bounds = new WeakMap<Book, Partial<Record<Side, SupplyBound>>>()

/** The supply bound of a side, cached with its book. */
export function supplyBound(book: Book, side: Side): SupplyBound {
  const known = bounds.get(book) ?? {}
  bounds.set(book, known)
  return (known[side] ??= build(book, side))
}

function build(book: Book, side: Side): SupplyBound {
  const arbitrage = book.afterArbitrage()
  if (isRefusal(arbitrage)) return { fixed: [], ladders: [] }
  const { state } = arbitrage
  const keeps = (1 - Number(state.pair.takerFee) / 1e18) * UP
  const { fixed, oracle } = restingOf(state, side)
  const pools = [...fixed, ...oracle].map((pool): Part => {
    const factor = poolFactor(side, pool.rate)
    if (factor === 0n) return { cost: 0, pays: Number(pool.total) * keeps }
    return partOf(
      Number(costOf(state.pair.rules, pool, factor)),
      Number(pool.total),
      Number(factor),
      keeps,
    )
  })
  const quoted = state.makers.flatMap((maker) =>
    maker.kind === 'quoted' && !maker.stale ? quotedParts(maker, side, keeps) : [],
  )
  const ladders = state.makers.flatMap((maker): Ladder[] => {
    if (maker.kind !== 'xyk') return []
    const cursor = xykCursor(maker, offerDenom(state.pair, side))
    return [{ keeps, cursor, parts: [], ended: false }]
  })
  return { fixed: [...pools, ...quoted].filter(({ pays }) => pays > 0).sort(byRate), ladders }
}

/** The best first; a part that costs nothing before all others. An empty one would have no rate. */
const byRate = (a: Part, b: Part): number => b.pays * a.cost - a.pays * b.cost

const quotedParts = (maker: QuotedMaker, side: Side, keeps: number): readonly Part[] =>
  (side === 'ask' ? maker.asks : maker.bids).map(({ price, size }) =>
    price === 0n
      ? { cost: 0, pays: Number(size) * keeps }
      : partOf(Number(levelCost(price, size)), Number(size), Number(price), keeps),
  )

/** A drained part may cost less than its price says, a partial fill costs its price. */
const partOf = (cost: number, pays: number, factor: number, keeps: number): Part => ({
  cost: Math.min(cost, (pays * 1e18) / factor),
  pays: pays * keeps,
})

/**
 * What a side adds to a bound where an output atomic is worth at most `worth(i)` and an offer atomic
 * `price(i)`, for each of `layers` pairs of prices: the sum over its parts of the best pair's surplus.
 */
export function surplusOf(
  bound: SupplyBound,
  layers: readonly (readonly [worth: number, price: number])[],
): number {
  let sum = 0
  for (const part of bound.fixed) {
    const surplus = bestOf(part, layers)
    sum += surplus
    if (surplus === 0 && part.cost > 0) break
  }
  for (const ladder of bound.ladders)
    for (let i = 0; ; i += 1) {
      const part = ladderPart(ladder, i)
      const surplus = part === undefined ? 0 : bestOf(part, layers)
      sum += surplus
      if (surplus === 0) break
    }
  return sum
}

function bestOf({ cost, pays }: Part, layers: readonly (readonly [number, number])[]): number {
  let best = 0
  for (const [worth, price] of layers) best = Math.max(best, pays * worth - cost * price)
  return best
}

/** A level of a ladder; one more than it has, since a maker that requotes ends elsewhere. */
function ladderPart(ladder: Ladder, index: number): Part | undefined {
  const { parts, cursor, keeps } = ladder
  while (parts.length <= index && !ladder.ended) {
    const level = nextXykLevel(cursor)
    ladder.ended = level === undefined
    const last = parts.at(-1)
    if (level !== undefined)
      parts.push(
        partOf(
          Number(levelCost(level.price, level.size)),
          Number(level.size) + KEPT_BACK,
          Number(level.price) * (1 + KEPT_BACK / Math.max(Number(level.size), 1)),
          keeps,
        ),
      )
    else if (last !== undefined) parts.push(last)
  }
  return parts[index]
}
