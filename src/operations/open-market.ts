import type { Market } from '../engine/market/market.js'
import { graphOf } from '../engine/routing/graph.js'
import type { App, Venue } from './context.js'

/** An `App` that reads its market once, when it is first asked. */
export function venueOf(read: () => Promise<Market>): App {
  let venue: Promise<Venue> | undefined
  return {
    venue() {
      venue ??= read().then((market) => ({ market, graph: graphOf(market) }))
      return venue
    },
  }
}
