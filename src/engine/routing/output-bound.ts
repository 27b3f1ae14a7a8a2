import type { Edge, Graph, OutputBound } from './graph.js'

/** Which edges and denoms a search may use. */
export type EdgeFilter = (edge: Edge) => boolean

/** Floats are off by less than this, relative, over at most six hops. */
export const FLOAT_SLACK = 1 + 1e-9

/** The `OutputBound` towards a denom, cached with the graph where every edge is allowed. */
export function outputBound(
  graph: Graph,
  target: number,
  hops: number,
  allowed: EdgeFilter | undefined,
): OutputBound {
  if (allowed !== undefined) return computeOutputBound(graph, target, hops, allowed)
  const key = `${target} ${hops}`
  const cached = graph.outputBounds.get(key)
  if (cached !== undefined) return cached
  const bounds = computeOutputBound(graph, target, hops, () => true)
  graph.outputBounds.set(key, bounds)
  return bounds
}

/**
 * Computes the `OutputBound` towards one denom in `hops` passes over all edges (Bellman-Ford).
 * Walks may repeat denoms here, which only raises the bound.
 */
export function computeOutputBound(
  graph: Graph,
  target: number,
  hops: number,
  allowed: EdgeFilter,
): OutputBound {
  const size = graph.denoms.length
  const rate = [new Float64Array(size)]
  const extra = [new Float64Array(size)]
  const leads = [new Uint8Array(size)]
  rate[0]![target] = 1
  leads[0]![target] = 1
  extra[0]![target] = Number(graph.routerBalances[target]!)
  for (let h = 1; h <= hops; h += 1) {
    const [previousRate, previousExtra] = [rate[h - 1]!, extra[h - 1]!]
    const [nextRate, nextExtra] = [previousRate.slice(), previousExtra.slice()]
    const [led, nextLeads] = [leads[h - 1]!, leads[h - 1]!.slice()]
    for (let v = 0; v < size; v += 1) {
      if (v === target) continue
      for (const edge of graph.leaving[v]!) {
        const onward = previousRate[edge.to]!
        if (led[edge.to] === 0 || !allowed(edge)) continue
        nextLeads[v] = 1
        if (onward === 0) continue
        const { rate: price, extra: gift } = edge.bound
        const pathRate = price * onward
        const pathExtra =
          (price * Number(graph.routerBalances[v]!) + gift) * onward + previousExtra[edge.to]!
        if (pathRate > nextRate[v]!) nextRate[v] = pathRate
        if (pathExtra > nextExtra[v]!) nextExtra[v] = pathExtra
      }
    }
    rate.push(nextRate)
    extra.push(nextExtra)
    leads.push(nextLeads)
  }
  return { rate, extra, leadsToTarget: leads }
}
