import type { Book } from '../market/book.js'
import type { Market } from '../market/market.js'
import {
  keptBySide,
  offerDenom,
  poolsOf,
  quotedLevels,
  restingOf,
  type Side,
} from '../market/pair.js'
import { isRefusal } from '../market/refusal.js'
import type { Denom } from '../market/token.js'
import { levelCost } from '../market/venues/maker-level.js'
import { poolFactor } from '../market/venues/resting-pool.js'
import { xykReserves } from '../market/venues/xyk.js'
import { ONE } from '../math/decimal.js'
import { costOf, type SideBound, sideBound } from './side-bound.js'

/**
 * The most that a side can take, in its offer denom, as a float a little too high; infinite where a
 * constant-product maker quotes, since its ladder is almost endless. An offer above it is refused.
 */
function capacityOf(book: Book, side: Side): number {
  const arbitrage = book.afterArbitrage()
  if (isRefusal(arbitrage)) return 0
  const { state } = arbitrage
  if (state.makers.some((maker) => maker.kind === 'xyk')) return Number.POSITIVE_INFINITY
  const pools = poolsOf(restingOf(state, side)).reduce((sum, pool) => {
    const factor = poolFactor(side, pool.rate)
    return factor === 0n ? sum : sum + costOf(state.pair.rules, pool, factor) + 1n
  }, 0n)
  const quoted = state.makers
    .flatMap((maker) => quotedLevels(maker, side))
    .reduce((sum, { price, size }) => sum + levelCost(price, size) + 1n, 0n)
  return Number(pools + quoted) * (1 + 1e-9) + 1
}

/** With a coarser tick, pools come too far before levels that are better than they are. */
const LEAST_TICK = 3

/** What tick, dust and floats can take away at most, where the tick is not coarser than that. */
const KEPT = 0.98

/**
 * What an offer buys at least, after the fee, if the side takes all of it; 0 where nothing is
 * promised. The ladder of a lone constant-product maker ends within one step of the offer, so its
 * curve gives `y × (1 − x / (x' ÷ (1 + step)))` with `x'` the reserve behind the offer; each level may
 * keep atomics of that, for which four are deducted. Apart from the tick, pools only come before worse levels.
 */
function minOutputCurve(book: Book, side: Side): (offer: number) => number {
  const arbitrage = book.afterArbitrage()
  if (isRefusal(arbitrage)) return nothing
  const { state } = arbitrage
  const [maker, second] = state.makers
  if (maker?.kind !== 'xyk' || second !== undefined || !state.exact) return nothing
  const [x, y] = xykReserves(maker, offerDenom(state.pair, side)).map(Number) as [number, number]
  const step = Number(maker.step) / Number(ONE)
  if (state.pair.tick < LEAST_TICK || !(x * step > 100)) return nothing
  const feeFactor = (1 - Number(maker.fee) / 1e18) * (1 - Number(state.pair.takerFee) / 1e18) * KEPT
  // The ladder ends where a step pays less than the maker's minimum: what it keeps is never promised.
  const keepsBack = (Number(maker.minQuote) + 1) * (1 + 1 / step) * 1.01
  const end = (x * y) / Math.max(keepsBack, 1)
  return (offer) => {
    const reserveAfter = Math.min((x + offer) / (1 + step), end)
    if (!(reserveAfter > x)) return 0
    const levels = Math.log(1 + offer / x) / Math.log(1 + step - 1 / x) + 1
    return Math.max(0, (y * (1 - x / reserveAfter) - 4 * levels) * feeFactor)
  }
}

const nothing = () => 0

/** A side of a book as a directed edge, from the denom offered to the denom received. */
export type Edge = {
  readonly book: Book
  readonly side: Side
  /** Indices of the denoms in the graph. */
  readonly from: number
  readonly to: number
  /** An upper bound on every fill of this side. */
  readonly bound: SideBound
  /**
   * The most that the side can take, in atomics of its offer denom as a float a little too high.
   */
  readonly capacity: number
  /** The least that this much of the offer denom buys if the side takes all of it. */
  readonly minOutput: (offer: number) => number
}

/**
 * An upper bound on what reaches a target from each denom with `h` hops left: an amount `x` ends as
 * at most `rate[h][denom] * x + extra[h][denom]`. Refused hops count as possible, so the bound
 * holds for refused paths too.
 */
export type OutputBound = {
  readonly rate: readonly Float64Array[]
  readonly extra: readonly Float64Array[]
  /** 1 where edges lead on to the target at all, open or closed. */
  readonly leadsToTarget: readonly Uint8Array[]
}

/** An amount, and what the best path pays for it. */
export type SizedRoute = { readonly amount: bigint; readonly output: bigint }

/** The least and the most input that any path takes, and the most that any pays, as far as complete searches found them. */
export type SizeLimits = {
  least?: bigint | undefined
  most?: SizedRoute | undefined
  mostPaid?: SizedRoute | undefined
}

/** The market as a directed graph: denoms by index, and the edges that leave each. */
export type Graph = {
  readonly market: Market
  readonly denoms: readonly Denom[]
  readonly indexOf: ReadonlyMap<Denom, number>
  readonly leaving: readonly (readonly Edge[])[]
  /**
   * The router's own balance of each denom, which joins the hop that offers it
   * (docs/venues.md#router-balances).
   */
  readonly routerBalances: readonly bigint[]
  /** Bounds towards a target, kept from search to search by `outputBound`. */
  readonly outputBounds: Map<string, OutputBound>
  /** What a unit of gas costs in atomics of a denom, kept by `gasCost`. */
  readonly gasWorths: Map<Denom, number>
  /** The sizes of two denoms and a number of hops, kept from search to search by `size-limits`. */
  readonly sizeLimits: Map<string, SizeLimits>
}

/**
 * Builds the graph of a market. The order of denoms and edges does not depend on the order of the
 * document.
 */
export function graphOf(market: Market): Graph {
  const books = [...market.books.values()].sort((a, b) =>
    a.state.pair.address < b.state.pair.address ? -1 : 1,
  )
  const denoms = [
    ...new Set(books.flatMap(({ state }) => [state.pair.base, state.pair.quote])),
  ].sort()
  const indexOf = new Map(denoms.map((denom, i) => [denom, i] as const))
  const leaving: Edge[][] = denoms.map(() => [])
  for (const book of books) {
    const base = indexOf.get(book.state.pair.base)!
    const quote = indexOf.get(book.state.pair.quote)!
    leaving[base]!.push(edge(book, 'bid', base, quote))
    leaving[quote]!.push(edge(book, 'ask', quote, base))
  }
  const routerBalances = denoms.map((denom) => market.router.balances.get(denom) ?? 0n)
  return {
    market,
    denoms,
    indexOf,
    leaving,
    routerBalances,
    outputBounds: new Map(),
    gasWorths: new Map(),
    sizeLimits: new Map(),
  }
}

const edge = (book: Book, side: Side, from: number, to: number): Edge => ({
  book,
  side,
  from,
  to,
  ...figuresOf(book, side),
})

/** Bounds of a side, computed before any fill. */
export type SideFigures = Pick<Edge, 'bound' | 'capacity'>

/** The figures of a side that were computed from the same book before. */
export const knownFigures = new WeakMap<Book, Readonly<Record<Side, SideFigures>>>()

export const sideFigures = (book: Book, side: Side): SideFigures =>
  knownFigures.get(book)?.[side] ?? {
    bound: sideBound(book, side),
    capacity: capacityOf(book, side),
  }

/** Cached with the book: most pairs keep the same book from block to block. */
const figuresOf = keptBySide((book: Book, side) => {
  let curve: ReturnType<typeof minOutputCurve> | undefined
  const minOutput = (offer: number) => (curve ??= minOutputCurve(book, side))(offer)
  return { minOutput, ...sideFigures(book, side) }
})
