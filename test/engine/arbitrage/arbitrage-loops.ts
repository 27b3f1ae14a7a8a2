import { seededRandom } from '../../../src/demo-chain/market/random.js'
import type { Book } from '../../../src/engine/market/book.js'
import type { Market } from '../../../src/engine/market/market.js'
import { askDenom, sideOf } from '../../../src/engine/market/pair.js'
import type { Denom } from '../../../src/engine/market/token.js'
import { type Graph, graphOf } from '../../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { drawMarket } from '../../support/drawn-market.js'
import { anyOf, between, costsOf, type Drawn, documentOf, pairOf } from '../../support/markets.js'

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

/** A market in which each of so many tokens trades with every other, at prices that are off by up to 2 %. */
export function linkedMarket(tokens: number): Market {
  const random = seededRandom(`linked ${tokens}`)
  const pairs = Array.from({ length: tokens }, (_, a) =>
    Array.from({ length: a }, (_, b) => {
      const mid = between(random, 980_000, 1_020_000)
      const side = (sign: number) =>
        [1, 2, 3].map((step): readonly [string, string] => [
          `${(mid + sign * step * 1_000) / 1e6}`,
          `${between(random, 1, 100)}00000000`,
        ])
      return pairOf([`pair.${a}.${b}`, `t${a}`, `t${b}`], { asks: side(1), bids: side(-1) })
    }),
  ).flat()
  const arbs = [0, 1, 2].map((i) => ({ denom: `t${i}`, amount: '700000000' }))
  return decodeSnapshot({ ...documentOf(pairs, { fee_bps: 10 }), arbs }, 'linked')
}
