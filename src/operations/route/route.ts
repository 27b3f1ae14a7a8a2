import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Coin } from '../../engine/market/token.js'
import { ceilDiv } from '../../engine/math/decimal.js'
import {
  findRoutes,
  type RankedRoutes,
  routeAlong,
  routeOrder,
} from '../../engine/routing/find-routes.js'
import { type Limits, type WorkBudget, withShare, withUnits } from '../../engine/routing/query.js'
import { minReturnOf } from '../../engine/routing/route.js'
import { inputFor, routesForOutput } from '../../engine/routing/route-size.js'
import { formatCoin } from '../amount.js'
import {
  contractsOf,
  type MarketView,
  NeedsWorker,
  type OperationContext,
  requireContracts,
} from '../context.js'
import { DEFAULTS } from '../defaults.js'
import { coinDocument, displayMembers, marketHead } from '../document-parts.js'
import {
  memberConflict,
  ORDER_PAYS_SIGNER,
  readAmounts,
  readSlippage,
  requireNoSearch,
  requireOneAmount,
} from '../request-values.js'
import { withAutoSlippage } from './auto-slippage.js'
import { confirmRoutes } from './confirm-routes.js'
import { directOrder } from './direct-order.js'
import { explain } from './explain.js'
import { booksOf } from './given-path.js'
import { applyGuards } from './guards.js'
import { noRoute, outputTooLarge, pathRefused } from './no-route.js'
import type { RouteAnswer } from './route-documents.js'
import type { RouteRequest } from './route-request.js'
import {
  completeInline,
  cutMember,
  markCut,
  REFUSAL_UNITS,
  requestBudget,
} from './search-budget.js'
import { readLimits, requireTokens, searchBetween } from './search-request.js'
import { verify } from './verify.js'
import { routeDocument } from './write-route.js'

/** A parsed request: defaults filled in, amounts as integers, names checked. */
type Order = {
  readonly view: MarketView
  readonly request: RouteRequest
  readonly amount: bigint | undefined
  readonly outputAmount: bigint | undefined
  readonly slippageBps: number
  readonly count: number
  readonly limits: Limits
  readonly budget: WorkBudget
}

/**
 * The best single paths for one swap. Only opening the market is asynchronous. External bodies are parsed
 * with `readRouteRequest` first.
 */
export const route = (context: OperationContext, request: RouteRequest): Promise<RouteAnswer> =>
  withAutoSlippage(context, request, (fixed) => quoteRoute(context, fixed))

async function quoteRoute(context: OperationContext, request: RouteRequest): Promise<RouteAnswer> {
  requireOneAmount(request)
  if (request.path !== undefined) requireNoSearch(request, 'path', ['via', 'exclude'])
  if (request.allow_direct === true && request.recipient !== undefined)
    throw memberConflict(
      ['/allow_direct', '/recipient'],
      ORDER_PAYS_SIGNER,
      'leave one of the two out',
    )
  const { amount, outputAmount } = readAmounts(request)
  const slippageBps = readSlippage(request.slippage_bps ?? DEFAULTS.slippageBps)
  const view = await context.openMarket()
  const { market } = view
  requireTokens(market, request.input.denom, request.output.denom)
  const limits = await readLimits(market, request)
  const limit = request.limit ?? DEFAULTS.routes
  const count = Math.max(limit, leastCount(context, market))
  const inline = context.inline === true
  if (inline && request.explain === true) throw new NeedsWorker()
  const budget = requestBudget(inline)
  const order = { view, request, amount, outputAmount, slippageBps, count, limits, budget }
  const search = () => confirmedRoutes(context, order)
  const result = await (inline ? completeInline(budget, search) : search())
  const document = answerDocument(order, { ...result, routes: result.routes.slice(0, limit) })
  if (request.verify !== true) return document
  const contracts = await requireContracts(context, 'verify')
  return { ...document, verify: await verify(contracts, market, document.routes) }
}

/** Routes that are searched at least: where some are estimates, the contracts decide which is the best. */
export const leastCount = (context: OperationContext, { books }: Market): number =>
  contractsOf(context) && [...books.values()].some(({ state }) => !state.exact)
    ? DEFAULTS.routes
    : 1

/** Further routes to confirm if the contracts refuse all of the answer's. */
const MOST_ROUTES = 25

/** How often an insufficient input is raised. */
export const RAISES = 3

/**
 * The routes of a request, confirmed by the contracts if pairs are incompletely known. If these pay less than
 * an exact-out request wants, the input is raised in proportion.
 */
async function confirmedRoutes(
  context: OperationContext,
  order: Order,
  raises = RAISES,
): Promise<FoundRoutes> {
  const { request, view, limits, slippageBps, outputAmount } = order
  const computed = request.path ? quoteGivenPath(order) : searchRoutes(order)
  const contracts = contractsOf(context)
  if (contracts === undefined || computed.routes.every(({ exact }) => exact)) return computed
  // Another thread searches to the end, and asks the contracts then.
  if (context.inline && order.budget.isCut) throw new NeedsWorker()
  const terms = { limits, slippageBps }
  const confirmed = await confirmRoutes(await contracts(), view.market, computed.routes, terms)
  const routes = confirmed.toSorted(routeOrder(view.graph, outputAmount !== undefined))
  const [best] = routes
  if (best === undefined) {
    const { count } = order
    if (request.path || count >= MOST_ROUTES) throw allRefused('route', computed.routes.length)
    const confirmedMore = await confirmedRoutes(context, { ...order, count: MOST_ROUTES }, raises)
    return { ...confirmedMore, routes: confirmedMore.routes.slice(0, count) }
  }
  if (outputAmount === undefined || best.minReturn >= outputAmount) {
    const sufficient = routes.filter(({ minReturn }) => minReturn >= (outputAmount ?? 0n))
    // The contracts may have refused the cheapest routes: then the best remaining one counts.
    return { ...computed, input: best.input, routes: sufficient }
  }
  const wanted = { denom: request.output.denom, amount: outputAmount }
  const amount = raisedInput(view.market, best.input.amount, wanted, best.minReturn, raises)
  return confirmedRoutes(context, { ...order, amount }, raises - 1)
}

/**
 * Raises an input whose minimum is below the wanted output, in proportion, rounded up.
 *
 * @throws SwapError NO_ROUTE after the maximum number of raises
 */
export function raisedInput(
  market: Market,
  input: bigint,
  wanted: Coin,
  demanded: bigint,
  raises: number,
): bigint {
  if (raises > 0) return ceilDiv(input * wanted.amount, demanded)
  const coinText = (amount: bigint) => formatCoin(market, wanted.denom, amount)
  throw new SwapError('NO_ROUTE', 'no input was found that pays as much', {
    why: `the contracts pay less than the books promise: at least ${coinText(demanded)} of ${coinText(wanted.amount)} for the last one tried`,
    hint: 'ask for a little less, or give the amount to sell',
    members: { rejected: [] },
  })
}

/** The error if no route or split of an answer could be confirmed. */
export const allRefused = (noun: 'route' | 'split', count: number): SwapError =>
  new SwapError('NO_ROUTE', `the contracts refuse every ${noun} that was found`, {
    why: `${count} were found from incomplete books, and no pair simulates its part of them`,
    hint: {
      cli: 'try a smaller amount, or leave the pairs out: --exclude',
      http: 'try a smaller amount, or name the pairs in exclude',
    },
    members: { rejected: [] },
  })

/** Options that make a search of routes smaller. */
const FOR_ALL_ROUTES = 'lower max_hops or limit, or leave explain out'

function answerDocument(order: Order, result: FoundRoutes): RouteAnswer {
  const { input } = result
  const { view, request, slippageBps, limits, budget } = order
  const { market } = view
  const routes = applyGuards(market, request, result.routes, {
    what: 'route',
    output: request.output.denom,
    impactOf: ({ impact }) => impact,
    raised: (each, least) => ({
      ...each,
      minReturn: each.minReturn > least ? each.minReturn : least,
    }),
  })
  const best = routes[0]!
  const terms = { recipient: request.recipient, affiliate: limits.affiliate && request.affiliate }
  const display = displayMembers(market, input, request.output.denom)
  // Listed one by one: a spread makes V8 create a hidden class for every answer.
  const { network, chain_id, height, time, excluded } = marketHead(market)
  return {
    network,
    chain_id,
    height,
    time,
    excluded,
    input: coinDocument(input),
    output: {
      denom: request.output.denom,
      ...(order.outputAmount && { amount: `${order.outputAmount}` }),
    },
    input_token: display.input_token,
    input_usd: display.input_usd,
    output_token: display.output_token,
    slippage_bps: slippageBps,
    single_best: { id: best.id, expected_output: `${best.expected}` },
    routes: routes.map((each) => routeDocument(market, each, best, terms)),
    ...cutMember(budget, FOR_ALL_ROUTES),
    ...(request.allow_direct && {
      direct: directOrder(market, input, request.output.denom, {
        slippageBps,
        routeOutput: best.expected,
      }),
    }),
    ...(request.explain && { explain: explain(market, routes, result) }),
  }
}

type FoundRoutes = RankedRoutes & { readonly input: Coin }

function searchRoutes(order: Order): FoundRoutes {
  const { request, view, limits, slippageBps, count, budget } = order
  const { input: from, output: to } = request
  const query = searchBetween(view.graph, from.denom, to.denom, limits, budget)
  const explain = request.explain === true
  const { amount, outputAmount } = order
  if (amount !== undefined) {
    const input = { denom: from.denom, amount }
    const ranked = findRoutes(query, input, count, { slippageBps, explain })
    if (ranked.routes.length > 0) return foundFor(input, ranked)
    const error = withUnits(budget, REFUSAL_UNITS, () => noRoute(query, input, ranked))
    throw markCut(error, budget)
  }
  const size = withShare(budget, SIZED, () => inputFor(query, outputAmount!, slippageBps))
  if ('largest' in size) {
    const { largest } = size
    const most = largest && { ...largest, minReturn: minReturnOf(largest.output, slippageBps) }
    throw markCut(outputTooLarge(query, outputAmount!, 'single path', most), budget)
  }
  const wanted = { found: size, wanted: outputAmount!, count }
  const ranked = routesForOutput(query, wanted, { slippageBps, explain })
  // Where gas has a price, a larger input may cost less altogether.
  return foundFor(ranked.routes[0]!.input, ranked)
}

// Listed one by one, as in an answer.
const foundFor = (input: Coin, { routes, examined, rejected }: RankedRoutes): FoundRoutes => ({
  input,
  routes,
  examined,
  rejected,
})

/** Share of the budget for finding the input of an exact-out request; the rest is for its routes. */
const SIZED = 0.8

function quoteGivenPath(order: Order): FoundRoutes {
  const { request, view, limits, slippageBps } = order
  const { market } = view
  const books = booksOf(market, request)
  const input = { denom: request.input.denom, amount: order.amount! }
  const quoted = routeAlong(market, books, input, { limits, slippageBps })
  if (isRefusal(quoted)) throw pathRefused(market, request.path!, quoted)
  return { input, routes: [quoted], examined: 1, rejected: [] }
}
