import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Denom } from '../../engine/market/token.js'
import { type Rational, toBps } from '../../engine/math/rational.js'
import { formatCoin, ratioText, readAmount } from '../amount.js'
import type { RouteRequest } from './route-request.js'

/** The differences between guards of routes and of splits. */
type GuardedQuote<Quote> = {
  readonly what: 'route' | 'split'
  readonly output: Denom
  impactOf(quote: Quote): Rational | undefined
  /** The quote with its messages' minimum raised to this. */
  raised(quote: Quote, least: bigint): Quote
}

/**
 * Applies the request's guards to the best quote, and refuses if one fails. `min_out` also raises every
 * quote's minimum; quotes that cannot reach it are dropped.
 *
 * @throws SwapError PRICE_IMPACT_TOO_HIGH, ASSERTION_FAILED, INVALID_AMOUNT
 */
export function applyGuards<Quote extends { readonly expected: bigint }>(
  market: Market,
  request: Pick<RouteRequest, 'min_out' | 'max_impact_bps'>,
  quotes: readonly Quote[],
  { what, output, impactOf, raised }: GuardedQuote<Quote>,
): readonly Quote[] {
  const [best] = quotes
  if (best === undefined) return quotes
  if (request.max_impact_bps !== undefined) requireImpact(impactOf(best), request.max_impact_bps)
  if (request.min_out === undefined) return quotes
  const least = readAmount(request.min_out, '/min_out')
  if (best.expected < least)
    throw new SwapError('ASSERTION_FAILED', `the best ${what} pays less than you ask for`, {
      why: `it pays ${formatCoin(market, output, best.expected)} at block ${market.height}; you ask for at least ${formatCoin(market, output, least)}`,
      hint: {
        cli: 'quote again, sell less, or lower --min-out',
        http: 'quote again, sell less, or lower min_out',
      },
      members: { limit: `${least}`, actual: `${best.expected}` },
    })
  return quotes.filter(({ expected }) => expected >= least).map((quote) => raised(quote, least))
}

/** Refuses a price impact above a limit, or an unknown one. */
export function requireImpact(impact: Rational | undefined, limit: number): void {
  const actual = impact === undefined ? null : toBps(impact)
  if (actual !== null && actual <= limit) return
  throw new SwapError(
    'PRICE_IMPACT_TOO_HIGH',
    actual === null
      ? 'the price impact is not known, so the limit cannot be held'
      : `the price impact of ${ratioText(actual)} is above the limit of ${ratioText(limit)}`,
    {
      why:
        actual === null
          ? 'a book on the path has an empty side'
          : 'the order is large for the books',
      hint: {
        cli: 'trade less (swap max finds the largest amount), or raise --max-impact',
        http: 'trade less, or raise max_impact_bps',
      },
      members: { limit, actual },
    },
  )
}
