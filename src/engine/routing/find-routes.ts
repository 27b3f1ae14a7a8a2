import type { Book } from '../market/book.js'
import type { Market } from '../market/market.js'
import { isRefusal, type Refusal, type RefusalReason } from '../market/refusal.js'
import { grossOf, type Hop, payoutOf, quotePath } from '../market/router.js'
import type { Coin } from '../market/token.js'
import type { Edge, Graph } from './graph.js'
import type { PathQuery } from './query.js'
import { type RankedPath, type RejectedPath, rankPaths } from './rank-paths.js'
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
  terms: { readonly slippageBps: number; readonly explain?: boolean },
): RankedRoutes {
  const { slippageBps, explain = false } = terms
  const first = rankPaths(query, input.amount, count, explain)
  const isExplained = explain || first.found.length > 0
  const { found, examined, rejected } = isExplained
    ? first
    : rankPaths(query, input.amount, count, true)
  const { market } = query.graph
  const routes = found.map((path) =>
    finishRoute(market, input, hopsOf(query.graph, path, input), {
      limits: query.limits,
      slippageBps,
    }),
  )
  return { routes, examined, rejected }
}

function hopsOf(graph: Graph, { edges, fills }: RankedPath, input: Coin): readonly Hop[] {
  let amount = input.amount
  return edges.map((edge, i) => {
    const fill = fills[i]!
    const offer = {
      denom: graph.denoms[edge.from]!,
      amount: amount + graph.routerBalances[edge.from]!,
    }
    const output = { denom: graph.denoms[edge.to]!, amount: fill.bought }
    amount = fill.bought
    return { book: edge.book, offer, output, fill }
  })
}

/** The route over exactly these books, or why an execution refuses it. */
export function routeAlong(
  market: Market,
  books: readonly Book[],
  input: Coin,
  terms: { readonly limits: PathQuery['limits']; readonly slippageBps: number },
): Route | Refusal {
  const hops = quotePath(market.router, books, input)
  if (isRefusal(hops)) return hops
  const gross = grossOf(market.router, input, hops)
  const payout = payoutOf(market.router, gross, terms.limits.affiliate)
  if (isRefusal(payout)) return payout
  if (payout.recipient === 0n)
    return { refused: 'zero_output', why: `the fees leave nothing of ${gross}` }
  return finishRoute(market, input, hops, terms)
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

/** Whether any path within the limits leads from one denom to the other, whatever the amount. */
export function isConnected(query: PathQuery): boolean {
  const path: Edge[] = []
  const seen = new Set([query.from])
  const visit = (at: number, hopsLeft: number): boolean =>
    query.graph.leaving[at]!.some((edge) => {
      if (seen.has(edge.to) || !query.isAllowed(edge)) return false
      path.push(edge)
      seen.add(edge.to)
      const found =
        edge.to === query.to ? query.isComplete(path) : hopsLeft > 1 && visit(edge.to, hopsLeft - 1)
      seen.delete(edge.to)
      path.pop()
      return found
    })
  return visit(query.from, query.limits.maxHops)
}
