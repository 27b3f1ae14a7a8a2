import type { MarketView } from '../../operations/context.js'
import { type MarketFeed, servedMarket } from './market-feed.js'

/** Serves a saved market, which never becomes stale. */
export function fixedFeed(view: MarketView): MarketFeed {
  const served = servedMarket(view)
  return {
    current: () => served,
    age: () => 0,
    maxAge: Number.POSITIVE_INFINITY,
    nodeHeight: () => served.height,
    disputed: () => undefined,
    shortage: () => undefined,
    unready: () => [],
    subscribe: () => () => {},
    close: () => Promise.resolve(),
  }
}
