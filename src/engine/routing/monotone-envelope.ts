import { fillSide } from '../market/fill-side.js'
import { isRefusal, WalkStopped } from '../market/refusal.js'
import { takerFee } from '../market/walk.js'
import { ArithmeticAbort } from '../math/uint.js'
import type { Edge, Graph } from './graph.js'

/** What a path would pay if no hop were ever refused, and whether every hop takes its whole offer. */
export type Ideal = { readonly gross: bigint; readonly taken: boolean }

const NOTHING: Ideal = { gross: 0n, taken: false }

/**
 * The output of a path with every refusal but depth looked away from: abort windows pay what they
 * drain, empty messages are sent. It never falls when the amount grows, which the real output does
 * at every refusal, so it can be searched by bisection; every real output is at most this.
 */
export function idealOutput(graph: Graph, edges: readonly Edge[], amount: bigint): Ideal {
  const { gross, taken } = idealChain(graph, edges, amount)
  return { gross: gross + graph.held[edges.at(-1)!.to]!, taken }
}

/** As `idealOutput`, for what arrives behind some hops, none of them too. */
export function idealChain(graph: Graph, edges: readonly Edge[], amount: bigint): Ideal {
  let gross = amount
  let taken = true
  for (const edge of edges) {
    const hop = idealHop(edge, gross + graph.held[edge.from]!)
    gross = hop.gross
    taken &&= hop.taken
  }
  return { gross, taken }
}

function idealHop(edge: Edge, offer: bigint): Ideal {
  if (isRefusal(edge.book.settled())) return NOTHING
  try {
    const fill = fillSide(edge.book.found(edge.side), offer, 'looking away')
    const fee = takerFee(edge.book.state.pair, fill.gross)
    return { gross: fill.gross - fee, taken: fill.unsold === 0n }
  } catch (error) {
    if (error instanceof ArithmeticAbort || error instanceof WalkStopped) return NOTHING
    throw error
  }
}
