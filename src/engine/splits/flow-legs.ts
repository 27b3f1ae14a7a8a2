import type { Flow } from './flow.js'
import type { Path } from './plan.js'
import type { NetworkEdge, ResidualNetwork } from './residual-network.js'
import { boughtBy, offerFor } from './supply-curve.js'

/** A path with an input amount in atomics, as a flow divides into them. */
export type Leg = { readonly path: Path; readonly amount: number }

/** Shares of the input below this are float noise. */
const NOISE = 1e-9

/**
 * Decomposes a flow into legs that run in order on shared books and use exactly what the flow uses.
 * Each leg uses up the planned amount of at least one edge, so there are at most as many legs as
 * edges.
 */
export function flowLegs({ query, edges, leaving }: ResidualNetwork, flow: Flow): readonly Leg[] {
  const { from, to } = query
  const taken = new Float64Array(edges.length)
  const remaining = ({ id }: NetworkEdge) => flow.used[id]! - taken[id]!
  const legs: Leg[] = []
  const seenDenoms = new Set<number>()
  const widestPath = (at: number): Path | undefined => {
    if (at === to) return []
    seenDenoms.add(at)
    const onward = leaving[at]!.filter(
      (edge) => remaining(edge) > flow.used[edge.id]! * NOISE && !seenDenoms.has(edge.to),
    ).sort((a, b) => remaining(b) - remaining(a))
    for (const edge of onward) {
      const rest = widestPath(edge.to)
      if (rest !== undefined) return [edge, ...rest]
    }
    seenDenoms.delete(at)
    return undefined
  }
  for (let i = 0; i < 2 * edges.length; i += 1) {
    seenDenoms.clear()
    const path = widestPath(from)
    if (path === undefined) break
    const amount = capacityOf(path, remaining, taken)
    if (amount > flow.sold * NOISE) legs.push({ path, amount })
    takeFlow(path, amount, taken, flow.used)
  }
  return legs
}

/** The largest flow along a path for which no edge exceeds the rest of its planned flow. */
function capacityOf(
  path: Path,
  remaining: (edge: NetworkEdge) => number,
  taken: Float64Array,
): number {
  let capacity = Number.POSITIVE_INFINITY
  for (const edge of path.toReversed()) {
    const { curve, id } = edge
    const before = taken[id]!
    const bought = boughtBy(curve, before)
    const most = remaining(edge)
    // If the whole plan is used, the curve is not read further than the flow needed.
    capacity =
      boughtBy(curve, before + most) - bought <= capacity
        ? most
        : Math.min(most, offerFor(curve, bought + capacity) - before)
  }
  return capacity
}

function takeFlow(path: Path, amount: number, taken: Float64Array, used: Float64Array): void {
  let flow = amount
  let isExhausted = false
  for (const { id, curve } of path) {
    const [before, planned] = [taken[id]!, used[id]!]
    const isAtLimit = planned - before - flow <= planned * NOISE
    const after = isAtLimit ? planned : before + flow
    isExhausted ||= isAtLimit
    flow = boughtBy(curve, after) - boughtBy(curve, before)
    taken[id] = after
  }
  // Floats may leave every edge a hair short: the first one is closed, so that the loop ends.
  if (!isExhausted) taken[path[0]!.id] = used[path[0]!.id]!
}
