import { isRefusal } from '../market/refusal.js'
import { MAX_UINT128 } from '../math/decimal.js'
import { type RankedRoutes, routeAlong, routeOrder } from './find-routes.js'
import type { SizedRoute } from './graph.js'
import { leastGross, smallestOn } from './path-size.js'
import type { PathQuery } from './query.js'
import { rankPaths } from './rank-paths.js'
import { minReturnOf } from './route.js'
import { mostOutput, type PathSize, smallestSize } from './size-limits.js'

/** The result of an exact-out search: the input with a path, or the maximum that any path pays. */
export type ExactOut = PathSize | { readonly largest: SizedRoute | undefined }

/**
 * The smallest input whose `min_return` is at least `wanted`. The best output over all paths drops where a good book
 * ends, so each path is searched separately (docs/maths.md#the-input-for-an-output). A path that cannot beat the best
 * input found is skipped after one evaluation. Where tied makers pay an atomic less for a larger offer
 * (docs/maths.md#laws), the input may be that much above the smallest.
 */
export const inputFor = (query: PathQuery, wanted: bigint, slippageBps: number): ExactOut =>
  smallestSize(query, 1n, wanted, slippageBps) ?? { largest: mostOutput(query) }

/**
 * The routes that need the least input for an output, each quoted for its own input, in `routeOrder`. A path that
 * cannot pay the output is left out. Refused paths are returned with `explain`.
 *
 * @param found what `inputFor` found: its path is always among the routes
 * @param count routes that are returned; twice as many of the best for the input found are sized
 */
export function routesForOutput(
  query: PathQuery,
  {
    found,
    wanted,
    count,
  }: { readonly found: PathSize; readonly wanted: bigint; readonly count: number },
  terms: { readonly slippageBps: number; readonly explain?: boolean },
): RankedRoutes {
  const { slippageBps, explain } = terms
  const { limits } = query
  const { market, denoms } = query.graph
  const range = {
    from: found.amount,
    last: MAX_UINT128,
    gross: leastGross(query, wanted, slippageBps),
  }
  const isEnough = (output: bigint) => minReturnOf(output, slippageBps) >= wanted
  const { found: best, examined, rejected } = rankPaths(query, found.amount, 2 * count, explain)
  const others = best.flatMap(({ edges }): PathSize[] => {
    if (edges.every((edge, i) => edge === found.edges[i])) return []
    const amount = smallestOn(query, edges, range, isEnough)
    return amount === undefined ? [] : [{ amount, edges }]
  })
  const routes = [found, ...others].flatMap(({ edges, amount }) => {
    const books = edges.map(({ book }) => book)
    const input = { denom: denoms[query.from]!, amount }
    const route = routeAlong(market, books, input, { limits, slippageBps })
    return isRefusal(route) ? [] : [route]
  })
  return { routes: routes.sort(routeOrder(query.graph, true)).slice(0, count), examined, rejected }
}
