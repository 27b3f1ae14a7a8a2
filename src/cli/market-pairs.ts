import type { Market } from '../engine/market/market.js'
import type { PairDenoms } from '../render/names.js'

/** The denoms of a market's pairs by address, which name the pairs. */
export const pairsOf = (market: Pick<Market, 'books'>): ReadonlyMap<string, PairDenoms> =>
  new Map([...market.books].map(([address, book]) => [address, book.state.pair]))
