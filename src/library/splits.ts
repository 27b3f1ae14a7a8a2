import { findSplit } from '../engine/splits/find-split.js'
import { checkRequest, type Market, type QuoteRequest, requireAmount } from './market.js'
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

export type { Leg, SizeQuote, SizeRequest, Split, SplitOptions } from './split.js'

/** The splits of an input. */
export type Splits = {
  /**
   * The highest output first, less the cost of gas where it has a price, then the best with fewer legs; none where the
   * market cannot take the amount.
   */
  readonly splits: readonly Split[]
  /** The best path for the whole input, where one takes it. */
  readonly single: Quote | undefined
  /** No split over paths within the limits pays more; `undefined` where none was found. */
  readonly bound: bigint | undefined
  /** Whether the search ended at its budget of work, so that a better split may exist. */
  readonly isCut: boolean
}

/**
 * Finds the best splits of an input over several paths: those that `POST /swap/sroute` answers with on
 * the same block, where it needs no contract's own number.
 *
 * @throws SwapError as `findRoutes`
 */
export function findSplits(market: Market, request: QuoteRequest & SplitOptions): Splits {
  const { input, output, affiliate } = request
  const { graph, query, slippageBps } = checkRequest(market, input.denom, output, request)
  requireAmount(input.amount)
  const terms = termsOf(request, slippageBps)
  if (query === undefined) return NOTHING
  const { splits, single, bound } = findSplit(query, input, terms)
  return {
    splits: splits.map((split) => splitOf(split, (route) => quoteOf(graph, route, affiliate))),
    single: single && quoteOf(graph, single, affiliate),
    bound: splits.length === 0 ? undefined : bound,
    isCut: query.budget.isCut,
  }
}

const NOTHING: Splits = { splits: [], single: undefined, bound: undefined, isCut: false }

/**
 * Computes output and price impact of several inputs, each quoted by itself.
 *
 * @throws SwapError as `findRoutes`
 */
export function quoteSizes(
  market: Market,
  request: SizeRequest,
  amounts: readonly bigint[],
): readonly SizeQuote[] {
  for (const amount of amounts) requireAmount(amount)
  const quote = quoterOf(market, request)
  return amounts.map((amount) => sizeQuote({ denom: request.input, amount }, quote(amount)))
}
