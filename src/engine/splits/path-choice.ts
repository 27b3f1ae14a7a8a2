import { reachTo } from '../routing/output-bound.js'
import type { Flow } from './flow.js'
import type { Way } from './plan.js'
import type { Arc, Field } from './residual-network.js'
import { boughtBy, offerFor } from './supply-curve.js'

/** A way with an amount, as a flow divides into them. */
export type Leg = { readonly way: Way; readonly amount: number }

/** Shares of the input below this are float noise. */
const NOISE = 1e-9

/**
 * Divides a flow into legs that run one after the other on shared books and use exactly what the flow
 * uses: each takes as much as fits the plan of every arc on its way, so each uses up one of them.
 */
export function legsOf({ query, arcs, leaving }: Field, flow: Flow): readonly Leg[] {
  const { from, to } = query
  const taken = new Float64Array(arcs.length)
  const left = ({ id }: Arc) => flow.used[id]! - taken[id]!
  const legs: Leg[] = []
  const seen = new Set<number>()
  const widest = (at: number): Way | undefined => {
    if (at === to) return []
    seen.add(at)
    const onward = leaving[at]!.filter(
      (arc) => left(arc) > flow.used[arc.id]! * NOISE && !seen.has(arc.edge.to),
    ).sort((a, b) => left(b) - left(a))
    for (const arc of onward) {
      const rest = widest(arc.edge.to)
      if (rest !== undefined) return [arc, ...rest]
    }
    seen.delete(at)
    return undefined
  }
  for (let i = 0; i < 2 * arcs.length; i += 1) {
    seen.clear()
    const way = widest(from)
    if (way === undefined) break
    const amount = fits(way, left, taken)
    if (amount > flow.sold * NOISE) legs.push({ way, amount })
    take(way, amount, taken, flow.used)
  }
  return legs
}

/** The most that goes along a way without any arc taking more than is left of its plan. */
function fits(way: Way, left: (arc: Arc) => number, taken: Float64Array): number {
  let room = Number.POSITIVE_INFINITY
  for (const arc of way.toReversed()) {
    const { lane, id } = arc
    const before = taken[id]!
    const inverse =
      room === Number.POSITIVE_INFINITY
        ? room
        : offerFor(lane, boughtBy(lane, before) + room) - before
    room = Math.min(left(arc), inverse)
  }
  return room
}

function take(way: Way, amount: number, taken: Float64Array, used: Float64Array): void {
  let flow = amount
  let tight = false
  for (const { id, lane } of way) {
    const [before, planned] = [taken[id]!, used[id]!]
    const near = planned - before - flow <= planned * NOISE
    const after = near ? planned : before + flow
    tight ||= near
    flow = boughtBy(lane, after) - boughtBy(lane, before)
    taken[id] = after
  }
  // Floats may leave every arc a hair short: the first one is closed, so that the division ends.
  if (!tight) taken[way[0]!.id] = used[way[0]!.id]!
}

/** The ways that pay most for one unit on untouched books, best first, at most `count` of them. */
export function bestWays(field: Field, amount: number, count: number): readonly Way[] {
  const { query, leaving } = field
  const { graph, from, to, limits, allowed } = query
  const reach = reachTo(graph, to, limits.maxHops, limits.exclude.length ? allowed : undefined)
  const used = new Uint8Array(graph.denoms.length)
  used[from] = 1
  const found: { readonly way: Way; readonly output: number }[] = []
  const trail: Arc[] = []
  let bar = 0
  const visit = (at: number, flow: number, hopsLeft: number): void => {
    const onward = reach.rate[hopsLeft - 1]!
    for (const arc of leaving[at]!) {
      const { edge, lane } = arc
      if (used[edge.to] === 1 || flow * edge.ceiling.rate * onward[edge.to]! <= bar) continue
      const output = boughtBy(lane, flow)
      if (!(output * onward[edge.to]! > bar)) continue
      trail.push(arc)
      if (edge.to === to) {
        if (query.complete(trail.map((each) => each.edge))) {
          insert(found, { way: [...trail], output }, count)
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
  return found.map(({ way }) => way)
}

function insert<T extends { readonly output: number }>(list: T[], entry: T, count: number): void {
  let place = list.length
  while (place > 0 && list[place - 1]!.output < entry.output) place -= 1
  list.splice(place, 0, entry)
  if (list.length > count) list.pop()
}
