import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Denom } from '../../engine/market/token.js'
import type { Graph } from '../../engine/routing/graph.js'
import {
  type Limits,
  type PathQuery,
  queryOf,
  type WorkBudget,
} from '../../engine/routing/query.js'
import { DEFAULTS } from '../defaults.js'
import {
  pairNotOpen,
  requireAffiliate,
  requireNames,
  requireRecipient,
  requireToken,
} from '../names.js'
import { tokenWithoutBook } from './no-route.js'
import type { RouteRequest } from './route-request.js'

type LimitMembers = Partial<
  Pick<RouteRequest, 'via' | 'exclude' | 'affiliate' | 'recipient' | 'max_hops'>
>

/**
 * The limits of a search, with every name in them checked.
 *
 * @throws SwapError MARKET_HALTED, NOT_FOUND for `via` a pair that is left out
 */
export async function readLimits(market: Market, request: LimitMembers): Promise<Limits> {
  requireNames(market, request.via ?? [], '/via')
  requireNames(market, request.exclude ?? [], '/exclude')
  const closed = request.via?.find((name) => market.excluded.some((pair) => pair.address === name))
  if (closed !== undefined) throw pairNotOpen(market, closed)
  await requireRecipient(market, request.recipient)
  return {
    maxHops: request.max_hops ?? DEFAULTS.maxHops,
    via: request.via ?? [],
    exclude: request.exclude ?? [],
    affiliate: requireAffiliate(market, request.affiliate),
  }
}

/** A search between two different tokens that open books trade. */
export function searchBetween(
  graph: Graph,
  from: Denom,
  to: Denom,
  limits: Limits,
  budget?: WorkBudget,
): PathQuery {
  if (from === to)
    throw new SwapError('SAME_TOKEN', 'input and output are the same token', {
      why: `${from} would be swapped for itself`,
      hint: 'name two different tokens',
    })
  for (const denom of [from, to])
    if (!graph.indexOf.has(denom)) throw tokenWithoutBook(graph.market, denom)
  return queryOf(graph, from, to, limits, budget)
}

/** Refuses denoms that are not tokens of the market. */
export function requireTokens(market: Market, input: Denom, output: Denom): void {
  requireToken(market, input, '/input/denom')
  requireToken(market, output, '/output/denom')
}
