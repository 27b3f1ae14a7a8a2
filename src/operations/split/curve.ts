import type { Market } from '../../engine/market/market.js'
import type { Denom } from '../../engine/market/token.js'
import { pricesOf } from '../../engine/market/valuation.js'
import { formatRational, hundredths, rational, times } from '../../engine/math/rational.js'
import type { PathQuery } from '../../engine/routing/query.js'
import {
  curveOf,
  quoteSingle,
  quoteSplit,
  type SizeQuote,
  type SizeQuoter,
} from '../../engine/splits/size-curve.js'
import { readAmount } from '../amount.js'
import { type MarketView, NeedsWorker, type OperationContext } from '../context.js'
import { DEFAULTS } from '../defaults.js'
import { coinDocument, displayScale, marketHead } from '../route-document.js'
import { ladderOf } from './ladder.js'
import { memberConflict, readLimits, requireTokens, searchBetween } from './read-request.js'
import type { CurveAnswer, SizeDocument } from './size-answer.js'
import type { CurveRequest, MaxRequest } from './size-request.js'
import { readSplitStep } from './split-step.js'

/** Dollars between which a ladder lies where the request does not say. */
const [LEAST_USD, MOST_USD] = [100n, 100_000n]

/** Output and price impact for sizes from one amount to another, by single paths or by divisions. */
export async function curve(
  context: OperationContext,
  request: CurveRequest,
): Promise<CurveAnswer> {
  const { input, output } = request
  const given = (amount: string | number | undefined, name: string) =>
    amount === undefined ? undefined : readAmount(amount, `/input/${name}`)
  const [low, high] = [given(input.from, 'from'), given(input.to, 'to')]
  const view = await context.openMarket()
  const { market } = view
  const query = await queryFor(view, request)
  const [least, most] = usualSizes(market, input.denom)
  const from = low ?? (high !== undefined && high < least ? high / 1000n || 1n : least)
  const to = high ?? (from < most ? most : from * 1000n)
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

/** A search with the names of its request checked. */
export async function queryFor(
  view: MarketView,
  request: CurveRequest | MaxRequest,
): Promise<PathQuery> {
  const { market, graph } = view
  const { input, output } = request
  requireTokens(market, input.denom, output.denom)
  const limits = await readLimits(market, request)
  return searchBetween(graph, input.denom, output.denom, limits)
}

/** Quotes as the request says: the best single path, or the best division that so many units find. */
export function quoterFor(
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
  const price = pricesOf(market).get(denom)
  const usd = market.usd === undefined ? undefined : market.tokens.get(market.usd)
  if (price === undefined || usd === undefined || price.numerator === 0n) {
    const unit = 10n ** BigInt(market.tokens.get(denom)?.decimals ?? 0)
    return [unit, unit * 1000n]
  }
  const sizeOf = (dollars: bigint) =>
    (dollars * 10n ** BigInt(usd.decimals) * price.denominator) / price.numerator || 1n
  return [sizeOf(LEAST_USD), sizeOf(MOST_USD)]
}

/** A size with what it pays. */
export function sizeDocument(
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
    price_impact_bps: quoted?.impact ? hundredths(quoted.impact, 10_000n) : null,
  }
}
