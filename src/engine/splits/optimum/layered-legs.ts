import type { Leg } from '../flow-legs.js'
import { type Path, pathKey } from '../plan.js'
import type { NetworkEdge, ResidualNetwork } from '../residual-network.js'
import { boughtBy, offerFor } from '../supply-curve.js'
import type { LayeredFlow } from './hop-limited.js'

/** Shares below this are what the rounding of floats leaves. */
const NOISE = 1e-7

/**
 * Divides a flow within the hop limit into legs that run one after the other on shared books. First
 * along the layers of the flow; legs get the better parts before others, so where one edge is used at
 * two layers a little is left, which goes along any paths within the limit.
 */
export function layeredLegs(
  network: ResidualNetwork,
  { used, layered }: LayeredFlow,
): readonly Leg[] {
  const { maxHops } = network.query.limits
  const taken = new Float64Array(network.edges.length)
  const remaining = layered.slice()
  const remainingInAll = ({ id }: NetworkEdge) => used[id]! - taken[id]!
  const atLayer = (edge: NetworkEdge, layer: number) =>
    Math.min(remaining[edge.id * maxHops + layer]!, remainingInAll(edge))
  const legs: Leg[] = []
  for (const room of [atLayer, remainingInAll])
    for (let i = 0; i < 2 * layered.length; i += 1) {
      const path = widestPath(network, used, room)
      if (path === undefined) break
      const amount = capacityOf(path, room, taken)
      legs.push({ path, amount })
      takeFlow(path, amount, { used, taken, left: remaining, maxHops })
    }
  return merged(legs, legs.reduce((sum, { amount }) => sum + amount, 0) * NOISE)
}

type RemainingCapacity = (edge: NetworkEdge, layer: number) => number

/** A path within the limit with something left on every edge, the fullest edge first. */
function widestPath(
  network: ResidualNetwork,
  used: Float64Array,
  remaining: RemainingCapacity,
): Path | undefined {
  const { from, to, limits } = network.query
  const seen = new Set<number>()
  const visit = (at: number, layer: number): Path | undefined => {
    if (at === to) return []
    if (layer === limits.maxHops) return undefined
    seen.add(at)
    const onward = network.leaving[at]!.filter(
      (edge) => remaining(edge, layer) > used[edge.id]! * NOISE && !seen.has(edge.to),
    ).sort((a, b) => remaining(b, layer) - remaining(a, layer))
    for (const edge of onward) {
      const rest = visit(edge.to, layer + 1)
      if (rest !== undefined) return [edge, ...rest]
    }
    seen.delete(at)
    return undefined
  }
  return visit(from, 0)
}

/** The largest flow along a path for which no edge exceeds its remaining capacity. */
function capacityOf(path: Path, remaining: RemainingCapacity, taken: Float64Array): number {
  let most = Number.POSITIVE_INFINITY
  for (let layer = path.length - 1; layer >= 0; layer -= 1) {
    const edge = path[layer]!
    const before = taken[edge.id]!
    const through =
      most === Number.POSITIVE_INFINITY
        ? most
        : offerFor(edge.curve, boughtBy(edge.curve, before) + most) - before
    most = Math.min(remaining(edge, layer), through)
  }
  return most
}

type RemainingFlow = {
  readonly used: Float64Array
  readonly taken: Float64Array
  readonly left: Float64Array
  readonly maxHops: number
}

function takeFlow(path: Path, amount: number, { used, taken, left, maxHops }: RemainingFlow): void {
  let flow = amount
  let isExhausted = false
  for (const [layer, { id, curve }] of path.entries()) {
    const place = id * maxHops + layer
    const noise = used[id]! * NOISE
    const before = taken[id]!
    taken[id] = Math.min(before + flow, used[id]!)
    left[place]! -= flow
    isExhausted ||= used[id]! - taken[id]! <= noise || left[place]! <= noise
    flow = boughtBy(curve, taken[id]!) - boughtBy(curve, before)
  }
  // Floats may leave every edge a hair short: the first one is closed, so that the loop ends.
  if (!isExhausted) {
    const { id } = path[0]!
    taken[id] = used[id]!
  }
}

/** Legs over the same path as one, and what is not worth a leg left out. */
function merged(legs: readonly Leg[], least: number): readonly Leg[] {
  const byKey = new Map<string, Leg>()
  for (const { path, amount } of legs) {
    const key = pathKey(path)
    byKey.set(key, { path, amount: amount + (byKey.get(key)?.amount ?? 0) })
  }
  return [...byKey.values()].filter(({ amount }) => amount > least)
}
