import type { Denom } from '../market/token.js'
import type { Edge, Graph } from '../routing/graph.js'
import { outputBound } from '../routing/output-bound.js'
import { hasPart, supplyCurve } from '../splits/supply-curve.js'

/**
 * Every loop of at most `maxHops` hops from a denom whose best levels return more than they take
 * after all fees. No other loop is profitable at any size, since later levels are worse.
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
      const rate = bounds.rate[hopsLeft - 1]![edge.to]!
      if (product * edge.bound.rate * rate <= need) continue
      if (trail.some(({ book }) => book === edge.book)) continue
      const next = product * topRate(edge)
      if (next * rate <= need) continue
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

/** The best level's price after the venue's fee; 0 where a side is empty or trades nothing. */
function topRate({ book, side }: Edge): number {
  const curve = supplyCurve(book, side)
  return curve !== undefined && hasPart(curve, 0) ? curve.rate[0]! : 0
}
