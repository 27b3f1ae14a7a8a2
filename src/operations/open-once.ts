import type { Market } from '../engine/market/market.js'
import { graphOf } from '../engine/routing/graph.js'
import type { MarketView, OperationContext } from './context.js'

/** An `App` that reads its market once, when it is first asked. */
export function openOnce(read: () => Promise<Market>): OperationContext {
  let view: Promise<MarketView> | undefined
  return {
    openMarket() {
      view ??= read().then((market) => ({ market, graph: graphOf(market) }))
      return view
    },
  }
}
