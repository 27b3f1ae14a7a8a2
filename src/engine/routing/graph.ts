import type { Book } from '../market/book.js'
import type { Market } from '../market/market.js'
import { keptBySide, type Side } from '../market/pair.js'
import type { Denom } from '../market/token.js'
import { capacityOf, minOutputCurve } from './capacity.js'
import type { OutputBound } from './side-bound.js'
import { type SideBound, sideBound } from './side-bound.js'

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
  const held = denoms.map((denom) => market.router.balances.get(denom) ?? 0n)
  const memos = { outputBounds: new Map(), sizeLimits: new Map() }
  return { market, denoms, indexOf, leaving, routerBalances: held, ...memos }
}

const edge = (book: Book, side: Side, from: number, to: number): Edge => ({
  book,
  side,
  from,
  to,
  ...figuresOf(book, side),
})

/** Kept for a book: most pairs are the same books from block to block. */
const figuresOf = keptBySide((book: Book, side) => ({
  bound: sideBound(book, side),
  capacity: capacityOf(book, side),
  minOutput: minOutputCurve(book, side),
}))
