import { isRefusal } from '../market/refusal.js'
import { type Hop, payoutOf, quoteHop } from '../market/router.js'
import type { Coin } from '../market/token.js'
import { type Rational, rational } from '../math/rational.js'
import type { Edge, Graph, OutputBound } from '../routing/graph.js'
import { FLOAT_SLACK, outputBound } from '../routing/output-bound.js'
import { keptShare, type Limits, openLimits } from '../routing/query.js'
import { gasCost } from '../routing/rank-paths.js'
import { finishRoute, type Route } from '../routing/route.js'

/** Parameters of a scan. */
export type ScanTerms = {
  /** Minimum profit less gas, exclusive, in percent of the input. */
  readonly minPercent: Rational
  /** Maximum number of hops of a loop, at least two. */
  readonly maxHops: number
  readonly slippageBps: number
}

/** Profitable circular routes, the greatest share of profit first. */
export type Scan = {
  readonly opportunities: readonly Opportunity[]
  /** The inputs: listed denoms that open books trade. */
  readonly tried: readonly Coin[]
  /** Number of loops that were filled completely. */
  readonly examined: number
}

/**
 * Every loop from the network's whitelisted denoms, each with its fixed amount, that returns more
 * than `minPercent` above its input after all fees and what gas costs. No loop repeats a denom or a book;
 * a loop through several of the denoms is listed once, from the denom with the greatest share of profit.
 * Filled in integers, depth first; a branch ends where an upper bound on its return is too low.
 */
export function scanLoops(graph: Graph, terms: ScanTerms): Scan {
  const best = new Map<string, Opportunity>()
  let examined = 0
  const tried = graph.market.arbs.filter(
    ({ denom, amount }) => graph.indexOf.has(denom) && amount > 0n,
  )
  for (const input of tried) examined += visitLoops(graph, input, terms, best)
  return { opportunities: [...best.values()].sort(byShare), tried, examined }
}

/**
 * A key of a loop independent of its starting denom: its books with their sides, rotated to begin with the
 * smallest.
 */
function loopKey(edges: readonly Edge[]): string {
  const names = edges.map(({ book, side }) => `${book.state.pair.address} ${side}`)
  const rotations = names.map((_, i) => [...names.slice(i), ...names.slice(0, i)].join('\n'))
  return rotations.reduce((a, b) => (b < a ? b : a))
}

type Search = {
  readonly graph: Graph
  readonly input: Coin
  readonly terms: ScanTerms
  readonly limits: Limits
  readonly start: number
  readonly bounds: OutputBound
  readonly feeFactor: number
  /** The minimum return, as a float slightly too low. */
  readonly minimum: number
  readonly visited: Uint8Array
  readonly edges: Edge[]
  readonly hops: Hop[]
  readonly best: Map<string, Opportunity>
  examined: number
}

/** Adds every profitable loop of one input to the best; returns how many were filled. */
function visitLoops(
  graph: Graph,
  input: Coin,
  terms: ScanTerms,
  best: Map<string, Opportunity>,
): number {
  const start = graph.indexOf.get(input.denom)!
  const { numerator, denominator } = terms.minPercent
  const limits = openLimits(terms.maxHops)
  const search: Search = {
    graph,
    input,
    terms,
    limits,
    start,
    best,
    edges: [],
    hops: [],
    examined: 0,
    bounds: outputBound(graph, start, terms.maxHops, undefined),
    feeFactor: keptShare({ graph, limits }),
    minimum:
      (Number(input.amount) * (1 + Number(numerator) / Number(denominator) / 100)) / FLOAT_SLACK,
    visited: new Uint8Array(graph.denoms.length),
  }
  step(search, start, input.amount, terms.maxHops)
  return search.examined
}

function step(search: Search, at: number, amount: bigint, hopsLeft: number): void {
  const { graph, visited, edges, hops, start } = search
  const offer = { denom: graph.denoms[at]!, amount: amount + graph.routerBalances[at]! }
  for (const edge of graph.leaving[at]!) {
    if (visited[edge.to] === 1 || !isPromising(search, edge, Number(offer.amount), hopsLeft))
      continue
    if (edge.to === start && edges.some(({ book }) => book === edge.book)) continue
    const hop = quoteHop(edge.book, offer)
    if (isRefusal(hop)) continue
    edges.push(edge)
    hops.push(hop)
    if (edge.to === start) close(search, hop.output.amount)
    else {
      visited[edge.to] = 1
      step(search, edge.to, hop.output.amount, hopsLeft - 1)
      visited[edge.to] = 0
    }
    hops.pop()
    edges.pop()
  }
}

/** Whether an edge can lead back with enough, by upper bounds for every number of hops. */
function isPromising(
  { bounds, feeFactor: keeps, minimum: bar }: Search,
  { to, bound: ceiling, capacity }: Edge,
  offer: number,
  hopsLeft: number,
): boolean {
  if (offer > capacity) return false
  const rate = bounds.rate[hopsLeft - 1]![to]!
  const returnBound =
    (offer * ceiling.rate + ceiling.extra) * rate + bounds.extra[hopsLeft - 1]![to]!
  return rate > 0 && returnBound * keeps * FLOAT_SLACK + 2 >= bar
}

function close(search: Search, gross: bigint): void {
  const { graph, input, terms, limits, edges, hops, best } = search
  const { market } = graph
  search.examined += 1
  const payout = payoutOf(market.router, gross, undefined)
  if (isRefusal(payout)) return
  const { numerator, denominator } = terms.minPercent
  const profit = payout.recipient - input.amount
  const net = profit - gasCost(graph, input.denom, hops)
  if (net * 100n * denominator <= numerator * input.amount) return
  const { slippageBps } = terms
  const found = {
    route: guardedAgainstLoss(finishRoute(market, input, [...hops], { limits, slippageBps })),
    profit,
    share: rational(profit, input.amount),
    net,
  }
  const loop = loopKey(edges)
  const known = best.get(loop)
  if (known === undefined || byShare(found, known) < 0) best.set(loop, found)
}

/** A profitable circular route. Amounts are atomics of its first and last denom. */
export type Opportunity = {
  /** The loop itself; `minReturn` is at least its input, so that it never executes at a loss. */
  readonly route: Route
  /** The return, after the venues' and the protocol's fees, less the input. */
  readonly profit: bigint
  /** Profit over input. */
  readonly share: Rational
  /** The profit less what gas costs. */
  readonly net: bigint
}

/** The route with a `minReturn` of at least its input. */
export const guardedAgainstLoss = (route: Route): Route =>
  route.minReturn >= route.input.amount ? route : { ...route, minReturn: route.input.amount }

/** Compares by share of profit less gas, descending; ties by path name. */
function byShare(a: Opportunity, b: Opportunity): number {
  const left = a.net * b.route.input.amount
  const right = b.net * a.route.input.amount
  if (left !== right) return left > right ? -1 : 1
  return a.route.id < b.route.id ? -1 : a.route.id > b.route.id ? 1 : 0
}
