import type { Book } from '../../../src/engine/market/book.js'
import type { Market } from '../../../src/engine/market/market.js'
import { askDenom, sideOf } from '../../../src/engine/market/pair.js'
import type { Denom } from '../../../src/engine/market/token.js'
import { type Graph, graphOf } from '../../../src/engine/routing/graph.js'
import { drawMarket } from '../../support/drawn-market.js'
import { anyOf, between, costsOf, type Drawn } from '../../support/markets.js'

/** A generated market whose prices disagree, with amounts for some of its denoms to scan with. */
export function drawLoops(seed: number): Drawn & { readonly graph: Graph } {
  const drawn = drawMarket(seed, { noise: 60n })
  const { market, random, graph } = drawn
  const arbs = graph.denoms.slice(0, 4).map((denom) => {
    const books = [...market.books.values()].filter(({ state }) => sideOf(state.pair, denom))
    const book = anyOf(random, books)
    const costs = costsOf(book, sideOf(book.state.pair, denom)!, 2)
    const amount = ((costs.at(-1) ?? 0n) * BigInt(between(random, 1, 100))) / 100n + 1n
    return { denom, amount }
  })
  const scanned: Market = { ...market, arbs }
  return { ...drawn, market: scanned, graph: graphOf(scanned) }
}

/** Every loop from a denom that visits no denom and no book twice, enumerated without a graph. */
export function allLoops(
  market: Market,
  start: Denom,
  maxHops: number,
): readonly (readonly Book[])[] {
  const loops: (readonly Book[])[] = []
  const visit = (books: readonly Book[], at: Denom, visited: readonly Denom[]): void => {
    for (const book of market.books.values()) {
      const side = sideOf(book.state.pair, at)
      if (side === undefined || books.includes(book)) continue
      const to = askDenom(book.state.pair, side)
      const longer = [...books, book]
      if (to === start) loops.push(longer)
      else if (longer.length < maxHops && !visited.includes(to)) visit(longer, to, [...visited, to])
    }
  }
  visit([], start, [start])
  return loops
}
