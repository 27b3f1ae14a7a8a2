import type { Arc, Field } from './residual-network.js'
import { boughtBy, hasPart } from './supply-curve.js'

/**
 * How much of each arc an amount uses when it is divided without limits on legs, hops or atomics: the
 * continuous optimum. `part` counts the parts of an arc's lane that are used up, `inside` is the offer
 * taken by the next one.
 */
export type Flow = {
  readonly part: Int32Array
  readonly inside: Float64Array
  /** Offer that each arc takes in all. */
  readonly used: Float64Array
  /** Input that found a place. */
  readonly sold: number
}

/** Pushes after which a search gives up: hundreds are usual for orders that use a market up. */
const MOST_PUSHES = 20_000

/** A label better by less than this is float noise. */
const NOISE = 1 + 1e-12

/**
 * The continuous optimum by successive augmentation: the rest of the input goes along the path of the
 * greatest gain, which may take back what an earlier push placed (a backward arc), until the first
 * part on it is used up. Optimal where no loop is profitable; elsewhere a good start
 * (docs/maths.md#the-continuous-optimum-of-a-split).
 */
export function bestFlow(field: Field, amount: number): Flow {
  return augmented(field, amount, () => {})
}

/** What an input pays at most when it is divided without limits, before the router's fees. */
export type FlowPoint = { readonly sold: number; readonly paid: number }

/**
 * How the continuous optimum grows with the input, point by point up to the most that finds a place;
 * straight lines between the points. The last one is the most that the field can pay.
 */
export function flowCurve(field: Field, most: number): readonly FlowPoint[] {
  const points: FlowPoint[] = [{ sold: 0, paid: 0 }]
  augmented(field, most, (sold, gain) => {
    const before = points[points.length - 1]!
    points.push({ sold: before.sold + sold, paid: before.paid + sold * gain })
  })
  return points
}

function augmented(
  field: Field,
  amount: number,
  pushed: (sold: number, gain: number) => void,
): Flow {
  const part = new Int32Array(field.arcs.length)
  const inside = new Float64Array(field.arcs.length)
  const state = { part, inside }
  const labels = newLabels(field)
  let sold = 0
  for (let pushes = 0; pushes < MOST_PUSHES && sold < amount * (1 - 1e-13); pushes += 1) {
    const path = bestAugmentation(field, state, labels)
    if (path === undefined) break
    const size = push(state, path, amount - sold)
    sold += size
    pushed(size, labels.gain[field.query.to]!)
  }
  const used = new Float64Array(field.arcs.length)
  for (const { id, lane } of field.arcs) used[id] = lane.offered[part[id]!]! + inside[id]!
  return { part, inside, used, sold }
}

/** What a flow pays, before the router's fees. */
export const paidBy = ({ entering, query }: Field, { used }: Flow): number =>
  entering[query.to]!.reduce((sum, { id, lane }) => sum + boughtBy(lane, used[id]!), 0)

type State = { readonly part: Int32Array; readonly inside: Float64Array }

/** What one more atomic of the offer buys on an arc; 0 where it is used up. */
export function forwardGain({ part }: State, { id, lane }: Arc): number {
  const index = part[id]!
  return index < lane.rate.length || hasPart(lane, index) ? lane.rate[index]! : 0
}

/** What the last atomic of the offer bought on an arc; 0 where it is not used. */
export function lastGain({ part, inside }: State, { id, lane }: Arc): number {
  if (inside[id]! > 0) return lane.rate[part[id]!]!
  return part[id]! > 0 ? lane.rate[part[id]! - 1]! : 0
}

type Labels = {
  readonly gain: Float64Array
  readonly via: (Arc | undefined)[]
  readonly back: Uint8Array
  readonly parent: Int32Array
  readonly queued: Uint8Array
}

const newLabels = ({ query }: Field): Labels => {
  const size = query.graph.denoms.length
  return {
    gain: new Float64Array(size),
    via: new Array<Arc | undefined>(size),
    back: new Uint8Array(size),
    parent: new Int32Array(size),
    queued: new Uint8Array(size),
  }
}

type Step = { readonly arc: Arc; readonly back: boolean }

/** The path of the greatest gain through what is left, by labels that are corrected until none rises. */
function bestAugmentation(field: Field, state: State, labels: Labels): readonly Step[] | undefined {
  const { from, to } = field.query
  const { gain, via, back, parent, queued } = labels
  gain.fill(0)
  via.fill(undefined)
  queued.fill(0)
  gain[from] = 1
  parent[from] = -1
  const queue = [from]
  const most = 64 * gain.length
  const relax = (at: number, next: number, arc: Arc, through: number, backwards: boolean) => {
    if (next === from || !(through > gain[next]! * NOISE)) return
    // Where a cycle pays, a label must not rise by running round it.
    for (let before = at; before !== -1; before = parent[before]!) if (before === next) return
    gain[next] = through
    via[next] = arc
    back[next] = backwards ? 1 : 0
    parent[next] = at
    if (queued[next] === 1 || next === to) return
    queued[next] = 1
    queue.push(next)
  }
  for (let head = 0; head < queue.length && head < most; head += 1) {
    const at = queue[head]!
    queued[at] = 0
    for (const arc of field.leaving[at]!)
      relax(at, arc.edge.to, arc, gain[at]! * forwardGain(state, arc), false)
    for (const arc of field.entering[at]!) {
      const last = lastGain(state, arc)
      if (last > 0) relax(at, arc.edge.from, arc, gain[at]! / last, true)
    }
  }
  return via[to] && trail(field, labels)
}

function trail({ query }: Field, { via, back, parent }: Labels): readonly Step[] {
  const steps: Step[] = []
  for (let at = query.to; at !== query.from; at = parent[at]!)
    steps.push({ arc: via[at]!, back: back[at] === 1 })
  return steps.reverse()
}

/** Pushes along a path until a part on it ends, and returns the input that went. */
function push(state: State, path: readonly Step[], most: number): number {
  const { part, inside } = state
  let [size, tightest, gain] = [most, -1, 1]
  for (const [i, { arc, back }] of path.entries()) {
    if (back) openLast(state, arc)
    const { id, lane } = arc
    const rate = lane.rate[part[id]!]!
    const room = back ? inside[id]! * rate : lane.cost[part[id]!]! - inside[id]!
    if (room / gain < size) [size, tightest] = [room / gain, i]
    gain *= back ? 1 / rate : rate
  }
  gain = 1
  for (const [i, { arc, back }] of path.entries()) {
    const { id, lane } = arc
    const rate = lane.rate[part[id]!]!
    const flow = size * gain
    gain *= back ? 1 / rate : rate
    const left = back ? inside[id]! - flow / rate : inside[id]! + flow
    if (back) inside[id] = i === tightest ? 0 : Math.max(left, 0)
    else if (i === tightest || left >= lane.cost[part[id]!]!) {
      part[id]! += 1
      inside[id] = 0
    } else inside[id] = left
  }
  return size
}

/** Makes the last part that an arc used the one that can be taken back from. */
function openLast({ part, inside }: State, { id, lane }: Arc): void {
  if (inside[id]! > 0) return
  part[id]! -= 1
  inside[id] = lane.cost[part[id]!]!
}
