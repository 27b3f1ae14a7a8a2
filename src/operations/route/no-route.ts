import { type Json, SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Refusal } from '../../engine/market/refusal.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { counted } from '../../engine/math/counted.js'
import { isConnected, type RankedRoutes, reasonsOf } from '../../engine/routing/find-routes.js'
import type { SizedRoute } from '../../engine/routing/graph.js'
import type { PathQuery } from '../../engine/routing/query.js'
import type { RejectedPath } from '../../engine/routing/rank-paths.js'
import { largestBelow, leastInput, smallestAbove } from '../../engine/routing/size-limits.js'
import { formatCoin, formatToken, refusalText, sellLess } from '../amount.js'
import { MOST_HOPS } from '../defaults.js'
import type { RejectedDocument } from './route-documents.js'

/** Maximum number of rejected paths in an error. */
const LISTED = 20

export const rejectedDocument = ({ edges, refusal }: RejectedPath): RejectedDocument => ({
  path: edges.map((edge) => edge.book.state.pair.address),
  reason: refusal.refused,
  detail: refusal.why,
})

const noRouteText = ({ graph: { market, denoms }, from, to }: PathQuery): string =>
  `no route from ${formatToken(market, denoms[from]!)} to ${formatToken(market, denoms[to]!)}`

/** The error where no path within the limits connects the tokens, or none of them takes any amount. */
const noPath = (query: PathQuery, members = { rejected: [] as Json }): SwapError =>
  new SwapError('NO_ROUTE', noRouteText(query), {
    why: `no path of at most ${counted(query.limits.maxHops, 'hop')} within your limits ${isConnected(query) ? 'takes any amount' : 'connects them'} on ${query.graph.market.network}`,
    hint: {
      cli:
        widerLimits(query, (member) => `--${member.replace('_', '-')}`) ??
        'see what is traded: swap pairs',
      http: widerLimits(query, (member) => member) ?? 'GET /swap/tokens lists what is traded',
    },
    members,
  })

/** The limits of a search that can be wider; `undefined` where it has none. */
function widerLimits(
  { limits }: PathQuery,
  nameOf: (member: 'max_hops' | 'via' | 'exclude') => string,
): string | undefined {
  const given = (['via', 'exclude'] as const).filter((member) => limits[member].length > 0)
  const ways = [
    limits.maxHops < MOST_HOPS && `raise ${nameOf('max_hops')}`,
    given.length > 0 && `lift ${given.map(nameOf).join(' and ')}`,
  ].filter((way) => way !== false)
  return ways.length > 0 ? ways.join(', or ') : undefined
}

/** Why a search found nothing: amount too large, too small, or no path at all. */
export function noRoute(query: PathQuery, input: Coin, { rejected }: RankedRoutes): SwapError {
  const { market, denoms } = query.graph
  const target = denoms[query.to]!
  const sold = (amount: bigint) => formatCoin(market, input.denom, amount)
  const reason = noRouteText(query)
  const members = { rejected: rejected.slice(0, LISTED).map(rejectedDocument) as Json }
  if (!isConnected(query)) return noPath(query, members)
  // If most paths refuse the amount for its size it is usually too large: search below it first.
  const isTooMuch = reasonsOf(rejected)[0]?.[0] === 'beyond_depth'
  const sizeBelow = isTooMuch ? largestBelow(query, input.amount) : undefined
  const least = sizeBelow?.amount ?? leastInput(query)
  if (least === undefined)
    return new SwapError('NO_ROUTE', reason, {
      why: `no amount ${query.budget.isCut ? 'was found that ' : ''}passes${rejected.length > 0 ? `: ${reasons(rejected)}` : ''}`,
      hint: {
        cli: 'see why each path was refused: --json',
        http: 'rejected says why each path was refused',
      },
      members,
    })
  if (least > input.amount) return tooSmall(market, input, target, least)
  const largestSize = isTooMuch ? sizeBelow : largestBelow(query, input.amount)
  const smallestSize = smallestAbove(query, input.amount, largestSize)
  const forAmount = `${reason} for ${sold(input.amount)}`
  if (largestSize !== undefined && smallestSize === undefined)
    return tooLarge(query, input, largestSize, { what: forAmount, members })
  const passingSizes = [largestSize, smallestSize].flatMap((size) =>
    size ? [sold(size.amount)] : [],
  )
  return new SwapError('NO_ROUTE', forAmount, {
    why: reasons(rejected),
    hint: `change the amount a little: ${passingSizes.join(' and ')} would pass`,
    members,
  })
}

/** No path takes the amount: `most` is the largest input that one takes, with its output. */
function tooLarge(
  { graph: { market, denoms }, to, budget }: PathQuery,
  input: Coin,
  most: SizedRoute,
  { what, members }: { readonly what: string; readonly members: { readonly rejected: Json } },
): SwapError {
  const taken = { denom: input.denom, amount: most.amount }
  const paid = { denom: denoms[to]!, amount: most.output }
  const [sold, received] = [taken, paid].map(({ denom, amount }) =>
    formatCoin(market, denom, amount),
  )
  return new SwapError('INSUFFICIENT_LIQUIDITY', what, {
    why: `paths exist, but none ${budget.isCut ? 'was found that ' : ''}takes more than ${sold}, which pays ${received}`,
    hint: sellLess(market, taken, paid),
    members: { max_input: `${most.amount}`, output_at_max: `${most.output}`, ...members },
  })
}

const reasons = (rejected: readonly RejectedPath[]): string =>
  reasonsOf(rejected)
    .map(([reason, n]) => `${n} refused: ${reason}`)
    .join(', ')

/** The error of an amount that pays nothing, with the smallest one that does. */
export const tooSmall = (market: Market, input: Coin, target: Denom, least: bigint): SwapError =>
  new SwapError(
    'AMOUNT_TOO_SMALL',
    `${formatCoin(market, input.denom, input.amount)} is too little to swap`,
    {
      why: `the output in ${formatToken(market, target)} would be zero, or a market maker would be sent nothing`,
      hint: `sell at least ${formatCoin(market, input.denom, least)}`,
      members: { min_input: `${least}` },
    },
  )

/** The largest input found, with its output and minimum. */
type LargestOutput = {
  readonly amount: bigint
  readonly output: bigint
  readonly minReturn: bigint
}

/** The error of an output that no input yields. */
export function outputTooLarge(
  query: PathQuery,
  wanted: bigint,
  kind: 'single path' | 'split',
  largest: LargestOutput | undefined,
): SwapError {
  const { denoms, market } = query.graph
  const [from, to] = [denoms[query.from]!, denoms[query.to]!]
  const received = (each: bigint) => formatCoin(market, to, each)
  if (largest === undefined && query.budget.isCut)
    return new SwapError('NO_ROUTE', `no ${kind} was found that pays ${received(wanted)}`, {
      why: 'no amount was found that passes',
      hint: {
        cli: 'ask for less, or lower --max-hops',
        http: 'ask for less, or lower max_hops',
      },
      members: { rejected: [] },
    })
  if (largest === undefined) return noPath(query)
  const { amount, output, minReturn } = largest
  const most = kind === 'split' ? 'was found' : 'one pays'
  const afterSlippage = minReturn < output ? `; after slippage it is ${received(minReturn)}` : ''
  return new SwapError('INSUFFICIENT_LIQUIDITY', `no ${kind} pays ${received(wanted)}`, {
    why: `the most that ${most} is ${received(output)}, for ${formatCoin(market, from, amount)}${afterSlippage}`,
    hint: `ask for ${received(minReturn)} or less`,
    members: { max_input: `${amount}`, output_at_max: `${output}` },
  })
}

/** The error of a listed token that no open book trades. */
export const tokenWithoutBook = (market: Market, denom: Denom): SwapError =>
  new SwapError('NO_ROUTE', `no open book trades ${formatToken(market, denom)}`, {
    why: `${market.network} leaves out ${counted(market.excluded.length, 'pair')} at this block`,
    hint: { cli: 'see which and why: swap snapshot show', http: 'rejected says which and why' },
    members: {
      rejected: market.excluded.map(({ address, reason }) => ({
        path: [address],
        reason: 'quarantined',
        detail: reason,
      })),
    },
  })

/** The error of a given path that is refused. */
export function pathRefused(market: Market, path: readonly string[], refusal: Refusal): SwapError {
  const members = {
    rejected: [{ path, reason: refusal.refused, detail: refusal.why }] as Json,
  }
  return new SwapError('NO_ROUTE', `an execution over this path would fail on ${market.network}`, {
    why: `${refusal.refused}: ${refusalText(refusal.why)}`,
    hint: {
      cli: 'change the amount, or leave --path out to search',
      http: 'change the amount, or leave path out to search',
    },
    members,
  })
}
