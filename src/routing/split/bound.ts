import type { Arc, Field } from './field.js'
import { type Flow, forwardGain, lastGain } from './flow.js'
import { boughtBy } from './lane.js'
import { stockOf, surplusOf } from './stock.js'

/** Floats are off by less than this, relative. */
const SLACK = 1 + 1e-11

/**
 * No division of an input over paths of at most `max_hops` hops, in whatever order and with whatever
 * legs, pays the recipient more than this: the dual bound. Every atomic at a denom with so many hops
 * left gets a price, each side adds what its parts pay above these prices, and any prices give a bound
 * (algorithms.md 1). The prices are the marginal ones of a flow, so the bound of an optimal flow is what
 * it pays; where it is not, better prices are looked for. `legs` is the most legs there may be: each may
 * gain an atomic where the affiliate's fee rounds down.
 */
export function upperBound(field: Field, flow: Flow, input: bigint, legs: number): number {
  const { graph, to, limits } = field.query
  const worth = marginalWorth(field, flow)
  const rates = Float64Array.from(field.arcs, (arc) => marginalRate(flow, arc, worth))
  const gross = lowered(field, flow, rates, Number(input))
  return (gross + Number(graph.held[to]!)) * field.keeps * SLACK + (limits.affiliate ? legs : 0)
}

/** The bound that one choice of marginal rates gives, before the router's fees. */
function boundAt(
  { query, arcs }: Pick<Field, 'query' | 'arcs'>,
  rates: Float64Array,
  input: number,
): number {
  const { graph, from, to, limits } = query
  const prices = layeredPrices({ query, arcs }, rates)
  let gross = prices[limits.maxHops]![from]! * input
  for (const { edge } of arcs) {
    const layers = layersOf(prices, edge.from, edge.to)
    if (layers.length > 0) gross += surplusOf(stockOf(edge.book, edge.side), layers)
  }
  for (const [at, held] of graph.held.entries())
    if (held > 0n && at !== to)
      gross += Math.max(...prices.map((layer) => layer[at]!)) * Number(held)
  return gross
}

/** Above what the flow pays by less than this, a bound is as good as it gets. */
const CLOSE = 1 + 1e-7

/** The first and the last change of a rate that is tried, relative. */
const [WIDEST, NARROWEST] = [4e-3, 1e-7]

/**
 * The lowest bound found by changing the rates of the arcs that are used, one by one. Where a hop
 * limit binds, or a cycle pays, the flow is not the optimum and its own prices are not the best.
 */
function lowered(field: Field, flow: Flow, rates: Float64Array, input: number): number {
  let best = boundAt(field, rates, input)
  const used = field.arcs.filter(({ id }) => flow.used[id]! > 0)
  const paid = used
    .filter(({ edge }) => edge.to === field.query.to)
    .reduce((sum, { id, lane }) => sum + boughtBy(lane, flow.used[id]!), 0)
  for (let width = WIDEST; width > NARROWEST && best > paid * CLOSE; width /= 4)
    for (const { id } of used)
      for (const factor of [1 - width, 1 + width]) {
        const before = rates[id]!
        rates[id] = before * factor
        const bound = boundAt(field, rates, input)
        if (bound < best) best = bound
        else rates[id] = before
      }
  return best
}

type Layers = readonly (readonly [worth: number, price: number])[]

/** The pairs of prices at which an arc may be used, one for each count of hops left behind it. */
function layersOf(prices: readonly Float64Array[], from: number, to: number): Layers {
  const layers: (readonly [number, number])[] = []
  for (let h = 1; h < prices.length; h += 1) {
    const [worth, price] = [prices[h - 1]![to]!, prices[h]![from]!]
    const last = layers.at(-1)
    if (worth > 0 && (last === undefined || last[0] !== worth || last[1] !== price))
      layers.push([worth, price])
  }
  return layers
}

/** What an atomic of each denom is worth at the target with `h` hops left, at marginal rates. */
function layeredPrices(
  { query, arcs }: Pick<Field, 'query' | 'arcs'>,
  rates: Float64Array,
): readonly Float64Array[] {
  const start = new Float64Array(query.graph.denoms.length)
  start[query.to] = 1
  const prices = [start]
  for (let h = 1; h <= query.limits.maxHops; h += 1) {
    const before = prices[h - 1]!
    const next = before.slice()
    for (const { id, edge } of arcs) {
      const through = rates[id]! * before[edge.to]!
      if (through > next[edge.from]!) next[edge.from] = through
    }
    prices.push(next)
  }
  return prices
}

/** What lies between the last atomic that an arc sold and the next one. */
function marginalRate(flow: Flow, arc: Arc, worth: Float64Array): number {
  const next = forwardGain(flow, arc)
  const last = lastGain(flow, arc)
  if (last <= next) return next
  const ratio = worth[arc.edge.from]! / worth[arc.edge.to]!
  return ratio > next ? Math.min(ratio, last) : next
}

/** What an atomic of each denom would add at the target, moving along the flow's residual arcs. */
function marginalWorth(field: Field, flow: Flow): Float64Array {
  const { query, arcs } = field
  const worth = new Float64Array(query.graph.denoms.length)
  const onward = new Int32Array(worth.length).fill(-1)
  worth[query.to] = 1
  for (let round = 0, risen = true; risen && round < 2 * worth.length; round += 1) {
    risen = false
    const raise = (at: number, next: number, value: number) => {
      if (!(value > worth[at]! * (1 + 1e-13)) || at === query.to) return
      // Where a cycle pays, a price must not rise by running round it.
      for (let after = next; after !== -1; after = onward[after]!) if (after === at) return
      worth[at] = value
      onward[at] = next
      risen = true
    }
    for (const arc of arcs) {
      const { from, to } = arc.edge
      raise(from, to, forwardGain(flow, arc) * worth[to]!)
      const last = lastGain(flow, arc)
      if (last > 0) raise(to, from, worth[from]! / last)
    }
  }
  return worth
}
