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
  /** What an atomic of each denom is worth at the target with `h` hops left. */
  readonly prices: readonly Float64Array[]
  readonly surplus: Float64Array
  bound: number
}

/** Room for a choice of prices; a descent, which looks at hundreds of them, writes into the same two. */
const newPricedBound = (
  { query, edges }: ResidualNetwork,
  prices: PricedBound['prices'] = Array.from(
    { length: query.limits.maxHops + 1 },
    () => new Float64Array(query.graph.denoms.length),
  ),
): PricedBound => ({
  prices,
  surplus: new Float64Array(edges.length),
  bound: Number.POSITIVE_INFINITY,
})

/** Units of work of one edge whose prices are looked at, and of one whose parts are added up. */
const [EDGE, SURPLUS] = [0.15, 0.5]

/** Writes the bound at the prices. Edges whose prices are those of `known` add what they added there. */
function writeBound(
  { query, edges }: ResidualNetwork,
  layers: Layers,
  next: PricedBound,
  input: number,
  known?: PricedBound,
): void {
  const { graph, from, to, limits, budget } = query
  const { prices, surplus } = next
  let fresh = 0
  let bound = prices[limits.maxHops]![from]! * input
  for (const edge of edges) {
    const { id, book, side } = edge
    if (known && isPricedAlike(prices, known.prices, edge)) surplus[id] = known.surplus[id]!
    else {
      fresh += 1
      writeLayers(layers, prices, edge)
      surplus[id] = layers.count > 0 ? surplusOf(supplyBound(book, side), layers) : 0
    }
    bound += surplus[id]!
  }
  budget.spent += edges.length * EDGE + fresh * SURPLUS
  for (const [at, held] of graph.routerBalances.entries())
    if (held > 0n && at !== to) bound += highest(prices, at) * Number(held)
  next.bound = bound
}

function isPricedAlike(
  prices: readonly Float64Array[],
  known: readonly Float64Array[],
  { from, to }: NetworkEdge,
): boolean {
  for (let h = 0; h < prices.length; h += 1)
    if (prices[h]![from] !== known[h]![from] || prices[h]![to] !== known[h]![to]) return false
  return true
}

const highest = (prices: readonly Float64Array[], at: number): number =>
  Math.max(0, ...prices.map((layer) => layer[at]!).filter(Number.isFinite))

/** Above what the flow pays by less than this, a bound is as good as it gets. */
const CLOSE = 1 + 1e-6

/** The first and the last change of a rate that is tried, relative. */
const [WIDEST, NARROWEST] = [4e-3, 1e-6]

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
  const size = network.query.limits.maxHops + 1
  const layers = { worth: new Float64Array(size), price: new Float64Array(size), count: 0 }
  let [base, next] = [newPricedBound(network), newPricedBound(network)]
  const optimum = whole ? undefined : limited()
  const atOptimum = optimum && newPricedBound(network, optimum.prices)
  if (atOptimum !== undefined) writeBound(network, layers, atOptimum, input)
  const best = atOptimum?.bound ?? Number.POSITIVE_INFINITY
  writePrices(network, rates, base.prices)
  writeBound(network, layers, base, input)
  const used = network.edges.filter(({ id }) => flow.used[id]! > 0)
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
        writePrices(network, rates, next.prices)
        writeBound(network, layers, next, input, base)
        if (next.bound < base.bound) [base, next] = [next, base]
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

/** Writes what an atomic of each denom is worth at the target with `h` hops left, at marginal rates. */
function writePrices(
  { query, edges }: ResidualNetwork,
  rates: Float64Array,
  prices: readonly Float64Array[],
): void {
  prices[0]![query.to] = 1
  for (let h = 1; h <= query.limits.maxHops; h += 1) {
    const before = prices[h - 1]!
    const next = prices[h]!
    next.set(before)
    for (const edge of edges) {
      const through = rates[edge.id]! * before[edge.to]!
      if (through > next[edge.from]!) next[edge.from] = through
    }
  }
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
