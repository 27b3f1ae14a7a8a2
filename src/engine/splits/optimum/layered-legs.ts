import type { Leg } from '../path-choice.js'
import type { Way } from '../plan.js'
import type { Arc, Field } from '../residual-network.js'
import { boughtBy, offerFor } from '../supply-curve.js'
import type { LayeredFlow } from './hop-limited.js'

/** Shares below this are what the rounding of floats leaves. */
const NOISE = 1e-7

/**
 * Divides a flow within the hop limit into legs that run one after the other on shared books. First
 * along the layers of the flow; legs get the better parts before others, so where one arc is used at
 * two layers a little is left, which goes along any ways within the limit.
 */
export function layeredLegs(field: Field, { used, layered }: LayeredFlow): readonly Leg[] {
  const { maxHops } = field.query.limits
  const taken = new Float64Array(field.arcs.length)
  const left = layered.slice()
  const inAll = ({ id }: Arc) => used[id]! - taken[id]!
  const atLayer = (arc: Arc, layer: number) => Math.min(left[arc.id * maxHops + layer]!, inAll(arc))
  const legs: Leg[] = []
  for (const room of [atLayer, inAll])
    for (let i = 0; i < 2 * layered.length; i += 1) {
      const way = widest(field, used, room)
      if (way === undefined) break
      const amount = fits(way, room, taken)
      legs.push({ way, amount })
      take(way, amount, { used, taken, left, maxHops })
    }
  return merged(legs, legs.reduce((sum, { amount }) => sum + amount, 0) * NOISE)
}

type Room = (arc: Arc, layer: number) => number

/** A way within the limit with something left on every arc, the fullest arc first. */
function widest(field: Field, used: Float64Array, room: Room): Way | undefined {
  const { from, to, limits } = field.query
  const seen = new Set<number>()
  const visit = (at: number, layer: number): Way | undefined => {
    if (at === to) return []
    if (layer === limits.maxHops) return undefined
    seen.add(at)
    const onward = field.leaving[at]!.filter(
      (arc) => room(arc, layer) > used[arc.id]! * NOISE && !seen.has(arc.edge.to),
    ).sort((a, b) => room(b, layer) - room(a, layer))
    for (const arc of onward) {
      const rest = visit(arc.edge.to, layer + 1)
      if (rest !== undefined) return [arc, ...rest]
    }
    seen.delete(at)
    return undefined
  }
  return visit(from, 0)
}

/** The most that goes along a way without any arc taking more than its room. */
function fits(way: Way, room: Room, taken: Float64Array): number {
  let most = Number.POSITIVE_INFINITY
  for (let layer = way.length - 1; layer >= 0; layer -= 1) {
    const arc = way[layer]!
    const before = taken[arc.id]!
    const through =
      most === Number.POSITIVE_INFINITY
        ? most
        : offerFor(arc.lane, boughtBy(arc.lane, before) + most) - before
    most = Math.min(room(arc, layer), through)
  }
  return most
}

type Books = {
  readonly used: Float64Array
  readonly taken: Float64Array
  readonly left: Float64Array
  readonly maxHops: number
}

function take(way: Way, amount: number, { used, taken, left, maxHops }: Books): void {
  let flow = amount
  let tight = false
  for (const [layer, { id, lane }] of way.entries()) {
    const place = id * maxHops + layer
    const noise = used[id]! * NOISE
    const before = taken[id]!
    taken[id] = Math.min(before + flow, used[id]!)
    left[place]! -= flow
    tight ||= used[id]! - taken[id]! <= noise || left[place]! <= noise
    flow = boughtBy(lane, taken[id]!) - boughtBy(lane, before)
  }
  // Floats may leave every arc a hair short: the first one is closed, so that the division ends.
  if (!tight) {
    const { id } = way[0]!
    taken[id] = used[id]!
  }
}

/** Legs over the same way as one, and what is not worth a leg left out. */
function merged(legs: readonly Leg[], least: number): readonly Leg[] {
  const named = new Map<string, Leg>()
  for (const { way, amount } of legs) {
    const name = way.map(({ id }) => id).join('.')
    named.set(name, { way, amount: amount + (named.get(name)?.amount ?? 0) })
  }
  return [...named.values()].filter(({ amount }) => amount > least)
}
