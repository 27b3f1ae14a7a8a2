import { ceilDiv } from '../math/decimal.js'
import {
  type Book,
  type Execution,
  executeBook,
  type Fill,
  quoteBook,
  simulateBook,
} from './book.js'
import type { Affiliate, Router } from './market.js'
import { askDenom } from './pair.js'
import { isRefusal, type Refusal, refusal } from './refusal.js'
import type { Coin, Denom } from './token.js'

/** A path's output as divided by the router, in its atomics (docs/venues.md#router-payout). */
export type Payout = {
  /** What the recipient gets. */
  readonly recipient: bigint
  /** The protocol fee, rounded up; the referral is part of it. */
  readonly protocol: bigint
  /** Share of the protocol fee that goes to the affiliate, rounded down. */
  readonly referral: bigint
  /** The affiliate's own fee on top, rounded down. */
  readonly affiliate: bigint
}

const BPS = 10_000n

/** Divides a gross output. Refused where the fees exceed it: the contract subtracts below zero. */
export function payoutOf(
  router: Router,
  gross: bigint,
  affiliate: Affiliate | undefined,
): Payout | Refusal {
  const protocol = ceilDiv(gross * router.feeBps, BPS)
  const extra = affiliate === undefined ? 0n : (gross * affiliate.affiliateFeeBps) / BPS
  const recipient = gross - protocol - extra
  if (recipient < 0n)
    return refusal(
      'fees_exceed_output',
      `fees of ${protocol + extra} exceed the output of ${gross}`,
    )
  const referral = affiliate === undefined ? 0n : (protocol * affiliate.referralFeeShareBps) / BPS
  return { recipient, protocol, referral, affiliate: extra }
}

/** What the router's `simulate` query answers: no arbitrage step, no affiliate, no leftovers. */
export type SimulatedPath = {
  readonly returned: bigint
  readonly fee: bigint
  readonly exact: boolean
}

/** The router's `simulate` over pairs in order of execution. A hop's unsold rest is not seen. */
export function simulatePath(
  router: Router,
  books: readonly Book[],
  coin: Coin,
): SimulatedPath | Refusal {
  let offer = coin
  let exact = true
  for (const book of books) {
    const fill = simulateBook(book, offer)
    if (isRefusal(fill)) return fill
    offer = { denom: askDenom(book.state.pair, fill.side), amount: fill.bought }
    exact &&= fill.exact
  }
  const fee = ceilDiv(offer.amount * router.feeBps, BPS)
  return { returned: offer.amount - fee, fee, exact }
}

/** One hop of a quoted path. */
export type Hop = {
  readonly book: Book
  readonly offer: Coin
  readonly output: Coin
  readonly fill: Fill
}

/**
 * What an execution pays along a path whose hops take their whole offer, before the router's fees.
 * `beyond_depth` where a hop would hand something back, which would stay in the router; balances of
 * the router join the hop of their denom (docs/venues.md#router-balances). A book that occurs twice
 * is quoted in the state that its earlier hop left.
 */
export function quotePath(
  router: Router,
  books: readonly Book[],
  coin: Coin,
): readonly Hop[] | Refusal {
  const hops: Hop[] = []
  const left = new Map<Book, Book>()
  let { denom, amount } = coin
  for (const [index, book] of books.entries()) {
    const offer = { denom, amount: amount + routerBalanceFor(router, hops, denom) }
    const met = left.get(book) ?? book
    const hop = quoteHop(met, offer)
    if (isRefusal(hop)) return hop
    if (books.includes(book, index + 1)) {
      const executed = executeBook(met, offer)
      if (isRefusal(executed)) return executed
      left.set(book, executed.after)
    }
    hops.push({ ...hop, book })
    denom = hop.output.denom
    amount = hop.output.amount
  }
  return hops
}

/**
 * What lies in the router of a denom after these hops: all of it, unless one of them offered the
 * denom, since a hop sells the router's whole balance.
 */
export const routerBalanceFor = (router: Router, hops: readonly Hop[], denom: Denom): bigint =>
  hops.some(({ offer }) => offer.denom === denom) ? 0n : (router.balances.get(denom) ?? 0n)

/** One hop that takes its whole offer and pays something. */
export function quoteHop(book: Book, offer: Coin): Hop | Refusal {
  const filled = quoteBook(book, offer)
  if (isRefusal(filled)) return filled
  const { pair } = book.state
  if (filled.unsold > 0n)
    return refusal(
      'beyond_depth',
      `${pair.address} takes only ${filled.sold} of ${offer.amount} ${offer.denom}`,
    )
  if (filled.bought === 0n)
    return refusal('zero_output', `${pair.address} pays nothing for ${offer.amount} ${offer.denom}`)
  const output = { denom: askDenom(pair, filled.side), amount: filled.bought }
  return { book, offer, output, fill: filled }
}

/** The router and its pairs as a sequence of executions leaves them. */
export type RouterState = {
  readonly router: Router
  readonly books: ReadonlyMap<string, Book>
}

/** What one router message does: its payments, its hops and the world after it. */
export type PathExecution = Payout & {
  readonly gross: bigint
  readonly hops: readonly Execution[]
  readonly exact: boolean
  readonly after: RouterState
}

/**
 * Executes one router message: every stage sells the router's whole balance of its denom, unsold
 * rests come back to the router, and its whole balance of the output denom is divided at the end.
 * Fails as a whole, leaving the world as it was.
 */
export function executePath(
  world: RouterState,
  addresses: readonly string[],
  coin: Coin,
  request: { readonly minReturn: Coin; readonly affiliate?: Affiliate | undefined },
): PathExecution | Refusal {
  const held = new Map(world.router.balances)
  const books = new Map(world.books)
  const hops: Execution[] = []
  let denom: Denom = coin.denom
  deposit(held, coin)
  for (const address of addresses) {
    const book = books.get(address)
    if (book === undefined) return refusal('quarantined', `${address} is not in the market`)
    const amount = held.get(denom) ?? 0n
    if (amount === 0n) return refusal('zero_output', `no balance of ${denom} for ${address}`)
    const executed = executeBook(book, { denom, amount })
    if (isRefusal(executed)) return executed
    const offered = denom
    denom = askDenom(book.state.pair, executed.side)
    held.set(offered, executed.unsold)
    deposit(held, { denom, amount: executed.bought })
    books.set(address, executed.after)
    hops.push(executed)
  }
  const gross = held.get(request.minReturn.denom) ?? 0n
  if (gross === 0n && addresses.length === 0)
    return refusal('zero_output', `no balance of ${request.minReturn.denom}`)
  held.delete(request.minReturn.denom)
  const division = payoutOf(world.router, gross, request.affiliate)
  if (isRefusal(division)) return division
  if (division.recipient < request.minReturn.amount)
    return refusal(
      'below_min_return',
      `Invalid return amount ${division.recipient} expected ${request.minReturn.amount}`,
    )
  if (division.recipient === 0n)
    return refusal('empty_maker_message', 'the output is zero and a payment of nothing fails')
  return {
    ...division,
    gross,
    hops,
    exact: hops.every((hop) => hop.exact),
    after: { router: { ...world.router, balances: positive(held) }, books },
  }
}

const deposit = (held: Map<Denom, bigint>, { denom, amount }: Coin): void => {
  held.set(denom, (held.get(denom) ?? 0n) + amount)
}

const positive = (held: ReadonlyMap<Denom, bigint>): ReadonlyMap<Denom, bigint> =>
  new Map([...held].filter(([, amount]) => amount > 0n))
