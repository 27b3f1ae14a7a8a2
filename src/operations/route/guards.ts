import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { hundredths, type Rational } from '../../engine/math/rational.js'
import type { Route } from '../../engine/routing/route.js'
import { formatCoin, ratioText, readAmount } from '../amount.js'
import type { RouteRequest } from './route-request.js'

/**
 * Holds the caller's guards against the best route and refuses where they do not hold. A `min_out`
 * also raises each route's `min_return`; routes that cannot reach it are not offered.
 */
export function applyGuards(
  market: Market,
  request: RouteRequest,
  routes: readonly Route[],
): readonly Route[] {
  const [best] = routes
  if (best === undefined) return routes
  if (request.max_impact_bps !== undefined) requireImpact(best.impact, request.max_impact_bps)
  if (request.min_out === undefined) return routes
  const least = readAmount(request.min_out, '/min_out')
  if (best.expected < least)
    throw new SwapError('ASSERTION_FAILED', 'the best route pays less than you ask for', {
      why: `it pays ${formatCoin(market, best.output, best.expected)} at block ${market.height}; you ask for at least ${formatCoin(market, best.output, least)}`,
      hint: {
        cli: 'quote again, sell less, or lower --min-out',
        http: 'quote again, sell less, or lower min_out',
      },
      members: { limit: `${least}`, actual: `${best.expected}` },
    })
  return routes
    .filter((route) => route.expected >= least)
    .map((route) => ({
      ...route,
      minReturn: route.minReturn > least ? route.minReturn : least,
    }))
}

/** Refuses a price impact above a limit, and one that is not known. */
export function requireImpact(impact: Rational | undefined, limit: number): void {
  const actual = impact === undefined ? null : hundredths(impact, 10_000n)
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
        cli: 'trade less, or raise --max-impact',
        http: 'trade less, or raise max_impact_bps',
      },
      members: { limit, actual },
    },
  )
}
