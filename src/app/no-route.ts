import { type Json, SwapError } from '../errors.js'
import type { Market } from '../market/market.js'
import type { Refusal } from '../market/refusal.js'
import type { Coin, Denom } from '../market/token.js'
import { isConnected, type Routes, reasonsOf } from '../routing/find.js'
import type { Query } from '../routing/query.js'
import type { Rejected } from '../routing/ranked.js'
import { largestBelow, type Sized, smallestAbove } from '../routing/size.js'

/** No more rejected paths than this are listed in an error. */
const LISTED = 20

/** A path that was not offered, on the wire. */
export type RejectedDocument = {
  readonly path: readonly string[]
  readonly reason: string
  readonly detail: string
}

export const rejectedDocument = ({ edges, refusal }: Rejected): RejectedDocument => ({
  path: edges.map((edge) => edge.book.state.pair.address),
  reason: refusal.refused,
  detail: refusal.why,
})

/** Why a search came back empty: too much, too little, or no way at all. */
export function noRoute(query: Query, input: Coin, { rejected }: Routes): SwapError {
  const { market, denoms } = query.graph
  const target = denoms[query.to]!
  const what = `no route from ${input.denom} to ${target}`
  const members = { rejected: rejected.slice(0, LISTED).map(rejectedDocument) as Json }
  if (!isConnected(query))
    return new SwapError('NO_ROUTE', what, {
      why: `no path of at most ${query.limits.maxHops} hops within your limits connects them on ${market.network}`,
      hint: 'raise --max-hops, or lift --via and --exclude',
      members,
    })
  const least = onlyTooSmall(rejected) ? smallestAbove(query, input.amount) : undefined
  if (least !== undefined) return tooSmall(input, target, least)
  const most = largestBelow(query, input.amount)
  const more = most && smallestAbove(query, input.amount)
  if (most === undefined || more !== undefined)
    return new SwapError('NO_ROUTE', `${what} for ${input.amount}`, {
      why: reasonsOf(rejected)
        .map(([reason, n]) => `${n} refused: ${reason}`)
        .join(', '),
      hint: most
        ? `change the amount a little: ${most.amount} works, ${more?.amount} as well`
        : 'see why each path was refused: --explain',
      members,
    })
  return new SwapError('INSUFFICIENT_LIQUIDITY', `${what} for ${input.amount}`, {
    why: `paths exist, but the best of them takes at most ${most.amount} and pays ${most.output}`,
    hint: 'sell less, or split the order over several paths: swap sroute',
    members: { max_input: `${most.amount}`, output_at_max: `${most.output}`, ...members },
  })
}

const SMALLNESS = new Set(['zero_output', 'empty_maker_message', 'fees_exceed_output'])

const onlyTooSmall = (rejected: readonly Rejected[]): boolean =>
  rejected.some(({ refusal }) => SMALLNESS.has(refusal.refused))

const tooSmall = (input: Coin, target: Denom, least: Sized): SwapError =>
  new SwapError('AMOUNT_TOO_SMALL', `${input.amount} of ${input.denom} is too little to swap`, {
    why: `the output in ${target} would be zero, or a market maker would be sent nothing`,
    hint: `sell at least ${least.amount}`,
    members: { min_input: `${least.amount}` },
  })

/** An output that no input yields. */
export function tooMuch(query: Query, wanted: bigint, largest: Sized | undefined): SwapError {
  const { denoms } = query.graph
  const [from, to] = [denoms[query.from]!, denoms[query.to]!]
  if (largest === undefined)
    return new SwapError('NO_ROUTE', `no route from ${from} to ${to}`, {
      why: 'no amount passes any path within your limits',
      hint: 'raise --max-hops, or lift --via and --exclude',
      members: { rejected: [] },
    })
  return new SwapError('INSUFFICIENT_LIQUIDITY', `no single path pays ${wanted} of ${to}`, {
    why: `the most that one takes is ${largest.amount}, which pays ${largest.output}`,
    hint: 'ask for less, or split the order over several paths: swap sroute',
    members: { max_input: `${largest.amount}`, output_at_max: `${largest.output}` },
  })
}

/** A token that is listed, but that no open book trades. */
export const untraded = (market: Market, denom: Denom): SwapError =>
  new SwapError('NO_ROUTE', `no open book trades ${denom}`, {
    why: `${market.excluded.length} pairs of ${market.network} are left out at this block`,
    hint: 'see which and why: swap snapshot show',
    members: {
      rejected: market.excluded.map(({ address, reason }) => ({
        path: [address],
        reason: 'quarantined',
        detail: reason,
      })),
    },
  })

/** The one path that was asked for, refused. */
export function pathRefused(market: Market, path: readonly string[], refusal: Refusal): SwapError {
  const members = {
    rejected: [{ path, reason: refusal.refused, detail: refusal.why }] as Json,
  }
  return new SwapError('NO_ROUTE', `an execution over this path would fail on ${market.network}`, {
    why: `${refusal.refused}: ${refusal.why}`,
    hint: 'change the amount, or leave --path out to search',
    members,
  })
}
