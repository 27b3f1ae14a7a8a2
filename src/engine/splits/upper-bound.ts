import { isSpent } from '../routing/query.js'
import { type Flow, forwardGain, lastGain, paidBy } from './flow.js'
import type { NetworkEdge, ResidualNetwork } from './residual-network.js'
import type { SearchContext } from './search.js'
import { type Layers, supplyBound, surplusOf } from './supply-bound.js'

type Bounded = Pick<SearchContext, 'network' | 'flow' | 'whole' | 'fits' | 'limited'>

/** Floats are off by less than this, relative. */
const SLACK = 1 + 1e-11

/**
 * An upper bound, in output atomics of the recipient as a float, on every division of an input over
 * paths of at most `maxHops` hops, with any legs in any order: the Lagrangian dual. Each denom with
 * h hops left has a price, each side adds what its parts pay above these prices, and any prices
 * give a valid bound. The prices are the marginal ones of the flow, for which the bound of an
 * optimal flow is its output; `dualDescent` improves them elsewhere. `legs` is the largest number
 * of legs, each of which may gain an atomic where the affiliate's fee rounds down.
 */
export function upperBound(context: Bounded, input: bigint, legs: number): number {
  const { network, flow } = context
  const { graph, to, limits } = network.query
  const worth = marginalWorth(network, flow)
  const rates = Float64Array.from(network.edges, (edge) => marginalRate(flow, edge, worth))
  const gross = dualDescent(context, rates, Number(input))
  return (
    (gross + Number(graph.routerBalances[to]!)) * network.keeps * SLACK +
    (limits.affiliate ? legs : 0)
  )
}

/** What one choice of prices gives, before the router's fees, and what each edge adds to it. */
type PricedBound = {
  readonly prices: readonly Float64Array[]
  readonly surplus: Float64Array
  readonly bound: number
}

/** Units of work of one edge whose prices are looked at, and of one whose parts are added up. */
const [EDGE, SURPLUS] = [0.15, 0.5]

/** The bound at some prices. Arcs whose prices are those of `known` add what they added there. */
function boundAt(
  { query, edges }: Pick<ResidualNetwork, 'query' | 'edges'>,
  prices: readonly Float64Array[],
  input: number,
  known?: PricedBound,
): PricedBound {
  const { graph, from, to, limits, budget } = query
  const isKnown = new Uint8Array(graph.denoms.length)
  if (known !== undefined)
    for (let at = 0; at < isKnown.length; at += 1)
      isKnown[at] = prices.every((layer, h) => layer[at] === known.prices[h]![at]) ? 1 : 0
  let fresh = 0
  const surplus = new Float64Array(edges.length)
  const size = prices.length
  const layers = { worth: new Float64Array(size), price: new Float64Array(size), count: 0 }
  for (const edge of edges) {
    const { id, book, side } = edge
    if (isKnown[edge.from] && isKnown[edge.to]) {
      surplus[id] = known!.surplus[id]!
      continue
    }
    fresh += 1
    writeLayers(layers, prices, edge)
    if (layers.count > 0) surplus[id] = surplusOf(supplyBound(book, side), layers)
  }
  budget.spent += edges.length * EDGE + fresh * SURPLUS
  let bound = prices[limits.maxHops]![from]! * input
  for (const each of surplus) bound += each
  for (const [at, held] of graph.routerBalances.entries())
    if (held > 0n && at !== to) bound += highest(prices, at) * Number(held)
  return { prices, surplus, bound }
}

const highest = (prices: readonly Float64Array[], at: number): number =>
  Math.max(0, ...prices.map((layer) => layer[at]!).filter(Number.isFinite))

/** Above what the flow pays by less than this, a bound is as good as it gets. */
const CLOSE = 1 + 1e-7

/** The first and the last change of a rate that is tried, relative. */
const [WIDEST, NARROWEST] = [4e-3, 1e-7]

/**
 * The lowest bound found: from the prices of the flow, those of the optimum within the hop limit,
 * and coordinate descent on the rates of the used edges. Where the input does not fit, the first
 * bound is used.
 */
function dualDescent(
  { network, flow, whole, fits, limited }: Bounded,
  rates: Float64Array,
  input: number,
): number {
  let base = boundAt(network, layeredPrices(network, rates), input)
  let best = base.bound
  const used = network.edges.filter(({ id }) => flow.used[id]! > 0)
  const optimum = whole ? undefined : limited()
  if (optimum !== undefined) best = Math.min(best, boundAt(network, optimum.prices, input).bound)
  const paid = optimum?.paid ?? paidBy(network, flow)
  for (
    let width = fits ? WIDEST : 0;
    width > NARROWEST && Math.min(best, base.bound) > paid * CLOSE;
    width /= 4
  )
    for (const { id } of used) {
      if (isSpent(network.query.budget)) break
      for (const factor of [1 - width, 1 + width]) {
        const before = rates[id]!
        rates[id] = before * factor
        const next = boundAt(network, layeredPrices(network, rates), input, base)
        if (next.bound < base.bound) base = next
        else rates[id] = before
      }
    }
  return Math.min(best, base.bound)
}

/** Writes the pairs of prices at which an edge may be used, one for each count of hops left behind it. */
function writeLayers(
  layers: Layers,
  prices: readonly Float64Array[],
  { from, to }: NetworkEdge,
): void {
  let count = 0
  for (let h = 1; h < prices.length; h += 1) {
    const worth = prices[h - 1]![to]!
    const price = prices[h]![from]!
    if (!(worth > 0 && price < Number.POSITIVE_INFINITY)) continue
    if (count > 0 && layers.worth[count - 1] === worth && layers.price[count - 1] === price)
      continue
    layers.worth[count] = worth
    layers.price[count] = price
    count += 1
  }
  layers.count = count
}

/** What an atomic of each denom is worth at the target with `h` hops left, at marginal rates. */
function layeredPrices(
  { query, edges }: Pick<ResidualNetwork, 'query' | 'edges'>,
  rates: Float64Array,
): readonly Float64Array[] {
  const start = new Float64Array(query.graph.denoms.length)
  start[query.to] = 1
  const prices = [start]
  for (let h = 1; h <= query.limits.maxHops; h += 1) {
    const before = prices[h - 1]!
    const next = before.slice()
    for (const edge of edges) {
      const through = rates[edge.id]! * before[edge.to]!
      if (through > next[edge.from]!) next[edge.from] = through
    }
    prices.push(next)
  }
  return prices
}

/** What lies between the last atomic that an edge sold and the next one. */
function marginalRate(flow: Flow, edge: NetworkEdge, worth: Float64Array): number {
  const next = forwardGain(flow, edge)
  const last = lastGain(flow, edge)
  if (last <= next) return next
  const ratio = worth[edge.from]! / worth[edge.to]!
  return ratio > next ? Math.min(ratio, last) : next
}

/** What an atomic of each denom would add at the target, moving along the flow's residual edges. */
function marginalWorth(network: ResidualNetwork, flow: Flow): Float64Array {
  const { query, edges } = network
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
    for (const edge of edges) {
      const { from, to } = edge
      raise(from, to, forwardGain(flow, edge) * worth[to]!)
      const last = lastGain(flow, edge)
      if (last > 0) raise(to, from, worth[from]! / last)
    }
  }
  return worth
}
