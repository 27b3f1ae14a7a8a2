import type { Edge, Graph } from '../routing/graph.js'
import type { PathQuery } from '../routing/query.js'
import { type SupplyCurve, supplyCurve } from './supply-curve.js'

/** A routing edge with its supply curve. `id` is its index in `ResidualNetwork.edges`. */
export type NetworkEdge = Edge & { readonly id: number; readonly curve: SupplyCurve }

/** The part of a market that one order can use: every edge on some path within the hop limit. */
export type ResidualNetwork = {
  readonly query: PathQuery
  /** All edges; the index is the id. */
  readonly edges: readonly NetworkEdge[]
  /** Edges by the index of the denom that they leave. */
  readonly leaving: readonly (readonly NetworkEdge[])[]
  readonly entering: readonly (readonly NetworkEdge[])[]
  /** Share of a gross output that reaches the recipient, about. */
  readonly feeFactor: number
}

/** The network of a query. No edge leads back to the start or on from the target. */
export function residualNetwork(query: PathQuery): ResidualNetwork {
  const { graph, from, to, limits, isAllowed: allowed } = query
  const usable = (edge: Edge) => edge.to !== from && edge.from !== to && allowed(edge)
  const fromStart = distances(graph, from, usable)
  const toTarget = distancesTo(graph, to, usable)
  const within = graph.leaving
    .flat()
    .filter(
      (edge) => usable(edge) && fromStart[edge.from]! + 1 + toTarget[edge.to]! <= limits.maxHops,
    )
  const edges: NetworkEdge[] = []
  for (const edge of withoutDeadEnds(within, query)) {
    const curve = supplyCurve(edge.book, edge.side)
    if (curve !== undefined) edges.push({ id: edges.length, curve, ...edge })
  }
  const leaving: NetworkEdge[][] = graph.denoms.map(() => [])
  const entering: NetworkEdge[][] = graph.denoms.map(() => [])
  for (const edge of edges) {
    leaving[edge.from]!.push(edge)
    entering[edge.to]!.push(edge)
  }
  const fees = graph.market.router.feeBps + (limits.affiliate?.affiliateFeeBps ?? 0n)
  query.budget.spent += edges.length * EDGE
  return { query, edges, leaving, entering, feeFactor: Math.max(0, 1 - Number(fees) / 10_000) }
}

/** Units of work of one edge that is in the network. */
const EDGE = 2

/** The edges without those of denoms that only one other denom leads to and from: no simple path passes them. */
function withoutDeadEnds(
  edges: readonly Edge[],
  ends: Pick<PathQuery, 'from' | 'to'>,
): readonly Edge[] {
  const neighbours = new Map<number, Set<number>>()
  const join = (at: number, other: number) =>
    neighbours.set(at, (neighbours.get(at) ?? new Set()).add(other))
  for (const edge of edges) {
    join(edge.from, edge.to)
    join(edge.to, edge.from)
  }
  const isPassed = (at: number) =>
    at === ends.from || at === ends.to || neighbours.get(at)!.size > 1
  const remaining = edges.filter((edge) => isPassed(edge.from) && isPassed(edge.to))
  return remaining.length === edges.length ? edges : withoutDeadEnds(remaining, ends)
}

type EdgeFilter = (edge: Edge) => boolean

/** Hops from a denom to every other, breadth first. */
function distances(graph: Graph, start: number, usable: EdgeFilter): readonly number[] {
  const hops = graph.denoms.map(() => Number.POSITIVE_INFINITY)
  hops[start] = 0
  const queue = [start]
  for (const at of queue)
    for (const edge of graph.leaving[at]!)
      if (usable(edge) && hops[edge.to] === Number.POSITIVE_INFINITY) {
        hops[edge.to] = hops[at]! + 1
        queue.push(edge.to)
      }
  return hops
}

/** Hops to a denom from every other. A pair trades in both directions, so edges back name those towards. */
function distancesTo(graph: Graph, target: number, usable: EdgeFilter): readonly number[] {
  const hops = graph.denoms.map(() => Number.POSITIVE_INFINITY)
  hops[target] = 0
  const queue = [target]
  for (const at of queue)
    for (const reverse of graph.leaving[at]!) {
      if (hops[reverse.to] !== Number.POSITIVE_INFINITY) continue
      const isConnected = graph.leaving[reverse.to]!.some((edge) => edge.to === at && usable(edge))
      if (!isConnected) continue
      hops[reverse.to] = hops[at]! + 1
      queue.push(reverse.to)
    }
  return hops
}
