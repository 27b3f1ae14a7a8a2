import type { Book } from '../market/book.js'
import type { Market } from '../market/market.js'
import { isRefusal, type Refusal, type RefusalReason } from '../market/refusal.js'
import { grossOf, payoutOf, quotePath } from '../market/router.js'
import type { Coin } from '../market/token.js'
import type { Edge, Graph } from './graph.js'
import { boundOf, isSpent, type PathQuery } from './query.js'
import { gasCost, type RejectedPath, rankPaths } from './rank-paths.js'
import { finishRoute, type Route } from './route.js'

/** The routes of one amount, best first, with statistics of the search. */
export type RankedRoutes = {
  readonly routes: readonly Route[]
  readonly examined: number
  readonly rejected: readonly RejectedPath[]
}

/**
 * The `count` best routes for an input, exactly. Refused paths are returned with `explain`, and
 * always when nothing was found.
 */
export function findRoutes(
  query: PathQuery,
  input: Coin,
  count: number,
  { slippageBps, explain = false }: { readonly slippageBps: number; readonly explain?: boolean },
): RankedRoutes {
  const first = rankPaths(query, input.amount, count, explain)
  const isExplained = explain || first.found.length > 0
  const { found, examined, rejected } = isExplained
    ? first
    : rankPaths(query, input.amount, count, true)
  const terms = { limits: query.limits, slippageBps }
  const routes = found.map(({ hops }) => finishRoute(query.graph.market, input, hops, terms))
  return { routes, examined, rejected }
}

/**
 * The order of routes: for an output the smallest input first, with what gas costs; then, and for an input, the
 * highest output less gas; then by id.
 */
export function routeOrder(graph: Graph, isForOutput: boolean) {
  const costOf = ({ input, hops }: Route) =>
    isForOutput ? input.amount + gasCost(graph, input.denom, hops) : 0n
  return (a: Route, b: Route): number =>
    Number(costOf(a) - costOf(b)) ||
    Number(netOf(graph, b) - netOf(graph, a)) ||
    (a.id < b.id ? -1 : 1)
}

/** What a route pays less what its gas costs, in output atomics. */
export const netOf = (graph: Graph, { output, expected, hops }: Route): bigint =>
  expected - gasCost(graph, output, hops)

/** The route over exactly these books, or why an execution refuses it. */
export function routeAlong(
  market: Market,
  books: readonly Book[],
  input: Coin,
  terms: { readonly limits: PathQuery['limits']; readonly slippageBps: number },
): Route | Refusal {
  const hops = quotePath(market.router, books, input)
  if (isRefusal(hops)) return hops
  const gross = grossOf(market.router, hops)
  const payout = payoutOf(market.router, gross, terms.limits.affiliate)
  return isRefusal(payout) ? payout : finishRoute(market, input, hops, terms)
}

/** Reasons with their counts, the most frequent first. */
export function reasonsOf(
  rejected: readonly RejectedPath[],
): readonly (readonly [RefusalReason, number])[] {
  const counts = new Map<RefusalReason, number>()
  for (const { refusal } of rejected)
    counts.set(refusal.refused, (counts.get(refusal.refused) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
}

/** Units of work of one edge that is looked at. */
const EDGE = 0.3

/**
 * Whether any path within the limits leads from one denom to the other, whatever the amount; also true where the
 * budget ends before that is known.
 */
export function isConnected(query: PathQuery): boolean {
  const { graph, from, to, limits, budget } = query
  const { leadsToTarget } = boundOf(query)
  // The shortest walk repeats no denom.
  if (limits.via.length === 0) return leadsToTarget[limits.maxHops]![from] === 1
  const path: Edge[] = []
  const seen = new Set([from])
  const visit = (at: number, hopsLeft: number): boolean => {
    budget.spent += graph.leaving[at]!.length * EDGE
    if (isSpent(budget)) return true
    return graph.leaving[at]!.some((edge) => {
      const leads = leadsToTarget[hopsLeft - 1]![edge.to] === 1
      if (!leads || seen.has(edge.to) || !query.isAllowed(edge)) return false
      path.push(edge)
      seen.add(edge.to)
      const found = edge.to === to ? query.isComplete(path) : visit(edge.to, hopsLeft - 1)
      seen.delete(edge.to)
      path.pop()
      return found
    })
  }
  return visit(from, limits.maxHops)
}
