import { type Flow, forwardGain, lastGain } from './flow.js'
import type { NetworkEdge, ResidualNetwork } from './residual-network.js'
import type { SearchContext } from './search.js'
import { type Layers, supplyBound, surplusOf } from './supply-bound.js'

type BoundContext = Pick<SearchContext, 'network' | 'flow' | 'isOptimal' | 'limited'>

/** Floats are off by less than this, relative. */
const SLACK = 1 + 1e-11

/**
 * An upper bound, in output atomics of the recipient as a float, on every split of an input over
 * paths of at most `maxHops` hops, with any legs in any order: the Lagrangian dual. Each denom with
 * h hops left has a price, each side adds what its parts pay above these prices, and any prices
 * give a valid bound. It is taken at the marginal prices of the flow and, where that is not the
 * optimum within the limits, at those of the optimum within the hop limit: the bound of an optimal
 * flow is its output. `legs` is the largest number of legs, each of which may gain an atomic where
 * the affiliate's fee rounds down.
 */
export function upperBound(context: BoundContext, input: bigint, legs: number): number {
  const { network, flow, isOptimal, limited } = context
  const { graph, to, limits } = network.query
  const optimum = isOptimal ? undefined : limited()
  const gross = Math.min(
    boundAt(network, marginalPrices(network, flow), Number(input)),
    optimum ? boundAt(network, optimum.prices, Number(input)) : Number.POSITIVE_INFINITY,
  )
  return (
    (gross + Number(graph.routerBalances[to]!)) * network.feeFactor * SLACK +
    (limits.affiliate ? legs : 0)
  )
}

/** What an atomic of each denom is worth at the target, by the hops left. */
type Prices = readonly Float64Array[]

/** Units of work of one edge: its prices, and its parts that are added up. */
const EDGE = 0.65

/** The bound at some prices, before the router's fees. */
function boundAt({ query, edges }: ResidualNetwork, prices: Prices, input: number): number {
  const { graph, from, to, limits, budget } = query
  const size = prices.length
  const layers = { worth: new Float64Array(size), price: new Float64Array(size), count: 0 }
  let bound = prices[limits.maxHops]![from]! * input
  for (const edge of edges) {
    writeLayers(layers, prices, edge)
    if (layers.count > 0) bound += surplusOf(supplyBound(edge.book, edge.side), layers)
  }
  budget.spent += edges.length * EDGE
  for (const [at, balance] of graph.routerBalances.entries())
    if (balance > 0n && at !== to) bound += highest(prices, at) * Number(balance)
  return bound
}

const highest = (prices: Prices, at: number): number =>
  Math.max(0, ...prices.map((layer) => layer[at]!).filter(Number.isFinite))

/** Writes the pairs of prices at which an edge may be used, one for each count of hops left behind it. */
function writeLayers(layers: Layers, prices: Prices, { from, to }: NetworkEdge): void {
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

/** The prices at the marginal rates of a flow. */
function marginalPrices(network: ResidualNetwork, flow: Flow): Prices {
  const { query, edges } = network
  const worth = marginalWorth(network, flow)
  const rates = edges.map((edge) => marginalRate(flow, edge, worth))
  const prices = [new Float64Array(query.graph.denoms.length)]
  prices[0]![query.to] = 1
  for (let h = 1; h <= query.limits.maxHops; h += 1) {
    const previous = prices[h - 1]!
    const next = previous.slice()
    for (const { id, from, to } of edges)
      next[from] = Math.max(next[from]!, rates[id]! * previous[to]!)
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
