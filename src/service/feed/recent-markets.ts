import type { Market } from '../../engine/market/market.js'
import type { MarketFeed } from './market-feed.js'
import { packedMarket } from './packed-books.js'

/**
 * Keeps the markets of the last blocks, oldest first, all but the newest packed; pairs that did not change are
 * shared between them. When the chain goes back, those before are dropped.
 *
 * @param before markets that were recorded earlier
 */
export function recentMarkets(
  feed: Pick<MarketFeed, 'current' | 'subscribe'>,
  count: number,
  before: readonly Market[] = [],
): () => readonly Market[] {
  let markets = before.slice(-count).map(packedMarket)
  const add = (market: Market): void => {
    const last = markets.at(-1)
    if (market.height === last?.height) markets = markets.slice(0, -1)
    else if (last !== undefined && market.height < last.height) markets = []
    else if (last !== undefined) markets[markets.length - 1] = packedMarket(last)
    markets.push(market)
    if (markets.length > count) markets.shift()
  }
  const served = feed.current()
  if (served !== undefined) add(served.view.market)
  feed.subscribe(({ view }) => add(view.market))
  return () => markets
}
