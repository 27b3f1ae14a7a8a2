import { fillSide } from '../market/fill-side.js'
import { ContractFailure, isRefusal } from '../market/refusal.js'
import { takerFee } from '../market/walk.js'
import { ArithmeticAbort } from '../math/uint.js'
import type { Edge, Graph } from './graph.js'

/** What a path would pay if no hop were ever refused, and whether every hop takes its whole offer. */
export type EnvelopePoint = { readonly gross: bigint; readonly taken: boolean }

const NOTHING: EnvelopePoint = { gross: 0n, taken: false }

/**
 * The output of a path with every refusal but depth looked away from: abort windows pay what they
 * drain, empty messages are sent. It never falls when the amount grows, which the real output does
 * at every refusal, so it can be searched by bisection; every real output is at most this.
 */
export function envelopeOutput(
  graph: Graph,
  edges: readonly Edge[],
  amount: bigint,
): EnvelopePoint {
  const { gross, taken } = envelopeAlong(graph, edges, amount)
  return { gross: gross + graph.routerBalances[edges.at(-1)!.to]!, taken }
}

/** As `idealOutput`, for what arrives behind some hops, none of them too. */
export function envelopeAlong(graph: Graph, edges: readonly Edge[], amount: bigint): EnvelopePoint {
  let gross = amount
  let taken = true
  for (const edge of edges) {
    const hop = envelopeHop(edge, gross + graph.routerBalances[edge.from]!)
    gross = hop.gross
    taken &&= hop.taken
  }
  return { gross, taken }
}

function envelopeHop(edge: Edge, offer: bigint): EnvelopePoint {
  if (isRefusal(edge.book.afterArbitrage())) return NOTHING
  try {
    const fill = fillSide(edge.book.executedSide(edge.side), offer, 'looking away')
    const fee = takerFee(edge.book.state.pair, fill.gross)
    return { gross: fill.gross - fee, taken: fill.unsold === 0n }
  } catch (error) {
    if (error instanceof ArithmeticAbort || error instanceof ContractFailure) return NOTHING
    throw error
  }
}
