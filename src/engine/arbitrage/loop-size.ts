import type { Book } from '../market/book.js'
import type { Market, Router } from '../market/market.js'
import { isRefusal } from '../market/refusal.js'
import { grossOf, payoutOf, quotePath } from '../market/router.js'
import type { Coin, Denom } from '../market/token.js'
import { workBudget } from '../routing/query.js'
import { FILL } from '../routing/rank-paths.js'
import { hasPart, type SupplyCurve } from '../splits/supply-curve.js'

/** The float estimate of the size beyond which the next atomic through a loop is unprofitable. */
export type EstimatedSize = { readonly amount: number; readonly profit: number }

/** Units of work of each hop of a level that is walked. */
const LEVEL = 0.05

/** Maximum number of levels of a walk: far more than traded books have. */
const MOST_LEVELS = 100_000

/**
 * The most profitable size of a loop: walks the levels of all its sides at once, until an atomic more would
 * return less than itself, or `most` is reached. `feeFactor` is the share that the router's fee leaves.
 */
export function estimateSize(
  curves: readonly SupplyCurve[],
  feeFactor: number,
  most: number,
  budget = workBudget(),
): EstimatedSize {
  const index = curves.map(() => 0)
  const inside = curves.map(() => 0)
  let amount = 0
  let output = 0
  for (let levels = 0; levels < MOST_LEVELS && amount < most; levels += 1) {
    budget.spent += curves.length * LEVEL
    if (!curves.every((curve, i) => hasPart(curve, index[i]!))) break
    let gain = 1
    let headroom = most - amount
    let tightest = -1
    for (const [i, curve] of curves.entries()) {
      const left = (curve.cost[index[i]!]! - inside[i]!) / gain
      if (left < headroom) {
        headroom = left
        tightest = i
      }
      gain *= curve.rate[index[i]!]!
    }
    if (gain * feeFactor <= 1) break
    amount += headroom
    output += headroom * gain
    advance(curves, index, inside, headroom, tightest)
  }
  return { amount, profit: output * feeFactor - amount }
}

function advance(
  curves: readonly SupplyCurve[],
  index: number[],
  inside: number[],
  headroom: number,
  tightest: number,
): void {
  let flow = headroom
  for (const [i, curve] of curves.entries()) {
    const [cost, rate] = [curve.cost[index[i]!]!, curve.rate[index[i]!]!]
    const filled = inside[i]! + flow
    const isFull = i === tightest || filled >= cost
    if (isFull) index[i]! += 1
    inside[i] = isFull ? 0 : filled
    flow *= rate
  }
}

/** A loop: the books of a path that ends in its first denom. */
export type Loop = {
  readonly router: Router
  readonly books: readonly Book[]
  readonly denom: Denom
}

/**
 * The return of a loop for an input after all fees; `undefined` if a hop is refused, does not take all of its
 * offer, or nothing is paid.
 */
export function loopReturn({ router, books, denom }: Loop, amount: bigint): bigint | undefined {
  const coin: Coin = { denom, amount }
  const hops = quotePath(router, books, coin)
  if (isRefusal(hops) || hops.some(({ fill }) => fill.unsold > 0n)) return undefined
  return paidOf(router, hops.at(-1)!.output.amount)
}

/** The router's payout of a loop's output; `undefined` if it is nothing. */
function paidOf(router: Router, gross: bigint): bigint | undefined {
  const payout = payoutOf(router, gross, undefined)
  return isRefusal(payout) ? undefined : payout.recipient
}

/** A size with its exact profit. */
export type ExactSize = { readonly amount: bigint; readonly returned: bigint }

/** The widest step around a float's size, as a power of two, and how often one may be repeated. */
const WIDEST = 20n
const REPEATS = 4

/**
 * The most profitable size near the float estimate. A level ends there, so sizes around it are computed in
 * integers: abort windows are skipped, and no atomic is sent that buys nothing. Where no size nearby is profitable,
 * near the largest half, quarter and so on of the estimate that is; `undefined` if none is.
 */
export function exactSize(
  loop: Loop,
  estimate: bigint,
  most: bigint,
  budget = workBudget(),
): ExactSize | undefined {
  let best: ExactSize | undefined
  const attempt = (amount: bigint): boolean => {
    if (amount <= 0n || amount > most) return false
    budget.spent += loop.books.length * FILL
    const returned = loopReturn(loop, amount)
    if (returned === undefined || returned <= amount) return false
    if (best !== undefined && returned - amount <= best.returned - best.amount) return false
    best = { amount, returned }
    return true
  }
  const start = estimate < most ? estimate : most
  let widest = WIDEST
  attempt(start)
  for (let width = 0n; best === undefined && width <= WIDEST; width += 1n)
    for (const change of [1n << width, -(1n << width)]) attempt(start + change)
  // Hops abort from some size on, far below the estimate: a smaller one may pass.
  for (let half = start / 2n; best === undefined && half > 0n; half /= 2n)
    if (attempt(half)) widest = BigInt(half.toString(2).length)
  for (let width = widest; width >= 0n; width -= 1n)
    for (const change of [1n << width, -(1n << width)])
      for (let i = 0; i < REPEATS; i += 1)
        if (best === undefined || !attempt((best as ExactSize).amount + change)) break
  return best
}

/** The profit of a loop at one size; `undefined` if the path is refused or fees leave nothing. */
export type ProfitPoint = { readonly amount: bigint; readonly profit: bigint | undefined }

/**
 * Profit against size for one loop, on the current books, in atomics; each point is computed separately, with
 * the first book's refund and the router's balances. `addresses` are the loop's pairs in order of execution.
 */
export function profitCurve(
  market: Market,
  addresses: readonly string[],
  denom: Denom,
  amounts: readonly bigint[],
): readonly ProfitPoint[] {
  const books = addresses.flatMap((address) => market.books.get(address) ?? [])
  if (books.length < addresses.length || books.length === 0) return []
  const { router } = market
  return amounts.map((amount) => {
    const coin: Coin = { denom, amount }
    const hops = quotePath(router, books, coin)
    const paid = isRefusal(hops) ? undefined : paidOf(router, grossOf(router, hops))
    return { amount, profit: paid === undefined ? undefined : paid - amount }
  })
}
