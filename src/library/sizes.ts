import type { Coin, Denom } from '../engine/market/token.js'
import { withShare } from '../engine/routing/query.js'
import { inputFor, routesForOutput } from '../engine/routing/route-size.js'
import { largestOf } from '../engine/splits/size-curve.js'
import { splitFor } from '../engine/splits/split-size.js'
import { DEFAULTS } from '../operations/defaults.js'
import { REQUEST_UNITS } from '../operations/route/search-budget.js'
import {
  checkRequest,
  type Market,
  type QuoteTerms,
  requireAmount,
  requireWhole,
} from './market.js'
import { type Quote, quoteOf } from './quote.js'
import {
  quoterOf,
  type SizeQuote,
  type SizeRequest,
  type Split,
  type SplitOptions,
  sizeQuote,
  splitOf,
  termsOf,
} from './split.js'

/** A swap to quote, for an output: the sum of what the messages demand reaches it. */
export type OutputRequest = QuoteTerms & { readonly input: Denom; readonly output: Coin }

/**
 * Finds a split whose messages demand an output, of the smallest input found; `undefined` where none is found.
 * The answer of `findSplits` for its input may have a better one.
 *
 * @throws SwapError as `findRoutes`
 */
export function findSplitForOutput(
  market: Market,
  request: OutputRequest & SplitOptions,
): Split | undefined {
  const { input, output, affiliate } = request
  const { graph, query, slippageBps } = checkRequest(market, input, output.denom, request)
  requireAmount(output.amount)
  const terms = termsOf(request, slippageBps)
  if (query === undefined) return undefined
  const found = withShare(query.budget, 0.5, () => splitFor(query, input, output.amount, terms))
  return 'split' in found
    ? splitOf(found.split, (route) => quoteOf(graph, route, affiliate))
    : undefined
}

/**
 * Finds the single paths that need the least input for an output, the cheapest first; none where no path
 * pays so much.
 *
 * @throws SwapError as `findRoutes`
 */
export function findRoutesForOutput(
  market: Market,
  request: OutputRequest & {
    /** Routes at most, 1 to 25; 5 by default. */
    readonly limit?: number | undefined
  },
): readonly Quote[] {
  const { input, output, limit = DEFAULTS.routes, affiliate } = request
  const { graph, query, slippageBps } = checkRequest(market, input, output.denom, request)
  requireAmount(output.amount)
  requireWhole('limit', limit, 1, 25)
  if (query === undefined) return []
  const wanted = output.amount
  const found = inputFor(query, wanted, slippageBps)
  if ('largest' in found) return []
  const size = { found, wanted, count: limit }
  const { routes } = routesForOutput(query, size, { slippageBps })
  return routes.map((route) => quoteOf(graph, route, affiliate))
}

/**
 * Finds the largest input within a limit of price impact on a ladder of sizes, then to the atomic: one atomic
 * more is not within it. Impact does not always grow with size, so that a larger one between two sizes of
 * the ladder may be; `undefined` where no size of the ladder is.
 *
 * @param maxImpactBps in basis points, 0 to 10,000
 * @throws SwapError as `findRoutes`
 */
export function largestUnderImpact(
  market: Market,
  request: SizeRequest,
  maxImpactBps: number,
): SizeQuote | undefined {
  requireWhole('maxImpactBps', maxImpactBps, 0, 10_000)
  const { query } = checkRequest(market, request.input, request.output, request)
  if (query === undefined) return undefined
  const terms = { isSplit: request.split ?? false, mostBps: maxImpactBps }
  const found = largestOf(query, terms, (split) =>
    quoterOf(market, { ...request, split }, REQUEST_UNITS),
  )
  return found && sizeQuote({ denom: request.input, amount: found.amount }, found.quoted)
}
