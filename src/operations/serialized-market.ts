import { type Book, compileBook } from '../engine/market/book.js'
import type { Market } from '../engine/market/market.js'
import type { PairState } from '../engine/market/pair.js'
import { graphOf } from '../engine/routing/graph.js'
import type { MarketView } from './context.js'

/**
 * A market as plain data, which can go to another thread: nothing that is computed of it. A pair that
 * the other side has already may be named by its address alone.
 */
export type SerializedMarket = Omit<Market, 'books'> & {
  readonly pairs: readonly (PairState | string)[]
}

/** Packs a market, whole. */
export const serializeMarket = ({ books, ...rest }: Market): SerializedMarket => ({
  ...rest,
  pairs: [...books.values()].map(({ state }) => state),
})

/**
 * The market of a parcel. Pairs that it only names are those of `before`: what has been computed of
 * them stays computed.
 */
export function deserializeMarket(
  { pairs, ...rest }: SerializedMarket,
  before?: Market,
): MarketView {
  const books = new Map<string, Book>()
  for (const pair of pairs) {
    const address = typeof pair === 'string' ? pair : pair.pair.address
    const book = typeof pair === 'string' ? before?.books.get(pair) : compileBook(pair)
    if (book === undefined) throw new Error(`a parcel names the pair ${address}, which is not here`)
    books.set(address, book)
  }
  const market: Market = { ...rest, books }
  return { market, graph: graphOf(market) }
}
