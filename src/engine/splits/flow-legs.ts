import type { Flow } from './flow.js'
import type { LayeredFlow } from './optimum/hop-limited.js'
import { type Path, pathKey } from './plan.js'
import type { NetworkEdge, ResidualNetwork } from './residual-network.js'
import { boughtBy, offerFor } from './supply-curve.js'

/** A path with an input amount in atomics, as a flow divides into them. */
export type Leg = { readonly path: Path; readonly amount: number }

/** Shares of the input below this are float noise. */
const NOISE = 1e-9

/** A flow that is divided into legs. */
type Division = {
  /** Offer that each edge takes in the whole flow. */
  readonly used: Float64Array
  /** Offer that the legs so far take of each edge; legs add theirs. */
  readonly taken: Float64Array
  readonly maxHops: number
  /** Share of an edge's offer that counts as nothing. */
  readonly noise: number
  /** Offer that is left for a leg with this edge as hop `layer`. */
  readonly room: (edge: NetworkEdge, layer: number) => number
  /** Called for each hop of a leg. */
  readonly onTaken?: (edge: NetworkEdge, layer: number, offer: number) => void
}

/** Decomposes a flow into legs that run in order on shared books and use exactly what the flow uses. */
export function flowLegs(network: ResidualNetwork, { used, sold }: Flow): readonly Leg[] {
  const taken = new Float64Array(network.edges.length)
  const room = ({ id }: NetworkEdge) => used[id]! - taken[id]!
  const maxHops = Number.POSITIVE_INFINITY
  const legs = takeLegs(network, { used, taken, maxHops, noise: NOISE, room })
  return legs.filter(({ amount }) => amount > sold * NOISE)
}

/**
 * Takes legs from a flow until no path has room. Each leg uses up the room of at least one edge at a layer, so there
 * are at most as many legs as edges at layers.
 */
function takeLegs(network: ResidualNetwork, division: Division): readonly Leg[] {
  const legs: Leg[] = []
  for (;;) {
    const path = widestPath(network, division)
    if (path === undefined) return legs
    const amount = capacityOf(path, division)
    legs.push({ path, amount })
    take(path, amount, division)
  }
}

/** A path within the limit with room on every edge, the edge with most room first. */
function widestPath(
  { query, leaving }: ResidualNetwork,
  { used, room, maxHops, noise }: Division,
): Path | undefined {
  const seen = new Set<number>()
  const visit = (at: number, layer: number): Path | undefined => {
    if (at === query.to) return []
    if (layer === maxHops) return undefined
    seen.add(at)
    const onward = leaving[at]!.filter(
      (edge) => room(edge, layer) > used[edge.id]! * noise && !seen.has(edge.to),
    ).sort((a, b) => room(b, layer) - room(a, layer))
    for (const edge of onward) {
      const rest = visit(edge.to, layer + 1)
      if (rest !== undefined) return [edge, ...rest]
    }
    seen.delete(at)
    return undefined
  }
  return visit(query.from, 0)
}

/** The largest flow along a path for which no edge exceeds its room. */
function capacityOf(path: Path, { room, taken }: Division): number {
  let capacity = Number.POSITIVE_INFINITY
  for (let layer = path.length - 1; layer >= 0; layer -= 1) {
    const edge = path[layer]!
    const before = taken[edge.id]!
    const bought = boughtBy(edge.curve, before)
    const most = room(edge, layer)
    // If all of the room is used, the curve is not read further than the flow needed.
    capacity =
      boughtBy(edge.curve, before + most) - bought <= capacity
        ? most
        : Math.min(most, offerFor(edge.curve, bought + capacity) - before)
  }
  return capacity
}

function take(path: Path, amount: number, { used, taken, room, noise, onTaken }: Division): void {
  let flow = amount
  let isExhausted = false
  for (const [layer, edge] of path.entries()) {
    const { id, curve } = edge
    const before = taken[id]!
    taken[id] = Math.min(before + flow, used[id]!)
    onTaken?.(edge, layer, flow)
    isExhausted ||= room(edge, layer) <= used[id]! * noise
    flow = boughtBy(curve, taken[id]!) - boughtBy(curve, before)
  }
  // Floats may leave every edge a hair short: the first one is closed, so that the legs end.
  if (!isExhausted) taken[path[0]!.id] = used[path[0]!.id]!
}

/** Shares below this are what the rounding of floats leaves. */
const LAYER_NOISE = 1e-7

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
  const left = layered.slice()
  const leftInAll = ({ id }: NetworkEdge) => used[id]! - taken[id]!
  const leftAtLayer = (edge: NetworkEdge, layer: number) =>
    Math.min(left[edge.id * maxHops + layer]!, leftInAll(edge))
  const onTaken = ({ id }: NetworkEdge, layer: number, offer: number) => {
    left[id * maxHops + layer]! -= offer
  }
  const legs = [leftAtLayer, leftInAll].flatMap((room) =>
    takeLegs(network, { used, taken, maxHops, noise: LAYER_NOISE, room, onTaken }),
  )
  return merged(legs, legs.reduce((sum, { amount }) => sum + amount, 0) * LAYER_NOISE)
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
