import type { Book } from '../market/book.js'
import type { Market } from '../market/market.js'
import type { Side } from '../market/pair.js'
import type { Denom } from '../market/token.js'
import { capacityOf, minOutputCurve } from './capacity.js'
import type { OutputBound } from './side-bound.js'
import { type SideBound, sideBound } from './side-bound.js'

/** One way to trade: a side of a book, from the denom offered to the denom received. */
export type Edge = {
  readonly book: Book
  readonly side: Side
  /** Indices of the denoms in the graph. */
  readonly from: number
  readonly to: number
  /** What no fill of this side can exceed. */
  readonly bound: SideBound
  /** The most that the side can take, in its offer denom. */
  readonly capacity: number
  /** What so much of the offer denom buys at least, if the side takes all of it. */
  readonly minOutput: (offer: number) => number
}

/** The market as a search sees it: denoms by index, and from each the edges that leave it. */
export type Graph = {
  readonly market: Market
  readonly denoms: readonly Denom[]
  readonly indexOf: ReadonlyMap<Denom, number>
  readonly leaving: readonly (readonly Edge[])[]
  /** What lies in the router, per denom: it joins the hop that offers it. */
  readonly routerBalances: readonly bigint[]
  /** Bounds towards a target, kept from search to search by `outputBound`. */
  readonly outputBounds: Map<string, OutputBound>
}

/** Builds the graph of a market. Denoms and edges stand in one order, whatever the document's. */
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
  return { market, denoms, indexOf, leaving, routerBalances: held, outputBounds: new Map() }
}

const edge = (book: Book, side: Side, from: number, to: number): Edge => ({
  book,
  side,
  from,
  to,
  bound: sideBound(book, side),
  capacity: capacityOf(book, side),
  minOutput: minOutputCurve(book, side),
})
