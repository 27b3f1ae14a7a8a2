import type { Edge } from './graph.js'
import { outputBound } from './output-bound.js'
import type { PathQuery } from './query.js'

/**
 * Every simple path of a query, those with the better prices first, without filling any. `least`
 * tells a lower bound of the input that a beginning needs to reach the target with `wanted`; a
 * beginning is left when `isHopeless` says so of that bound. `visit` gets the bound of the whole path.
 */
export function visitPaths(
  query: PathQuery,
  wanted: number,
  isHopeless: (least: number) => boolean,
  visit: (edges: readonly Edge[], least: number) => void,
): void {
  const { graph, from, to, limits, isAllowed: allowed } = query
  const bounds = outputBound(graph, to, limits.maxHops, limits.exclude.length ? allowed : undefined)
  const used = new Uint8Array(graph.denoms.length)
  used[from] = 1
  const path: Edge[] = []

  /** An input `x` is at most `rate × x + extra` when it arrives here. */
  function step(at: number, rate: number, extra: number, hopsLeft: number): void {
    const held = Number(graph.routerBalances[at]!)
    const next = graph.leaving[at]!.flatMap((edge) => {
      const onward = bounds.rate[hopsLeft - 1]![edge.to]!
      if (used[edge.to] === 1 || onward === 0 || !allowed(edge)) return []
      const { bound: ceiling } = edge
      const a = rate * ceiling.rate
      const b = (extra + held) * ceiling.rate + ceiling.extra
      const rest = wanted - onward * b - bounds.extra[hopsLeft - 1]![edge.to]!
      const least = (rest / (onward * a)) * (1 - 1e-9) - 2
      return [{ edge, a, b, least: Number.isNaN(least) ? Number.POSITIVE_INFINITY : least }]
    })
    next.sort((x, y) => x.least - y.least)
    for (const { edge, a, b, least } of next) {
      if (isHopeless(least)) break
      path.push(edge)
      if (edge.to !== to) {
        used[edge.to] = 1
        if (hopsLeft > 1) step(edge.to, a, b, hopsLeft - 1)
        used[edge.to] = 0
      } else if (query.isComplete(path)) visit(path, least)
      path.pop()
    }
  }
  step(from, 1, 0, limits.maxHops)
}
