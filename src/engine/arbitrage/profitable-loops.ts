import type { Denom } from '../market/token.js'
import type { Edge, Graph } from '../routing/graph.js'
import { outputBound } from '../routing/output-bound.js'

/**
 * Every loop of at most `maxHops` hops from a denom whose best prices return more than they take after
 * all fees. No other loop is profitable at any size, but for what drained levels round down and what
 * the router's own balance would add to a hop.
 */
export function profitableLoops(
  graph: Graph,
  denom: Denom,
  maxHops: number,
): readonly (readonly Edge[])[] {
  const start = graph.indexOf.get(denom)
  if (start === undefined) return []
  const bounds = outputBound(graph, start, maxHops, undefined)
  const need = 1 / Math.max(1e-12, 1 - Number(graph.market.router.feeBps) / 10_000)
  const used = new Uint8Array(graph.denoms.length)
  const trail: Edge[] = []
  const found: (readonly Edge[])[] = []
  const visit = (at: number, product: number, hopsLeft: number): void => {
    for (const edge of graph.leaving[at]!) {
      if (used[edge.to] === 1) continue
      const next = product * edge.bound.rate
      if (next * bounds.rate[hopsLeft - 1]![edge.to]! <= need) continue
      if (trail.some(({ book }) => book === edge.book)) continue
      trail.push(edge)
      if (edge.to === start) found.push([...trail])
      else {
        used[edge.to] = 1
        visit(edge.to, next, hopsLeft - 1)
        used[edge.to] = 0
      }
      trail.pop()
    }
  }
  visit(start, 1, maxHops)
  return found
}
