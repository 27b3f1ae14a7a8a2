import { DEMO_SEED, demoSnapshot } from '../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import type { OperationContext } from '../../src/operations/context.js'

/** The demo market, decoded once. */
export const market = decodeSnapshot(demoSnapshot(DEMO_SEED), 'the demo market')
export const graph = graphOf(market)

/** What operations are given of it. */
export const app: OperationContext = { openMarket: async () => ({ market, graph }) }
