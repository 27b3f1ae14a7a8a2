import { type Book, compileBook } from '../../engine/market/book.js'
import type { Pair } from '../../engine/market/pair.js'
import { EMPTY_SIDE } from '../../engine/market/resting-orders.js'
import type { OrderEntry } from '../../engine/orders/order-message.js'

/** Whether entries only claim or cancel, so that their result depends on the orders alone, not on the book. */
export const onlyCloses = (entries: readonly OrderEntry[]): boolean =>
  entries.every(({ target }) => target === undefined || target === 0n)

/**
 * A substitute for an unreadable book, to preview claims and cancellations of the orders that the pair lists. No result
 * is exact, since the pair's arbitrage step may fill orders before the message.
 */
export const closingBook = (pair: Pair): Book =>
  compileBook({
    pair,
    asks: EMPTY_SIDE,
    bids: EMPTY_SIDE,
    makers: [],
    balances: undefined,
    exact: false,
  })
