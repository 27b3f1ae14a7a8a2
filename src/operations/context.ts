import type { Market } from '../engine/market/market.js'
import type { Graph } from '../engine/routing/graph.js'
import type { ChainPort, Contracts } from './chain-port.js'

/** A market with its graph: one height, ready for any number of questions. */
export type MarketView = { readonly market: Market; readonly graph: Graph }

/** What the operations need of the rest of the program. `main` and the tests fill it. */
export type OperationContext = {
  /** The market to answer from. Every answer of one call belongs to its one height. */
  openMarket(): Promise<MarketView>
  /** The chain that the market is of; a market from a document has none. */
  chain?(): Promise<ChainPort>
  /** The contracts of the chain, for whom may ask them and nothing else of it: the service. */
  contracts?(): Promise<Contracts>
  /** Many others wait on the same thread: what takes long throws `Postponed` instead. */
  readonly inline?: true
}

/** Thrown to a hasty asker by an operation that found its answer to take long: ask where nobody else waits. */
export class NeedsWorker extends Error {
  constructor() {
    super('this answer takes long')
    this.name = 'Postponed'
  }
}
