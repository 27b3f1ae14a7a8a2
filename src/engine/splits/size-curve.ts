import type { Coin, Denom } from '../market/token.js'
import { BPS } from '../math/decimal.js'
import type { Rational } from '../math/rational.js'
import { findRoutes } from '../routing/find-routes.js'
import { type PathQuery, withUnits } from '../routing/query.js'
import type { Route } from '../routing/route.js'
import { mostInput } from '../routing/size-limits.js'
import { bestSplit, type SplitTerms } from './find-split.js'

/** Expected output of the best answer for one input, its price impact if a mid price exists, and whether both are exact. */
export type SizeQuote = Pick<Route, 'expected' | 'impact' | 'exact'>

/** Quotes an input; `undefined` if no path or split takes all of it. */
export type SizeQuoter = (amount: bigint) => SizeQuote | undefined

/** Quotes by the best single path. */
export const quoteSingle =
  (query: PathQuery, denom: Denom): SizeQuoter =>
  (amount) =>
    findRoutes(query, { denom, amount }, 1, { slippageBps: 0 }).routes[0]

/** Quotes by the best split that so many units of work find. */
export const quoteSplit =
  (query: PathQuery, denom: Denom, terms: SplitTerms, units = Infinity): SizeQuoter =>
  (amount) =>
    withUnits(query.budget, units, () => bestSplit(query, { denom, amount }, terms))

/** One point of a curve. */
export type CurvePoint = { readonly input: Coin; readonly quoted: SizeQuote | undefined }

/** Output and price impact for a ladder of sizes, each quoted by itself. */
export const curveOf = (
  quote: SizeQuoter,
  denom: Denom,
  amounts: readonly bigint[],
): readonly CurvePoint[] =>
  amounts.map((amount) => ({ input: { denom, amount }, quoted: quote(amount) }))

/** How inputs are quoted by the best path and, where they may be divided, by the best split. */
export type SizeQuoters = { readonly single: SizeQuoter; readonly split?: SizeQuoter | undefined }

type Ratio = readonly [bigint, bigint]

/** What each size of a ladder is of the one above; `COARSE` where nothing fits on one path. */
const FINE: Ratio = [4n, 5n]
const COARSE: Ratio = [1n, 2n]

/** A search of splits begins at this multiple of what fits on one path. */
const BEGIN_AT = 4n

/**
 * The largest input found whose price impact is at most `mostBps`; `undefined` where no size of a ladder
 * fits. Impact does not always grow with size (docs/maths.md#the-largest-size-within-an-impact), so the
 * ladder leads downwards from the most that passes. For splits it begins at four times what fits on one path,
 * doubled as long as that fits, and contains that size. One atomic more than the answer does not fit.
 *
 * @param most the most that any path takes
 */
export function largestUnderImpact(
  { single, split }: SizeQuoters,
  most: bigint,
  mostBps: number,
): SizedQuote | undefined {
  const singleSize = largestBelow(fitting(single, mostBps), most + 1n, FINE)
  if (split === undefined) return singleSize
  const splitFits = fitting(split, mostBps)
  let high = singleSize === undefined ? most + 1n : singleSize.amount * BEGIN_AT
  while (splitFits(high) !== undefined) high *= 2n
  return singleSize === undefined
    ? largestBelow(splitFits, high, COARSE)
    : largestBelow(splitFits, high, FINE, singleSize.amount)
}

/**
 * `largestUnderImpact` between the tokens of a query.
 *
 * @param quoterOf quotes by the best path, or by the best split
 */
export function largestOf(
  query: PathQuery,
  { isSplit, mostBps }: { readonly isSplit: boolean; readonly mostBps: number },
  quoterOf: (isSplit: boolean) => SizeQuoter,
): SizedQuote | undefined {
  const most = mostInput(query)?.amount
  if (most === undefined) return undefined
  const split = isSplit ? quoterOf(true) : undefined
  return largestUnderImpact({ single: quoterOf(false), split }, most, mostBps)
}

type SizedQuote = { readonly amount: bigint; readonly quoted: SizeQuote }

type Fitting = (amount: bigint) => SizedQuote | undefined

const fitting =
  (quote: SizeQuoter, mostBps: number): Fitting =>
  (amount) => {
    const quoted = quote(amount)
    return quoted?.impact && isWithin(quoted.impact, mostBps) ? { amount, quoted } : undefined
  }

/**
 * The first size that fits on a ladder that leads down from one that does not, bisected with the one above.
 *
 * @param step a size that the ladder contains
 */
function largestBelow(
  fits: Fitting,
  refused: bigint,
  [part, of]: Ratio,
  step = 0n,
): SizedQuote | undefined {
  let high = refused
  let best: SizedQuote | undefined
  for (let amount = refused - 1n; amount > 0n; ) {
    best = fits(amount)
    if (best !== undefined) break
    high = amount
    const next = (amount * part) / of
    amount = amount > step && next < step ? step : next
  }
  if (best === undefined) return undefined
  while (high - best.amount > 1n) {
    const middle: bigint = (best.amount + high) / 2n
    const quote = fits(middle)
    if (quote === undefined) high = middle
    else best = quote
  }
  return best
}

const isWithin = ({ numerator, denominator }: Rational, bps: number): boolean =>
  numerator * BPS <= BigInt(bps) * denominator
