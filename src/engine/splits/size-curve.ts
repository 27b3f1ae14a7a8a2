import type { Coin, Denom } from '../market/token.js'
import type { Rational } from '../math/rational.js'
import { findRoutes } from '../routing/find-routes.js'
import type { PathQuery } from '../routing/query.js'
import { bestSplit, type SplitTerms } from './find-split.js'

/** What the best answer for one input pays, and its price impact where a mid price exists. */
export type SizeQuote = { readonly expected: bigint; readonly impact: Rational | undefined }

/** Quotes an input; `undefined` where nothing takes it whole. */
export type SizeQuoter = (amount: bigint) => SizeQuote | undefined

/** Quotes by the best single path. */
export const quoteSingle =
  (query: PathQuery, denom: Denom): SizeQuoter =>
  (amount) =>
    findRoutes(query, { denom, amount }, 1, { slippageBps: 0 }).routes[0]

/** Quotes by the best division. */
export const quoteSplit =
  (query: PathQuery, denom: Denom, terms: SplitTerms): SizeQuoter =>
  (amount) =>
    bestSplit(query, { denom, amount }, terms)

/** One point of a curve. */
export type CurvePoint = { readonly input: Coin; readonly quoted: SizeQuote | undefined }

/** Output and price impact for a ladder of sizes, each quoted by itself. */
export const curveOf = (
  quote: SizeQuoter,
  denom: Denom,
  amounts: readonly bigint[],
): readonly CurvePoint[] =>
  amounts.map((amount) => ({ input: { denom, amount }, quoted: quote(amount) }))

/**
 * Doublings above the limit after which a search without a hit ends: at a few atomics, rounding
 * alone exceeds the limit.
 */
const ENOUGH_ABOVE = 6

/** Larger amounts leave 128 bits once multiplied by 10^18. */
const MOST_DOUBLINGS = 110

/**
 * The largest input whose price impact is at most `mostBps`, to the atomic: doubled from one atomic on
 * until the impact is above the limit for good, then bisected. Impact grows with size but for the last
 * atomics of rounding, so a few sizes near the answer may fit as well. `undefined` where none fits.
 */
export function largestUnderImpact(
  quote: SizeQuoter,
  mostBps: number,
): { readonly amount: bigint; readonly quoted: SizeQuote } | undefined {
  const tryOut = (amount: bigint): SizeQuote | 'above' | undefined => {
    const quoted = quote(amount)
    if (quoted?.impact === undefined) return undefined
    return isWithin(quoted.impact, mostBps) ? quoted : 'above'
  }
  let best: { readonly amount: bigint; readonly quoted: SizeQuote } | undefined
  let high = 1n
  let misses = 0
  for (let i = 0; i < MOST_DOUBLINGS && misses < (best ? 2 : ENOUGH_ABOVE); i += 1) {
    const amount = 1n << BigInt(i)
    const found = tryOut(amount)
    if (found !== undefined && found !== 'above') {
      best = { amount, quoted: found }
      misses = 0
    } else {
      if (misses === 0) high = amount
      if (found === 'above' || best !== undefined) misses += 1
    }
  }
  if (best === undefined) return undefined
  for (let low = best.amount; high - low > 1n; ) {
    const middle = (low + high) / 2n
    const found = tryOut(middle)
    if (found === undefined || found === 'above') high = middle
    else {
      low = middle
      best = { amount: middle, quoted: found }
    }
  }
  return best
}

const isWithin = ({ numerator, denominator }: Rational, bps: number): boolean =>
  numerator * 10_000n <= BigInt(bps) * denominator
