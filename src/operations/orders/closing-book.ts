import { type Book, compileBook } from '../../engine/market/book.js'
import type { Pair, PairState, RestingPool, RestingSide, Side } from '../../engine/market/pair.js'
import { EMPTY_SIDE } from '../../engine/market/resting-orders.js'
import { decimal, ONE } from '../../engine/math/decimal.js'
import type { OrderEntry } from '../../engine/orders/order-message.js'
import type { RestingOrder } from '../../engine/orders/resting-order.js'

/** Whether entries only claim or cancel, so that their result depends on the orders alone, not on the book. */
export const onlyCloses = (entries: readonly OrderEntry[]): boolean =>
  entries.every(({ target }) => target === undefined || target === 0n)

/**
 * A substitute for an unreadable book that contains only an owner's orders: enough to preview claims and
 * cancellations. No result is exact, since the pair's arbitrage step may fill orders before the message.
 *
 * @param orders without shares, since the precision of their pools is unknown
 */
export function closingBook(pair: Pair, orders: readonly RestingOrder[]): Book {
  const empty: PairState = {
    ...{ pair, asks: EMPTY_SIDE, bids: EMPTY_SIDE },
    ...{ makers: [], balances: undefined, exact: false },
  }
  const state = { ...empty, asks: sideOf(orders, 'ask'), bids: sideOf(orders, 'bid') }
  // The arbitrage step is assumed to match nothing, since the book is unknown.
  return { ...compileBook(state), afterArbitrage: compileBook(empty).afterArbitrage }
}

function sideOf(orders: readonly RestingOrder[], of: Side): RestingSide {
  const pools = orders.flatMap(({ side, price, rate, remaining }): readonly RestingPool[] => {
    if (side !== of || remaining === 0n) return []
    const origin = 'bps' in price ? ('oracle' as const) : ('fixed' as const)
    const bps = 'bps' in price && { bps: price.bps }
    // The rate of an order does not matter for closing it, and an oracle price may be unknown.
    return [{ rate: rate ?? decimal(ONE), total: remaining, origin, ...bps, certain: true }]
  })
  const sign = of === 'ask' ? 1 : -1
  const sorted = pools.toSorted((a, b) => (a.rate < b.rate ? -sign : sign))
  return {
    fixed: sorted.filter(({ origin }) => origin === 'fixed'),
    oracle: sorted.filter(({ origin }) => origin === 'oracle'),
    knownTo: undefined,
  }
}
