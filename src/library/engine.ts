import { scanLoops } from '../engine/arbitrage/scan.js'
import { SwapError } from '../engine/errors.js'
import { isRefusal, type RefusalReason } from '../engine/market/refusal.js'
import type { Coin } from '../engine/market/token.js'
import { rational, toPercent } from '../engine/math/rational.js'
import { formatUnits, MAX_DECIMALS, readTypedAmount } from '../engine/math/units.js'
import { findRoutes as rankedRoutes, reasonsOf, routeAlong } from '../engine/routing/find-routes.js'
import { openLimits } from '../engine/routing/query.js'
import { DEFAULTS, MOST_HOPS, SLIPPAGES } from '../operations/defaults.js'
import { requestBudget } from '../operations/route/search-budget.js'
import {
  affiliateOf,
  checkRequest,
  graphOfMarket,
  type Market,
  type QuoteRequest,
  type QuoteTerms,
  requireAmount,
  requireTokens,
  requireWhole,
} from './market.js'
import { type Quote, quoteOf } from './quote.js'

export type { ErrorCode } from '../engine/errors.js'
export { SwapError } from '../engine/errors.js'
export type { RefusalReason } from '../engine/market/refusal.js'
export type { Coin, Denom, Token } from '../engine/market/token.js'
export type { RouterMessage } from '../engine/routing/message.js'
export type { Market, Pair, QuoteRequest, QuoteTerms } from './market.js'
export { readMarket } from './market.js'
export type { Hop, Quote } from './quote.js'

/** The best single paths of a swap. */
export type Routes = {
  /**
   * Best first: the highest output, or the smallest input for a given output, where gas has a price together with its
   * cost.
   */
  readonly routes: readonly Quote[]
  /** Why paths were refused and how often, the most frequent first; only where no route was found. */
  readonly refusals: readonly (readonly [RefusalReason, number])[]
  /** Whether the search ended at its budget of work, so that a better path may exist. */
  readonly isCut: boolean
}

/**
 * Finds the best single paths for an input, ranked by their exact outputs: the routes that
 * `POST /swap/route` answers with on the same block, where it needs no contract's own number. None if no open
 * pair trades one of the tokens.
 *
 * @throws SwapError UNKNOWN_TOKEN (also in `via` and `exclude`), SAME_TOKEN, INVALID_AMOUNT, INVALID_AFFILIATE,
 * INVALID_REQUEST; TypeError for a market that `readMarket` did not return
 */
export function findRoutes(
  market: Market,
  request: QuoteRequest & {
    /** Routes at most, 1 to 25; 5 by default. */
    readonly limit?: number | undefined
  },
): Routes {
  const { input, output, limit = DEFAULTS.routes, affiliate } = request
  const { graph, query, slippageBps } = checkRequest(market, input.denom, output, request)
  requireAmount(input.amount)
  requireWhole('limit', limit, 1, 25)
  if (query === undefined) return { routes: [], refusals: [], isCut: false }
  const { routes, rejected } = rankedRoutes(query, input, limit, { slippageBps })
  return {
    routes: routes.map((route) => quoteOf(graph, route, affiliate)),
    refusals: routes.length > 0 ? [] : reasonsOf(rejected),
    isCut: query.budget.isCut,
  }
}

/** A path that cannot be executed, and the reason. */
export type RefusedPath = { readonly refused: RefusalReason; readonly why: string }

/**
 * Quotes exactly one path.
 *
 * @param pairs addresses of the pairs, in order of execution
 * @throws SwapError MARKET_HALTED for a halted pair, NOT_FOUND for any other that is not open, INVALID_REQUEST
 * for pairs that do not connect; otherwise as `findRoutes`
 */
export function quotePath(
  market: Market,
  pairs: readonly string[],
  input: Coin,
  terms: Pick<QuoteTerms, 'slippageBps' | 'affiliate'> = {},
): Quote | RefusedPath {
  const graph = graphOfMarket(market)
  requireAmount(input.amount)
  const { slippageBps = DEFAULTS.slippageBps, affiliate: code } = terms
  requireWhole('slippageBps', slippageBps, ...SLIPPAGES)
  requireTokens(graph, [input.denom])
  const books = pairs.map((address) => {
    const book = graph.market.books.get(address)
    if (book !== undefined) return book
    const excluded = graph.market.excluded.find((pair) => pair.address === address)
    const code = excluded?.status === 'halted' ? 'MARKET_HALTED' : 'NOT_FOUND'
    throw new SwapError(
      code,
      `${address} is not an open pair`,
      excluded && { why: excluded.reason },
    )
  })
  if (books.length === 0) throw new SwapError('INVALID_REQUEST', 'a path has at least one pair')
  const affiliate = affiliateOf(graph, code)
  const limits = openLimits(books.length, affiliate)
  const route = routeAlong(graph.market, books, input, { limits, slippageBps })
  if (!isRefusal(route)) return quoteOf(graph, route, code)
  const { refused, why } = route
  if (refused === 'invalid_denom')
    throw new SwapError('INVALID_REQUEST', 'the pairs do not connect', { why })
  return { refused, why }
}

/** A profitable circular path. Amounts are atomics of its first and last denom. */
export type ArbitrageLoop = {
  /** `minReturn` is at least the input: it never executes at a loss. */
  readonly quote: Quote
  readonly profit: bigint
  /** Of the input, two decimals, half up. */
  readonly profitPercent: number
}

/** The profitable loops of a market. */
export type ArbitrageLoops = {
  /** The greatest share of profit first. */
  readonly loops: readonly ArbitrageLoop[]
  /** Whether the search ended at its budget of work, so that further loops may be profitable. */
  readonly isCut: boolean
}

/**
 * Finds the loops that are profitable after all fees, from the network's listed denoms and amounts. The most promising
 * are searched first.
 *
 * @param terms `maxHops` is 2 to 6
 * @throws SwapError INVALID_REQUEST
 */
export function findArbitrageLoops(
  market: Market,
  terms: Pick<QuoteTerms, 'maxHops' | 'slippageBps'> = {},
): ArbitrageLoops {
  const graph = graphOfMarket(market)
  const { maxHops = DEFAULTS.maxHops, slippageBps = DEFAULTS.slippageBps } = terms
  requireWhole('maxHops', maxHops, 2, MOST_HOPS)
  requireWhole('slippageBps', slippageBps, ...SLIPPAGES)
  const budget = requestBudget()
  const minPercent = rational(0n, 1n)
  const { opportunities } = scanLoops(graph, { minPercent, maxHops, slippageBps }, budget)
  const loops = opportunities.map(({ route, profit, share }) => ({
    quote: quoteOf(graph, route, undefined),
    profit,
    profitPercent: toPercent(share),
  }))
  return { loops, isCut: budget.isCut }
}

/**
 * Reads an amount in whole units: digits, at most `decimals` of them after a point, and `_` between digits.
 *
 * @example parseAmount('1.5', 8) === 150_000_000n
 * @throws SwapError INVALID_AMOUNT; INVALID_REQUEST for decimals that are no whole number up to 38
 */
export function parseAmount(text: string, decimals: number): bigint {
  requireWhole('decimals', decimals, 0, MAX_DECIMALS)
  const read = typeof text === 'string' ? readTypedAmount(text, decimals) : undefined
  if (read?.kind === 'amount') return read.atomics
  throw new SwapError('INVALID_AMOUNT', `"${`${text}`.slice(0, 48)}" is not an amount`, {
    why: `an amount is text of digits, at most ${decimals} after the point, above zero and below 2^128 atomics`,
  })
}

/**
 * Atomics in whole units, with every digit and without trailing zeros.
 *
 * @example formatAmount(150_000_000n, 8) === '1.5'
 * @throws SwapError INVALID_AMOUNT for anything but a bigint; INVALID_REQUEST for decimals that are no whole
 * number up to 38
 */
export function formatAmount(amount: bigint, decimals: number): string {
  requireWhole('decimals', decimals, 0, MAX_DECIMALS)
  if (typeof amount !== 'bigint')
    throw new SwapError('INVALID_AMOUNT', `${amount} is not an amount`, {
      why: 'it is not a bigint',
    })
  return formatUnits(amount, decimals)
}
