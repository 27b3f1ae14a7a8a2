import { boundOf, isSpent } from '../routing/query.js'
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
  const left = ({ id }: NetworkEdge) => flow.used[id]! - taken[id]!
  const legs: Leg[] = []
  const seen = new Set<number>()
  const widest = (at: number): Path | undefined => {
    if (at === to) return []
    seen.add(at)
    const onward = leaving[at]!.filter(
      (edge) => left(edge) > flow.used[edge.id]! * NOISE && !seen.has(edge.to),
    ).sort((a, b) => left(b) - left(a))
    for (const edge of onward) {
      const rest = widest(edge.to)
      if (rest !== undefined) return [edge, ...rest]
    }
    seen.delete(at)
    return undefined
  }
  for (let i = 0; i < 2 * edges.length; i += 1) {
    seen.clear()
    const path = widest(from)
    if (path === undefined) break
    const amount = fits(path, left, taken)
    if (amount > flow.sold * NOISE) legs.push({ path, amount })
    take(path, amount, taken, flow.used)
  }
  return legs
}

/** The most that goes along a path without any edge taking more than is left of its plan. */
function fits(path: Path, left: (edge: NetworkEdge) => number, taken: Float64Array): number {
  let room = Number.POSITIVE_INFINITY
  for (const edge of path.toReversed()) {
    const { curve, id } = edge
    const before = taken[id]!
    const bought = boughtBy(curve, before)
    const most = left(edge)
    // If the whole plan is used, the curve is not read further than the flow needed.
    room =
      boughtBy(curve, before + most) - bought <= room
        ? most
        : Math.min(most, offerFor(curve, bought + room) - before)
  }
  return room
}

function take(path: Path, amount: number, taken: Float64Array, used: Float64Array): void {
  let flow = amount
  let tight = false
  for (const { id, curve } of path) {
    const [before, planned] = [taken[id]!, used[id]!]
    const near = planned - before - flow <= planned * NOISE
    const after = near ? planned : before + flow
    tight ||= near
    flow = boughtBy(curve, after) - boughtBy(curve, before)
    taken[id] = after
  }
  // Floats may leave every edge a hair short: the first one is closed, so that the loop ends.
  if (!tight) taken[path[0]!.id] = used[path[0]!.id]!
}

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
  const used = new Uint8Array(graph.denoms.length)
  used[from] = 1
  const found: { readonly path: Path; readonly output: number }[] = []
  const trail: NetworkEdge[] = []
  let bar = 0
  const visit = (at: number, flow: number, hopsLeft: number): void => {
    const onward = bounds.rate[hopsLeft - 1]!
    query.budget.spent += leaving[at]!.length * EDGE
    if (isSpent(query.budget)) return
    for (const edge of leaving[at]!) {
      const { curve } = edge
      if (used[edge.to] === 1 || flow * edge.bound.rate * onward[edge.to]! <= bar) continue
      const output = boughtBy(curve, flow)
      if (!(output * onward[edge.to]! > bar)) continue
      trail.push(edge)
      if (edge.to === to) {
        if (query.isComplete(trail)) {
          insertBest(found, { path: [...trail], output }, count)
          if (found.length === count) bar = found[count - 1]!.output
        }
      } else if (hopsLeft > 1) {
        used[edge.to] = 1
        visit(edge.to, output, hopsLeft - 1)
        used[edge.to] = 0
      }
      trail.pop()
    }
  }
  visit(from, amount, limits.maxHops)
  return found.map(({ path }) => path)
}

/** Inserts an entry into a list sorted by output, the highest first, of which the first `count` are kept. */
export function insertBest<T extends { readonly output: number }>(
  list: T[],
  entry: T,
  count: number,
): void {
  let place = list.length
  while (place > 0 && list[place - 1]!.output < entry.output) place -= 1
  list.splice(place, 0, entry)
  if (list.length > count) list.pop()
}
