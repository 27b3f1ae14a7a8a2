import type { Edge, Graph } from '../routing/graph.js'
import type { Query } from '../routing/query.js'
import { type Lane, laneOf } from './supply-curve.js'

/** An edge with its lane. `id` counts the arcs of one field. */
export type Arc = { readonly id: number; readonly edge: Edge; readonly lane: Lane }

/** The part of a market in which one swap can move: every arc that some path within the limits uses. */
export type Field = {
  readonly query: Query
  readonly arcs: readonly Arc[]
  /** Arcs by the denom that they leave, and by the one that they enter. */
  readonly leaving: readonly (readonly Arc[])[]
  readonly entering: readonly (readonly Arc[])[]
  /** Share of a gross output that reaches the recipient, about. */
  readonly keeps: number
}

/** The field of a query. No arc leads back to the start or on from the target. */
export function fieldOf(query: Query): Field {
  const { graph, from, to, limits, allowed } = query
  const usable = (edge: Edge) => edge.to !== from && edge.from !== to && allowed(edge)
  const fromStart = distances(graph, from, usable)
  const toTarget = distancesTo(graph, to, usable)
  const arcs: Arc[] = []
  for (const edges of graph.leaving)
    for (const edge of edges) {
      if (!usable(edge)) continue
      if (fromStart[edge.from]! + 1 + toTarget[edge.to]! > limits.maxHops) continue
      const lane = laneOf(edge.book, edge.side)
      if (lane !== undefined) arcs.push({ id: arcs.length, edge, lane })
    }
  const leaving: Arc[][] = graph.denoms.map(() => [])
  const entering: Arc[][] = graph.denoms.map(() => [])
  for (const arc of arcs) {
    leaving[arc.edge.from]!.push(arc)
    entering[arc.edge.to]!.push(arc)
  }
  const fees = graph.market.router.feeBps + (limits.affiliate?.affiliateFeeBps ?? 0n)
  return { query, arcs, leaving, entering, keeps: Math.max(0, 1 - Number(fees) / 10_000) }
}

type Usable = (edge: Edge) => boolean

/** Hops from a denom to every other, breadth first. */
function distances(graph: Graph, start: number, usable: Usable): readonly number[] {
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

/** Hops to a denom from every other. A pair trades both ways, so the edges back name those towards. */
function distancesTo(graph: Graph, target: number, usable: Usable): readonly number[] {
  const hops = graph.denoms.map(() => Number.POSITIVE_INFINITY)
  hops[target] = 0
  const queue = [target]
  for (const at of queue)
    for (const back of graph.leaving[at]!) {
      if (hops[back.to] !== Number.POSITIVE_INFINITY) continue
      const towards = graph.leaving[back.to]!.some((edge) => edge.to === at && usable(edge))
      if (!towards) continue
      hops[back.to] = hops[at]! + 1
      queue.push(back.to)
    }
  return hops
}
