import { type Leg, takeLegs } from '../flow-legs.js'
import { pathKey } from '../plan.js'
import type { NetworkEdge, ResidualNetwork } from '../residual-network.js'
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
  const left = layered.slice()
  const leftInAll = ({ id }: NetworkEdge) => used[id]! - taken[id]!
  const leftAtLayer = (edge: NetworkEdge, layer: number) =>
    Math.min(left[edge.id * maxHops + layer]!, leftInAll(edge))
  const onTaken = ({ id }: NetworkEdge, layer: number, offer: number) => {
    left[id * maxHops + layer]! -= offer
  }
  const legs = [leftAtLayer, leftInAll].flatMap((room) =>
    takeLegs(network, { used, taken, maxHops, noise: NOISE, room, onTaken }),
  )
  return merged(legs, legs.reduce((sum, { amount }) => sum + amount, 0) * NOISE)
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
