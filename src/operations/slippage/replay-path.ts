import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Coin } from '../../engine/market/token.js'
import { ceilDiv } from '../../engine/math/decimal.js'
import { routeAlong } from '../../engine/routing/find-routes.js'
import { openLimits } from '../../engine/routing/query.js'

/** A path of given pairs, in order of execution, with an input. */
export type PathCall = { readonly pairs: readonly string[]; readonly input: Coin }

/** The whole in hundredths of a basis point, the unit of drifts. */
const DRIFT_UNITS = 1_000_000n

const terms = {
  limits: openLimits(6),
  slippageBps: 0,
} as const

/** The output of a path on a market; `undefined` if its execution would fail. */
export function payoutAlong(market: Market, { pairs, input }: PathCall): bigint | undefined {
  const books = booksOf(market, pairs)
  const route = books && routeAlong(market, books, input, terms)
  return route === undefined || isRefusal(route) ? undefined : route.expected
}

/** The same, cached for unchanged books. */
export function payouts(call: PathCall): (market: Market) => bigint | undefined {
  let before: readonly Book[] = []
  let payout: bigint | undefined
  let routerBefore: string | undefined
  return (market) => {
    const books = booksOf(market, call.pairs)
    if (books === undefined) return undefined
    const router = routerState(market)
    if (books.every((book, i) => book === before[i]) && router === routerBefore) return payout
    payout = payoutAlong(market, call)
    before = books
    routerBefore = router
    return payout
  }
}

/** The router's properties that determine a payout. */
const routerState = ({ router }: Market): string =>
  [router.feeBps, ...[...router.balances].flat()].join(' ')

function booksOf(market: Market, pairs: readonly string[]): readonly Book[] | undefined {
  const books = pairs.flatMap((address) => market.books.get(address) ?? [])
  return books.length === pairs.length && books.length > 0 ? books : undefined
}

/**
 * How much less an execution paid than its quote, in hundredths of a basis point of the quote, rounded up;
 * negative if it paid more, infinite if it failed.
 */
export function driftOf(quoted: bigint, executed: bigint | undefined): number {
  if (executed === undefined) return Number.POSITIVE_INFINITY
  const lost = (quoted - executed) * DRIFT_UNITS
  // Integer division truncates negative numbers upwards already.
  return Number(lost < 0n ? lost / quoted : ceilDiv(lost, quoted))
}

/** The value that a share of the sorted values does not exceed: nearest rank, rounded up. */
export const nearestRank = (sorted: Float64Array, shareBps: number): number =>
  sorted[Math.max(0, Math.ceil((sorted.length * shareBps) / 10_000) - 1)]!
