import { type Book, compileBook } from '../engine/market/book.js'
import type { Market } from '../engine/market/market.js'
import type { PairState } from '../engine/market/pair.js'
import { graphOf } from '../engine/routing/graph.js'
import type { MarketView } from './context.js'

/**
 * A market as plain data for another thread, without derived data. A pair that the receiver already has may
 * be given by address only.
 */
export type SerializedMarket = Omit<Market, 'books'> & {
  readonly pairs: readonly (PairState | string)[]
}

export const serializeMarket = ({ books, ...rest }: Market): SerializedMarket => ({
  ...rest,
  pairs: [...books.values()].map(({ state }) => state),
})

/** Rebuilds a market. Pairs given by address are taken from `before`, with their derived data. */
export function deserializeMarket(
  { pairs, ...rest }: SerializedMarket,
  before?: Market,
): MarketView {
  const books = new Map<string, Book>()
  for (const pair of pairs) {
    const address = typeof pair === 'string' ? pair : pair.pair.address
    const book = typeof pair === 'string' ? before?.books.get(pair) : compileBook(pair)
    if (book === undefined)
      throw new Error(`the serialized market names the pair ${address}, which is not known`)
    books.set(address, book)
  }
  const market: Market = { ...rest, books }
  return { market, graph: graphOf(market) }
}
