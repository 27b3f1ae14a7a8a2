import type { Market } from '../engine/market/market.js'
import { type Graph, graphOf } from '../engine/routing/graph.js'
import type { ChainPort, Contracts } from './chain-port.js'
import type { Evidence } from './slippage/choose-slippage.js'

/** The market of one height with its graph. */
export type MarketView = { readonly market: Market; readonly graph: Graph }

/** The market and the chain that an operation answers from. */
export type OperationContext = {
  /** Opens the market. All answers of one call belong to its height. */
  openMarket(): Promise<MarketView>
  /** The chain of the market; a market from a document has none. */
  chain?(): Promise<ChainPort>
  /** The contracts of the chain alone: all that the service may query. */
  contracts?(): Promise<Contracts>
  /** Recorded blocks up to a height, for `slippage: "auto"`. */
  evidence?(height: number): Promise<Evidence>
  /** Set on the serving thread: an expensive request throws `NeedsWorker` instead of running. */
  readonly inline?: true
}

/** Thrown when the result needs a worker thread. */
export class NeedsWorker extends Error {
  constructor() {
    super('this answer takes long')
    this.name = 'Postponed'
  }
}

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
