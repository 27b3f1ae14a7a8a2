import { boundOf, isSpent } from '../routing/query.js'
import { insertBest } from '../routing/rank-paths.js'
import type { Path } from './plan.js'
import type { NetworkEdge, ResidualNetwork } from './residual-network.js'
import { boughtBy } from './supply-curve.js'

/** Units of work of one edge that is looked at. */
const EDGE = 0.05

/** The paths that pay most for one amount on untouched books, best first, at most `count`. */
export function bestPaths(
  network: ResidualNetwork,
  amount: number,
  count: number,
): readonly Path[] {
  const { query, leaving } = network
  const { graph, from, to, limits } = query
  const bounds = boundOf(query)
  const visited = new Uint8Array(graph.denoms.length)
  visited[from] = 1
  const candidates: { readonly path: Path; readonly output: number }[] = []
  const trail: NetworkEdge[] = []
  let minimum = 0
  const visit = (at: number, flow: number, hopsLeft: number): void => {
    const onward = bounds.rate[hopsLeft - 1]!
    query.budget.spent += leaving[at]!.length * EDGE
    if (isSpent(query.budget)) return
    for (const edge of leaving[at]!) {
      const { curve } = edge
      if (visited[edge.to] === 1 || flow * edge.bound.rate * onward[edge.to]! <= minimum) continue
      const output = boughtBy(curve, flow)
      if (!(output * onward[edge.to]! > minimum)) continue
      trail.push(edge)
      if (edge.to === to) {
        if (query.isComplete(trail)) {
          insertBest(candidates, { path: [...trail], output }, count)
          if (candidates.length === count) minimum = candidates[count - 1]!.output
        }
      } else if (hopsLeft > 1) {
        visited[edge.to] = 1
        visit(edge.to, output, hopsLeft - 1)
        visited[edge.to] = 0
      }
      trail.pop()
    }
  }
  visit(from, amount, limits.maxHops)
  return candidates.map(({ path }) => path)
}
