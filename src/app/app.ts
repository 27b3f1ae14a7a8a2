import type { Market } from '../market/market.js'
import type { Graph } from '../routing/graph.js'

/** A market with its graph: one height, ready for any number of questions. */
export type Venue = { readonly market: Market; readonly graph: Graph }

/** What the operations need of the rest of the program. `main` and the tests fill it. */
export type App = {
  /** The market to answer from. Every answer of one call belongs to its one height. */
  venue(): Promise<Venue>
}
