import { fillSide } from '../market/fill-side.js'
import { ContractFailure, isRefusal } from '../market/refusal.js'
import { takerFee } from '../market/walk.js'
import { ArithmeticAbort } from '../math/uint.js'
import type { Edge, Graph } from './graph.js'
import type { WorkBudget } from './work-budget.js'

type EnvelopeQuery = { readonly graph: Graph; readonly budget: WorkBudget }

/** Output of a path if no hop were refused, and whether every hop takes its whole offer. */
export type EnvelopePoint = { readonly gross: bigint; readonly taken: boolean }

const NOTHING: EnvelopePoint = { gross: 0n, taken: false }

/**
 * The output of a path without refusals other than depth: abort windows pay what they drain, empty
 * maker messages are sent. It never falls when the amount grows, so it can be bisected, and no real
 * output is above it. The real output falls at every refusal.
 */
export function envelopeOutput(
  query: EnvelopeQuery,
  edges: readonly Edge[],
  amount: bigint,
): EnvelopePoint {
  const { graph } = query
  const { gross, taken } = envelopeAlong(query, edges, amount)
  return { gross: gross + graph.routerBalances[edges.at(-1)!.to]!, taken }
}

/** As `envelopeOutput`, for what arrives after some hops, possibly none. */
export function envelopeAlong(
  query: EnvelopeQuery,
  edges: readonly Edge[],
  amount: bigint,
): EnvelopePoint {
  let point = startOf(amount)
  for (const edge of edges) point = behindHop(query, point, edge)
  return point
}

const startOf = (amount: bigint): EnvelopePoint => ({ gross: amount, taken: true })

/** Units of work of one hop. */
const HOP = 2

function behindHop(
  { graph, budget }: EnvelopeQuery,
  before: EnvelopePoint,
  edge: Edge,
): EnvelopePoint {
  budget.spent += HOP
  const { gross, taken } = envelopeHop(edge, before.gross + graph.routerBalances[edge.from]!)
  return { gross, taken: before.taken && taken }
}

/**
 * `envelopeAlong` for the beginnings of a depth-first search: hops that two calls in a row share at one
 * size are computed once.
 */
export function envelopeMemo(
  query: EnvelopeQuery,
): (edges: readonly Edge[], size: bigint) => EnvelopePoint {
  const known: { readonly edge: Edge; readonly point: EnvelopePoint }[] = []
  let knownSize = -1n
  return (edges, size) => {
    if (size !== knownSize) known.length = 0
    knownSize = size
    let point = startOf(size)
    for (const [i, edge] of edges.entries()) {
      if (known[i]?.edge !== edge) {
        known.length = i
        known.push({ edge, point: behindHop(query, point, edge) })
      }
      point = known[i]!.point
    }
    return point
  }
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
