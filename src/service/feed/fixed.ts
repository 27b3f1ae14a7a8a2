import type { Venue } from '../../operations/context.js'
import { type MarketFeed, servedOf } from './market-feed.js'

/** A market that stands still: a saved one. It never grows old. */
export function fixedFeed(venue: Venue): MarketFeed {
  const served = servedOf(venue)
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
