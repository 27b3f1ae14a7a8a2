import type { Edge } from './graph.js'
import { boundOf, type PathQuery } from './query.js'
import type { SideBound } from './side-bound.js'
import { isSpent } from './work-budget.js'

/** What a visit of paths looks at, and in which order. */
export type PathVisit = {
  /** Output that paths are to pay, before the router's fees; 0 for any. */
  readonly wanted: number
  /** Whether a beginning cannot help that needs at least this input. */
  readonly isHopeless?: (least: number) => boolean
  /** Whether a beginning is worth following, of whose output at most `onward` arrives. Called depth first. */
  readonly canPass: (edges: readonly Edge[], onward: SideBound) => boolean
  /** Edges with a higher value come first; without it those that need less input. */
  readonly value?: (edge: Edge, hopsLeft: number) => number
  /** A whole path, and a lower bound of the input that it needs for `wanted`. */
  readonly visit: (edges: readonly Edge[], least: number) => void
}

/** Units of work of one edge that is looked at. */
const EDGE = 0.3

/** Simple paths of a query, depth first, without filling any, until the query's budget ends. */
export function visitPaths(
  query: PathQuery,
  { wanted, isHopeless = () => false, canPass, value, visit }: PathVisit,
): void {
  const { graph, from, to, limits, isAllowed: allowed } = query
  const bounds = boundOf(query)
  const used = new Uint8Array(graph.denoms.length)
  used[from] = 1
  const path: Edge[] = []

  /** An input `x` is at most `rate × x + extra` when it arrives here. */
  function step(at: number, rate: number, extra: number, hopsLeft: number): void {
    const held = Number(graph.routerBalances[at]!)
    const next = graph.leaving[at]!.flatMap((edge) => {
      const onward = {
        rate: bounds.rate[hopsLeft - 1]![edge.to]!,
        extra: bounds.extra[hopsLeft - 1]![edge.to]!,
      }
      if (used[edge.to] === 1 || onward.rate === 0 || !allowed(edge)) return []
      const { bound: ceiling } = edge
      const a = rate * ceiling.rate
      const b = (extra + held) * ceiling.rate + ceiling.extra
      const rest = wanted - onward.rate * b - onward.extra
      const bound = (rest / (onward.rate * a)) * (1 - 1e-9) - 2
      const least = Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound
      return [{ edge, onward, a, b, least, order: value ? -value(edge, hopsLeft - 1) : least }]
    })
    query.budget.spent += graph.leaving[at]!.length * EDGE
    next.sort((x, y) => x.order - y.order)
    for (const { edge, onward, a, b, least } of next) {
      if (isSpent(query.budget)) break
      if (isHopeless(least)) {
        if (value === undefined) break
        continue
      }
      path.push(edge)
      if (edge.to === to) {
        if (query.isComplete(path) && canPass(path, onward)) visit(path, least)
      } else if (hopsLeft > 1 && canPass(path, onward)) {
        used[edge.to] = 1
        step(edge.to, a, b, hopsLeft - 1)
        used[edge.to] = 0
      }
      path.pop()
    }
  }
  step(from, 1, 0, limits.maxHops)
}
