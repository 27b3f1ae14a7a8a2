import { isRefusal } from '../market/refusal.js'
import { routeAlong } from './find-routes.js'
import type { SizedRoute } from './graph.js'
import { LARGEST, leastGross, smallestOn } from './path-size.js'
import type { Limits, PathQuery } from './query.js'
import { rankPaths } from './rank-paths.js'
import { byCost, minReturnOf, type Route } from './route.js'
import { mostInput, type PathSize, smallestSize } from './size-limits.js'

/** What an exact-out search found: the input with a path, or the most that any path takes. */
export type ExactOut = PathSize | { readonly largest: SizedRoute | undefined }

/**
 * The smallest input whose `min_return` is at least `wanted`. The best output over all paths drops
 * where a good book ends, so each path is searched separately: by bisection on its output, ignoring
 * refusals, then upwards past the refusals. A path that cannot beat the best input found is skipped
 * after one evaluation. Where tied makers pay an atomic less for a larger offer (docs/maths.md#laws),
 * the input may be that much above the smallest.
 */
export const inputFor = (query: PathQuery, wanted: bigint, slippageBps: number): ExactOut =>
  smallestSize(query, 1n, wanted, slippageBps) ?? { largest: mostInput(query) }

/**
 * The routes that need the least input for an output, each quoted for its own input, the cheapest first:
 * for the same input the highest output first, then by id. A path that cannot pay the output is left out.
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
  terms: { readonly limits: Limits; readonly slippageBps: number },
): readonly Route[] {
  const { slippageBps } = terms
  const { market, denoms } = query.graph
  const range = { from: found.amount, last: LARGEST, gross: leastGross(query, wanted, slippageBps) }
  const isEnough = (output: bigint) => minReturnOf(output, slippageBps) >= wanted
  const others = rankPaths(query, found.amount, 2 * count).found.flatMap(
    ({ edges }): PathSize[] => {
      if (edges.every((edge, i) => edge === found.edges[i])) return []
      const amount = smallestOn(query, edges, range, isEnough)
      return amount === undefined ? [] : [{ amount, edges }]
    },
  )
  const routes = [found, ...others].flatMap(({ edges, amount }) => {
    const books = edges.map(({ book }) => book)
    const route = routeAlong(market, books, { denom: denoms[query.from]!, amount }, terms)
    return isRefusal(route) ? [] : [route]
  })
  return routes.sort(byCost).slice(0, count)
}
