import { isSpent } from '../routing/query.js'
import type { NetworkEdge, ResidualNetwork } from './residual-network.js'
import { boughtBy, hasPart } from './supply-curve.js'

/**
 * How much of each edge an amount uses when it is divided without limits on legs, hops or atomics: the
 * continuous optimum. `part` counts the parts of an edge's curve that are used up, `inside` is the offer
 * taken by the next one.
 */
export type Flow = {
  readonly part: Int32Array
  readonly inside: Float64Array
  /** Offer that each edge takes in all. */
  readonly used: Float64Array
  /** Placed input. */
  readonly sold: number
  /** Whether a loop was profitable on the way: the flow may then not be the optimum. */
  readonly metLoop: boolean
}

/**
 * A cap: orders that use a market up take hundreds of pushes. 200 loses 10 bps of one demo order in
 * 25.
 */
const MOST_PUSHES = 20_000

/** A label better by less than this is float noise. */
const NOISE = 1 + 1e-12

/**
 * The continuous optimum by successive augmentation: the rest of the input goes along the path of the
 * greatest gain, which may take back what an earlier push placed (a backward arc), until the first
 * part on it is used up. Optimal where no loop is profitable (`metLoop`); elsewhere a good start
 * (docs/maths.md#the-continuous-optimum-of-a-split).
 */
export function bestFlow(network: ResidualNetwork, amount: number): Flow {
  return augmented(network, amount, () => false)
}

/** What an input pays at most when it is divided without limits, before the router's fees. */
export type FlowPoint = { readonly sold: number; readonly paid: number }

/**
 * How the continuous optimum grows with the input, point by point up to the most that finds a place;
 * straight lines between the points. The last one is the most that the network can pay, or the first that
 * pays `enough`.
 */
export function flowCurve(
  network: ResidualNetwork,
  most: number,
  enough = Number.POSITIVE_INFINITY,
): readonly FlowPoint[] {
  const points: FlowPoint[] = [{ sold: 0, paid: 0 }]
  augmented(network, most, (sold, gain) => {
    const before = points[points.length - 1]!
    const paid = before.paid + sold * gain
    points.push({ sold: before.sold + sold, paid })
    return paid >= enough
  })
  return points
}

function augmented(
  network: ResidualNetwork,
  amount: number,
  isEnough: (sold: number, gain: number) => boolean,
): Flow {
  const state = newState(network)
  const { part, inside } = state
  const labels = newLabels(network)
  let sold = 0
  const { budget } = network.query
  for (let pushes = 0; pushes < MOST_PUSHES && sold < amount * (1 - 1e-13); pushes += 1) {
    if (isSpent(budget)) break
    const path = bestAugmentation(network, state, labels)
    if (path === undefined) break
    const size = push(state, path, amount - sold)
    sold += size
    if (isEnough(size, labels.gain[network.query.to]!)) break
  }
  const used = new Float64Array(network.edges.length)
  for (const { id, curve } of network.edges) used[id] = curve.offered[part[id]!]! + inside[id]!
  return { part, inside, used, sold, metLoop: labels.metLoop }
}

/** The output of a flow, before the router's fees. */
export const paidBy = ({ entering, query }: ResidualNetwork, { used }: Flow): number =>
  entering[query.to]!.reduce((sum, { id, curve }) => sum + boughtBy(curve, used[id]!), 0)

type EdgeUse = { readonly part: Int32Array; readonly inside: Float64Array }

/** The use of each edge, with its `forwardGain` and `lastGain`. */
type State = EdgeUse & { readonly forward: Float64Array; readonly last: Float64Array }

/** No edge is used. */
function newState({ edges }: ResidualNetwork): State {
  const state = {
    part: new Int32Array(edges.length),
    inside: new Float64Array(edges.length),
    forward: new Float64Array(edges.length),
    last: new Float64Array(edges.length),
  }
  for (const edge of edges) state.forward[edge.id] = forwardGain(state, edge)
  return state
}

/** What one more atomic of the offer buys on an edge; 0 where it is used up. */
export function forwardGain({ part }: EdgeUse, { id, curve }: NetworkEdge): number {
  const index = part[id]!
  return index < curve.rate.length || hasPart(curve, index) ? curve.rate[index]! : 0
}

/** What the last atomic of the offer bought on an edge; 0 where it is not used. */
export function lastGain({ part, inside }: EdgeUse, { id, curve }: NetworkEdge): number {
  if (inside[id]! > 0) return curve.rate[part[id]!]!
  return part[id]! > 0 ? curve.rate[part[id]! - 1]! : 0
}

/** Edges by the denom that they leave or enter, as ids and the denom at their other end in turn. */
type Adjacency = readonly Int32Array[]

type Labels = {
  readonly leaving: Adjacency
  readonly entering: Adjacency
  /** What one more input atomic becomes at each denom, by the best path found so far. */
  readonly gain: Float64Array
  /** The edge of the last step to each denom, its direction and the denom before. */
  readonly via: Int32Array
  readonly back: Uint8Array
  readonly parent: Int32Array
  readonly queued: Uint8Array
  /** Denoms whose edges have to be followed. */
  readonly queue: Int32Array
  metLoop: boolean
}

function newLabels({ query, leaving, entering }: ResidualNetwork): Labels {
  const size = query.graph.denoms.length
  return {
    leaving: leaving.map((edges) => Int32Array.from(edges.flatMap(({ id, to }) => [id, to]))),
    entering: entering.map((edges) => Int32Array.from(edges.flatMap(({ id, from }) => [id, from]))),
    gain: new Float64Array(size),
    via: new Int32Array(size),
    back: new Uint8Array(size),
    parent: new Int32Array(size),
    queued: new Uint8Array(size),
    queue: new Int32Array(MOST_LABELS * size + 1),
    metLoop: false,
  }
}

type Step = { readonly edge: NetworkEdge; readonly back: boolean }

/** A cap: how often the label of each denom is corrected for one path, on average. */
const MOST_LABELS = 64

/** Units of work of one denom whose edges are followed. */
const LABEL = 0.07

/** The path of the greatest gain through what is left, by labels that are corrected until none rises. */
function bestAugmentation(
  network: ResidualNetwork,
  { forward, last }: State,
  labels: Labels,
): readonly Step[] | undefined {
  const { from, to } = network.query
  const { gain, via, queued, queue } = labels
  for (let denom = 0; denom < gain.length; denom += 1) {
    gain[denom] = 0
    via[denom] = -1
    queued[denom] = 0
  }
  gain[from] = 1
  labels.parent[from] = -1
  queue[0] = from
  let head = 0
  let end = 1
  // Denoms queued beyond the room are not followed.
  for (; head < end && head < queue.length - 1; head += 1) {
    const at = queue[head]!
    queued[at] = 0
    const gainHere = gain[at]!
    const leaving = labels.leaving[at]!
    for (let i = 0; i < leaving.length; i += 2) {
      const gainThrough = gainHere * forward[leaving[i]!]!
      const next = leaving[i + 1]!
      if (!(gainThrough > gain[next]! * NOISE)) continue
      const isToQueue = raise(labels, at, next, leaving[i]!, 0, gainThrough)
      if (isToQueue && next !== to) queue[end++] = next
    }
    const entering = labels.entering[at]!
    for (let i = 0; i < entering.length; i += 2) {
      const rate = last[entering[i]!]!
      const next = entering[i + 1]!
      if (!(rate > 0 && gainHere / rate > gain[next]! * NOISE)) continue
      const isToQueue = raise(labels, at, next, entering[i]!, 1, gainHere / rate)
      if (isToQueue) queue[end++] = next
    }
  }
  network.query.budget.spent += head * LABEL
  return via[to] === -1 ? undefined : trail(network, labels)
}

/** Raises a label, and returns whether its denom has to be queued. */
function raise(
  labels: Labels,
  at: number,
  next: number,
  edge: number,
  backwards: 0 | 1,
  gainThrough: number,
): boolean {
  const { gain, via, back, parent, queued } = labels
  // Where a cycle pays, a label must not rise by running round it. The start ends every row of parents.
  for (let before = at; before !== -1; before = parent[before]!)
    if (before === next) {
      labels.metLoop = true
      return false
    }
  gain[next] = gainThrough
  via[next] = edge
  back[next] = backwards
  parent[next] = at
  if (queued[next] === 1) return false
  queued[next] = 1
  return true
}

function trail({ query, edges }: ResidualNetwork, { via, back, parent }: Labels): readonly Step[] {
  const steps: Step[] = []
  for (let at = query.to; at !== query.from; at = parent[at]!)
    steps.push({ edge: edges[via[at]!]!, back: back[at] === 1 })
  return steps.reverse()
}

/** Pushes along a path until a part on it ends, and returns the input that went. */
function push(state: State, path: readonly Step[], most: number): number {
  const { part, inside } = state
  let size = most
  let tightest = -1
  let gain = 1
  for (let i = 0; i < path.length; i += 1) {
    const { edge, back } = path[i]!
    if (back) openLast(state, edge)
    const { id, curve } = edge
    const rate = curve.rate[part[id]!]!
    const headroom = back ? inside[id]! * rate : curve.cost[part[id]!]! - inside[id]!
    if (headroom / gain < size) {
      size = headroom / gain
      tightest = i
    }
    gain *= back ? 1 / rate : rate
  }
  gain = 1
  for (let i = 0; i < path.length; i += 1) {
    const { edge, back } = path[i]!
    const { id, curve } = edge
    const rate = curve.rate[part[id]!]!
    const flow = size * gain
    gain *= back ? 1 / rate : rate
    const level = back ? inside[id]! - flow / rate : inside[id]! + flow
    if (back) inside[id] = i === tightest ? 0 : Math.max(level, 0)
    else if (i === tightest || level >= curve.cost[part[id]!]!) {
      part[id]! += 1
      inside[id] = 0
    } else inside[id] = level
    state.forward[id] = forwardGain(state, edge)
    state.last[id] = lastGain(state, edge)
  }
  return size
}

/** Makes the last part that an edge used the one that can be taken back from. */
function openLast({ part, inside }: EdgeUse, { id, curve }: NetworkEdge): void {
  if (inside[id]! > 0) return
  part[id]! -= 1
  inside[id] = curve.cost[part[id]!]!
}
