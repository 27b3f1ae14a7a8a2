import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Denom } from '../../engine/market/token.js'
import { MAX_UINT128 } from '../../engine/math/decimal.js'
import { formatRational, rational, times, toBps } from '../../engine/math/rational.js'
import { findRoutes, isConnected } from '../../engine/routing/find-routes.js'
import type { PathQuery } from '../../engine/routing/query.js'
import {
  curveOf,
  largestOf,
  quoteSingle,
  quoteSplit,
  type SizeQuote,
  type SizeQuoter,
} from '../../engine/splits/size-curve.js'
import { formatToken, ratioText, readAmount } from '../amount.js'
import { type MarketView, NeedsWorker, type OperationContext } from '../context.js'
import { DEFAULTS } from '../defaults.js'
import { coinDocument, displayScale, marketHead } from '../document-parts.js'
import { memberConflict, readSplitStep } from '../request-values.js'
import { noRoute } from '../route/no-route.js'
import { REQUEST_UNITS } from '../route/search-budget.js'
import { readLimits, requireTokens, searchBetween } from '../route/search-request.js'
import { atomicsWorth, dollarsText, unitOf, worthIn } from '../worth.js'
import type {
  CurveAnswer,
  CurveRequest,
  MaxAnswer,
  MaxRequest,
  SizeDocument,
} from './size-documents.js'

/** Default smallest size of a ladder, in dollars. */
const LEAST_USD = '100'
/** Default largest size of a ladder, in dollars. */
const MOST_USD = '100000'

/** Output and price impact for a ladder of sizes, by single paths or by splits. */
export async function curve(
  context: OperationContext,
  request: CurveRequest,
): Promise<CurveAnswer> {
  const { input, output } = request
  const requestedAmount = (amount: string | number | undefined, name: string) =>
    amount === undefined ? undefined : readAmount(amount, `/input/${name}`)
  const [low, high] = [requestedAmount(input.from, 'from'), requestedAmount(input.to, 'to')]
  const view = await context.openMarket()
  const { market } = view
  const query = await queryFor(view, request)
  const [least, most] = usualSizes(market, input.denom)
  const from = low ?? (high !== undefined && high < least ? high / 1000n || 1n : least)
  const usual = from < most ? most : from * 1000n
  const to = high ?? (usual < MAX_UINT128 ? usual : MAX_UINT128)
  if (to < from)
    throw memberConflict(
      ['/input/from', '/input/to'],
      `${from} is above ${to}`,
      'begin with the smaller size',
    )
  if (context.inline) throw new NeedsWorker()
  const sizes = ladderOf(from, to, request.points ?? DEFAULTS.curvePoints)
  return {
    ...marketHead(market),
    input: { denom: input.denom, from: `${from}`, to: `${to}` },
    output: { denom: output.denom },
    split: request.split ?? false,
    points: curveOf(quoterFor(query, request), input.denom, sizes).map(({ input: coin, quoted }) =>
      sizeDocument(market, coin.denom, coin.amount, output.denom, quoted),
    ),
  }
}

/** A search with checked names. */
async function queryFor(view: MarketView, request: CurveRequest | MaxRequest): Promise<PathQuery> {
  const { market, graph } = view
  const { input, output } = request
  requireTokens(market, input.denom, output.denom)
  const limits = await readLimits(market, request)
  return searchBetween(graph, input.denom, output.denom, limits)
}

/** The quoter of a request: the best single path, or the best split found with so many units of work. */
function quoterFor(
  query: PathQuery,
  { input, split, max_legs }: CurveRequest | MaxRequest,
  units?: number,
): SizeQuoter {
  const { split_step } = input
  const stepPercent = readSplitStep(split_step ?? DEFAULTS.splitStep)
  const terms = { slippageBps: 0, stepPercent, maxLegs: max_legs, grid: split_step !== undefined }
  return split ? quoteSplit(query, input.denom, terms, units) : quoteSingle(query, input.denom)
}

/** Amounts worth 100 and 100,000 dollars; without a price, 1 and 1000 units. */
function usualSizes(market: Market, denom: Denom): readonly [bigint, bigint] {
  const sizeOf = (dollars: string) => atomicsWorth(market, dollars, denom)
  const [least, most] = [sizeOf(LEAST_USD), sizeOf(MOST_USD)]
  if (least !== undefined && most !== undefined) return [least || 1n, most || 1n]
  const unit = unitOf(market, denom)
  return [unit, unit * 1000n]
}

/** A size with its output. */
function sizeDocument(
  market: Market,
  from: Denom,
  amount: bigint,
  to: Denom,
  quoted: SizeQuote | undefined,
): SizeDocument {
  const scale = displayScale(market, from, to)
  return {
    input: coinDocument({ denom: from, amount }),
    output: quoted ? coinDocument({ denom: to, amount: quoted.expected }) : null,
    price: quoted ? formatRational(times(rational(quoted.expected, amount), scale)) : null,
    price_impact_bps: quoted?.impact ? toBps(quoted.impact) : null,
    exact: quoted?.exact ?? null,
  }
}

/**
 * The largest input found with a price impact within a limit, by single paths or by splits.
 *
 * @throws SwapError PRICE_IMPACT_TOO_HIGH if no size of the ladder is within it, NO_ROUTE if no path connects the
 * tokens
 */
export async function max(context: OperationContext, request: MaxRequest): Promise<MaxAnswer> {
  const { input, output, max_impact_bps: limit } = request
  const view = await context.openMarket()
  const query = await queryFor(view, request)
  if (context.inline) throw new NeedsWorker()
  const { split = false } = request
  const largest = largestOf(query, { isSplit: split, mostBps: limit }, (isSplit) =>
    quoterFor(query, { ...request, split: isSplit }, REQUEST_UNITS),
  )
  if (largest === undefined) throw impactTooHigh(query, input.denom, limit)
  const { market } = view
  const worthOf = worthIn(market)
  return {
    ...marketHead(market),
    max_impact_bps: limit,
    split,
    ...sizeDocument(market, input.denom, largest.amount, output.denom, largest.quoted),
    input_usd: dollarsText(worthOf({ denom: input.denom, amount: largest.amount })),
    output_usd: dollarsText(worthOf({ denom: output.denom, amount: largest.quoted.expected })),
  }
}

function impactTooHigh(query: PathQuery, denom: string, limit: number): SwapError {
  const { market, denoms } = query.graph
  if (!isConnected(query)) {
    const coin = { denom, amount: 1n }
    return noRoute(query, coin, findRoutes(query, coin, 1, { slippageBps: 0, explain: true }))
  }
  const [from, to] = [formatToken(market, denom), formatToken(market, denoms[query.to]!)]
  return new SwapError(
    'PRICE_IMPACT_TOO_HIGH',
    `no amount of ${from} for ${to} was found that stays within ${ratioText(limit)}`,
    {
      why: 'every amount tried, from the most that passes down to one atomic, has more, or the books give no mid price',
      hint: { cli: 'raise --max-impact', http: 'raise max_impact_bps' },
      members: { limit, actual: null },
    },
  )
}

/** Significant digits of a ladder's sizes: enough to be distinct, few enough to be readable. */
const SIGNIFICANT_DIGITS = 3

/**
 * At most `count` sizes from one amount to another, geometrically spaced and rounded to three digits; the
 * ends are exact. Floats only choose the round numbers in between.
 */
export function ladderOf(from: bigint, to: bigint, count: number): readonly bigint[] {
  if (to <= from || count < 2) return [from]
  const step = (Math.log(Number(to)) - Math.log(Number(from))) / (count - 1)
  const inner = Array.from({ length: count - 2 }, (_, i) =>
    roundedDown(BigInt(Math.floor(Math.exp(Math.log(Number(from)) + step * (i + 1)) + 1e-6))),
  )
  return [...new Set([from, ...inner.filter((size) => size > from && size < to), to])]
}

function roundedDown(amount: bigint): bigint {
  const places = amount.toString().length - SIGNIFICANT_DIGITS
  return places <= 0 ? amount : amount - (amount % 10n ** BigInt(places))
}
