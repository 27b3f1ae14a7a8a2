import type { Edge } from '../routing/graph.js'
import { keptShare, type PathQuery } from '../routing/query.js'
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
  const { graph, from, to, limits, isAllowed } = query
  const usable = graph.leaving
    .flat()
    .filter((edge) => edge.to !== from && edge.from !== to && isAllowed(edge))
  const fromStart = leastHops(usable, from, graph.denoms.length, limits.maxHops)
  const toTarget = leastHops(usable.map(reversed), to, graph.denoms.length, limits.maxHops)
  const within = usable.filter(
    (edge) => fromStart[edge.from]! + 1 + toTarget[edge.to]! <= limits.maxHops,
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
  query.budget.spent += edges.length * EDGE
  return { query, edges, leaving, entering, feeFactor: keptShare(query) }
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

type Ends = Pick<Edge, 'from' | 'to'>

/** An edge in the other direction. */
export const reversed = ({ from, to }: Ends): Ends => ({ from: to, to: from })

/** The least hops from a denom to each of `size` denoms; where there are more than `most`, a greater number. */
export function leastHops(
  edges: readonly Ends[],
  start: number,
  size: number,
  most: number,
): readonly number[] {
  const hops = new Array<number>(size).fill(Number.POSITIVE_INFINITY)
  hops[start] = 0
  for (let round = 0; round < most; round += 1)
    for (const { from, to } of edges) hops[to] = Math.min(hops[to]!, hops[from]! + 1)
  return hops
}
