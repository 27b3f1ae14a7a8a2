import type { Market } from '../engine/market/market.js'
import { graphOf } from '../engine/routing/graph.js'
import type { MarketView, OperationContext } from './context.js'

/** A context that reads its market once, on first use. */
export function openOnce(read: () => Promise<Market>): OperationContext {
  let view: Promise<MarketView> | undefined
  return {
    openMarket() {
      view ??= read().then((market) => ({ market, graph: graphOf(market) }))
      return view
    },
  }
}
