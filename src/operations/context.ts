import { SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import { type Graph, graphOf } from '../engine/routing/graph.js'
import { keptWith } from '../platform/memoize.js'
import type { ChainPort, Contracts } from './chain-port.js'
import type { Evidence } from './slippage/choose-slippage.js'

/** The market of one height with its graph. */
export type MarketView = { readonly market: Market; readonly graph: Graph }

/** The market and the chain that an operation answers from. */
export type OperationContext = {
  /** The market; all calls of one operation get the same height. */
  openMarket(): Promise<MarketView>
  /** The chain of the market; absent for a market from a document. */
  chain?(): Promise<ChainPort>
  /** The contracts of the chain, the only queries of the service. */
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
    this.name = 'NeedsWorker'
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

/** A market with its graph, which is computed on first use. */
const viewOf = keptWith((market: Market): MarketView => ({ market, graph: graphOf(market) }))

/** The chain of a context. @throws SwapError INVALID_REQUEST without a chain */
export async function requireChain(
  { chain }: OperationContext,
  subject: string,
): Promise<ChainPort> {
  if (chain !== undefined) return chain()
  throw onlyMarket(subject)
}

/** The contracts of a context, if it has a chain. */
export const contractsOf = ({
  chain,
  contracts,
}: OperationContext): (() => Promise<Contracts>) | undefined => contracts ?? chain

/** The contracts of a context. @throws SwapError INVALID_REQUEST without a chain */
export async function requireContracts(
  context: OperationContext,
  subject: string,
): Promise<Contracts> {
  const contracts = contractsOf(context)
  if (contracts !== undefined) return contracts()
  throw onlyMarket(subject)
}

/** The error of an operation that needs the chain of a saved market. */
export const onlyMarket = (subject: string): SwapError =>
  new SwapError('INVALID_REQUEST', `${subject} needs a chain that can be queried`, {
    why: 'the market that answers was saved, and has no chain behind it',
    hint: {
      cli: 'ask where a network or the demo chain is read, without --snapshot',
      http: 'ask a service that reads a network or the demo chain',
    },
    members: { errors: [{ pointer: '', detail: 'there is no chain' }] },
  })
