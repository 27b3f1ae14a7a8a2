import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Denom } from '../../engine/market/token.js'
import type { Graph } from '../../engine/routing/graph.js'
import { type Limits, type PathQuery, queryOf } from '../../engine/routing/query.js'
import type { WorkBudget } from '../../engine/routing/work-budget.js'
import { DEFAULTS } from '../defaults.js'
import { requireAddress, requireAffiliate, requireNames, requireToken } from '../names.js'
import { tokenWithoutBook } from '../route/no-route.js'
import type { RouteRequest } from '../route/route-request.js'

type LimitMembers = Partial<
  Pick<RouteRequest, 'via' | 'exclude' | 'affiliate' | 'recipient' | 'max_hops'>
>

/** The limits of a search with every name in them checked. */
export async function readLimits(market: Market, request: LimitMembers): Promise<Limits> {
  requireNames(market, request.via ?? [], '/via')
  requireNames(market, request.exclude ?? [], '/exclude')
  await requireAddress(market, request.recipient)
  return {
    maxHops: request.max_hops ?? DEFAULTS.maxHops,
    via: request.via ?? [],
    exclude: request.exclude ?? [],
    affiliate: requireAffiliate(market, request.affiliate),
  }
}

/** A search between two different tokens that some open book trades. */
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

/** Members of a request that exclude each other, or one that requires another. */
export const memberConflict = (pointers: readonly string[], why: string, hint: string): SwapError =>
  new SwapError('INVALID_REQUEST', 'members of the request clash', {
    why: `${pointers.join(' and ')}: ${why}`,
    hint,
    members: { errors: pointers.map((pointer) => ({ pointer, detail: why })) },
  })

/** Bounds of a split step, in percent of the input. */
const [MIN, MAX] = [1, 10]

/** A split step is a whole number of percent from 1 to 10. @throws SwapError INVALID_SPLIT_STEP */
export function readSplitStep(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= MIN && value <= MAX)
    return value
  const text = JSON.stringify(value) ?? 'nothing'
  const shown = text.length > 40 ? `${text.slice(0, 37)}...` : text
  throw new SwapError('INVALID_SPLIT_STEP', `a split step of ${shown} cannot be used`, {
    why: `split_step is a whole number of percent from ${MIN} to ${MAX}`,
    hint: `the default is ${DEFAULTS.splitStep}: shares of ${[1, 2, 3].map((i) => `${i * DEFAULTS.splitStep} %`).join(', ')} and so on`,
    members: { min: MIN, max: MAX, pointer: '/input/split_step' },
  })
}
