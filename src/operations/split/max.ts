import { SwapError } from '../../engine/errors.js'
import { findRoutes, isConnected } from '../../engine/routing/find-routes.js'
import type { PathQuery } from '../../engine/routing/query.js'
import { mostInput } from '../../engine/routing/size-limits.js'
import { LADDER_UNITS, largestUnderImpact } from '../../engine/splits/size-curve.js'
import { formatToken, ratioText } from '../amount-text.js'
import { NeedsWorker, type OperationContext } from '../context.js'
import { noRoute } from '../route/no-route.js'
import { marketHead } from '../route-document.js'
import { dollarsText, worthIn } from '../worth.js'
import { queryFor, quoterFor, sizeDocument } from './curve.js'
import { memberConflict } from './read-request.js'
import type { MaxAnswer } from './size-answer.js'
import type { MaxRequest } from './size-request.js'

/**
 * The largest input found whose price impact is within a limit, by single paths or by divisions.
 *
 * @throws SwapError PRICE_IMPACT_TOO_HIGH where no size of the ladder is within it, NO_ROUTE where nothing passes
 */
export async function max(context: OperationContext, request: MaxRequest): Promise<MaxAnswer> {
  const { input, output, max_impact_bps: limit } = request
  if (!Number.isInteger(limit) || limit < 0 || limit > 10_000)
    throw memberConflict(
      ['/max_impact_bps'],
      'is not a whole number from 0 to 10000',
      'write e.g. 50',
    )
  const view = await context.openMarket()
  const query = await queryFor(view, request)
  if (context.inline) throw new NeedsWorker()
  const found = largestOf(query, request)
  if (found === undefined) throw impactTooHigh(query, input.denom, limit)
  const { market } = view
  const worthOf = worthIn(market)
  return {
    ...marketHead(market),
    max_impact_bps: limit,
    split: request.split ?? false,
    ...sizeDocument(market, input.denom, found.amount, output.denom, found.quoted),
    input_usd: dollarsText(worthOf({ denom: input.denom, amount: found.amount })),
    output_usd: dollarsText(worthOf({ denom: output.denom, amount: found.quoted.expected })),
  }
}

function largestOf(query: PathQuery, request: MaxRequest) {
  const most = mostInput(query)?.amount
  if (most === undefined) return undefined
  const single = quoterFor(query, { ...request, split: false })
  const split = request.split ? quoterFor(query, request, LADDER_UNITS) : undefined
  return largestUnderImpact({ single, split }, most, request.max_impact_bps)
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
