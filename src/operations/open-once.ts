import type { Market } from '../engine/market/market.js'
import { graphOf } from '../engine/routing/graph.js'
import type { MarketView, OperationContext } from './context.js'

/** A context that reads its market once, on first use. */
export function openOnce(read: () => Promise<Market>): OperationContext {
  let view: Promise<MarketView> | undefined
  return {
    openMarket() {
      view ??= read().then(viewOf)
      return view
    },
  }
}

const views = new WeakMap<Market, MarketView>()

/** A market with its graph, which is computed once. */
function viewOf(market: Market): MarketView {
  const view = views.get(market) ?? { market, graph: graphOf(market) }
  views.set(market, view)
  return view
}
