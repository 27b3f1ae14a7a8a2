import { isRefusal } from '../market/refusal.js'
import { type Hop, payoutOf, quoteHop } from '../market/router.js'
import type { Coin } from '../market/token.js'
import { type Rational, rational } from '../math/rational.js'
import type { Edge, Graph, OutputBound } from '../routing/graph.js'
import { FLOAT_SLACK, outputBound } from '../routing/output-bound.js'
import { finishRoute, type Route } from '../routing/route.js'

/** Parameters of a scan. */
export type ScanTerms = {
  /** Minimum profit, exclusive, in percent of the input. */
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
 * than `minPercent` above its input after all fees. No loop repeats a denom or a book; a loop
 * through several of the denoms is listed once, from the denom with the greatest share of profit.
 * Filled in integers, depth first; a branch ends where an upper bound on its return is too low.
 */
export function scanLoops(graph: Graph, terms: ScanTerms): Scan {
  const best = new Map<string, Opportunity>()
  let examined = 0
  const inputs = graph.market.arbs.filter(
    ({ denom, amount }) => graph.indexOf.has(denom) && amount > 0n,
  )
  for (const input of inputs) {
    examined += visitLoops(graph, input, terms, (edges, hops) => {
      const limits = { maxHops: terms.maxHops, via: [], exclude: [], affiliate: undefined }
      const { slippageBps } = terms
      const opportunity = opportunityOf(
        finishRoute(graph.market, input, hops, { limits, slippageBps }),
      )
      const loop = loopKey(edges)
      const bestSoFar = best.get(loop)
      if (bestSoFar === undefined || byShare(opportunity, bestSoFar) < 0)
        best.set(loop, opportunity)
    })
  }
  return { opportunities: [...best.values()].sort(byShare), tried: inputs, examined }
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
  readonly start: number
  readonly bounds: OutputBound
  readonly feeFactor: number
  /** The minimum return, as a float slightly too low. */
  readonly minimum: number
  readonly visited: Uint8Array
  readonly edges: Edge[]
  readonly hops: Hop[]
  readonly visit: (edges: readonly Edge[], hops: readonly Hop[]) => void
  examined: number
}

/** Visits every profitable loop of one input; returns how many were filled. */
function visitLoops(
  graph: Graph,
  input: Coin,
  terms: ScanTerms,
  visit: (edges: readonly Edge[], hops: readonly Hop[]) => void,
): number {
  const start = graph.indexOf.get(input.denom)!
  const { numerator, denominator } = terms.minPercent
  const search: Search = {
    ...{ graph, input, terms, start, visit, edges: [], hops: [], examined: 0 },
    bounds: outputBound(graph, start, terms.maxHops, undefined),
    feeFactor: Math.max(0, 1 - Number(graph.market.router.feeBps) / 10_000),
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
  const { graph, input, terms, edges, hops } = search
  search.examined += 1
  const payout = payoutOf(graph.market.router, gross, undefined)
  if (isRefusal(payout) || payout.recipient === 0n) return
  const { numerator, denominator } = terms.minPercent
  const profit = payout.recipient - input.amount
  if (profit * 100n * denominator > numerator * input.amount) search.visit([...edges], [...hops])
}

/** A profitable circular route. Amounts are atomics of its first and last denom. */
export type Opportunity = {
  /** The loop itself; `minReturn` is at least its input, so that it never executes at a loss. */
  readonly route: Route
  readonly input: Coin
  /** The return after the venues' and the protocol's fees. */
  readonly output: bigint
  readonly profit: bigint
  /** Profit over input. */
  readonly share: Rational
}

/** The profit of a circular route. */
function opportunityOf(route: Route): Opportunity {
  const { input, expected } = route
  const profit = expected - input.amount
  return {
    route: guardedAgainstLoss(route),
    input,
    output: expected,
    profit,
    share: rational(profit, input.amount),
  }
}

/** The route with a `minReturn` of at least its input. */
export const guardedAgainstLoss = (route: Route): Route =>
  route.minReturn >= route.input.amount ? route : { ...route, minReturn: route.input.amount }

/** Compares by share of profit, descending; ties by path name. */
function byShare(a: Opportunity, b: Opportunity): number {
  const left = a.share.numerator * b.share.denominator
  const right = b.share.numerator * a.share.denominator
  if (left !== right) return left > right ? -1 : 1
  return a.route.id < b.route.id ? -1 : a.route.id > b.route.id ? 1 : 0
}
