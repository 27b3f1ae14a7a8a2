import { ceilDiv } from '../math/decimal.js'
import { rational } from '../math/rational.js'
import {
  type Book,
  type Execution,
  executeBook,
  type Fill,
  quoteBook,
  simulateBook,
} from './book.js'
import type { Affiliate, AffiliateRounding, Router } from './market.js'
import { askDenom, otherDenom } from './pair.js'
import { isRefusal, type Refusal, refusal } from './refusal.js'
import type { Coin, Denom } from './token.js'

/** A path's output as divided by the router, in its atomics (docs/venues.md#router-payout). */
export type Payout = {
  /** The recipient's amount. */
  readonly recipient: bigint
  /** The protocol fee, rounded up; the referral is part of it. */
  readonly protocol: bigint
  /** Share of the protocol fee that goes to the affiliate, rounded down. */
  readonly referral: bigint
  /** The affiliate's own fee on top, rounded as the router's build does; up where that is unknown. */
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
  const extra = affiliateFee(gross, affiliate, router.affiliateRounding ?? 'up')
  const recipient = gross - protocol - extra
  if (recipient < 0n)
    return refusal(
      'fees_exceed_output',
      `fees of ${protocol + extra} exceed the output of ${gross}`,
    )
  const referral = affiliate === undefined ? 0n : (protocol * affiliate.referralFeeShareBps) / BPS
  return { recipient, protocol, referral, affiliate: extra }
}

const affiliateFee = (
  gross: bigint,
  affiliate: Affiliate | undefined,
  rounding: AffiliateRounding,
): bigint => {
  if (affiliate === undefined) return 0n
  const fee = gross * affiliate.affiliateFeeBps
  return rounding === 'up' ? ceilDiv(fee, BPS) : fee / BPS
}

/** Whether `payoutOf` is exact: the build is known, or both ways of rounding give the same. */
export const isPayoutExact = (
  router: Router,
  gross: bigint,
  affiliate: Affiliate | undefined,
): boolean =>
  router.affiliateRounding !== undefined ||
  affiliateFee(gross, affiliate, 'up') === affiliateFee(gross, affiliate, 'down')

/** The router's `simulate` answer: without arbitrage steps, affiliate and leftovers. */
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

/** Fills a hop by its place on the path, the original pair and the offer. */
type FillHop = (index: number, book: Book, offer: Coin) => Hop | Refusal

/** The hops of a path, and the router's balances after them, including the output. */
export type FilledPath = {
  readonly hops: readonly Hop[]
  readonly held: ReadonlyMap<Denom, bigint>
}

/**
 * What an execution does along a path (docs/venues.md#router-execution): every hop sells all that the
 * router holds of its denom, and what the pair hands back joins the next hop of that denom, or the
 * payout. `beyond_depth` where neither comes: the rest would stay in the router. `zero_output` where a
 * hop pays nothing, also where coins of others in the router would go on in its place.
 */
export function fillPath(
  router: Router,
  books: readonly Book[],
  coin: Coin,
  fill: FillHop,
): FilledPath | Refusal {
  const held = new Map(router.balances)
  deposit(held, coin)
  const hops: Hop[] = []
  let { denom } = coin
  const met = new Set([denom])
  for (const [index, book] of books.entries()) {
    const offer = { denom, amount: held.get(denom) ?? 0n }
    const hop = fill(index, book, offer)
    if (isRefusal(hop)) return hop
    const { output } = hop
    const { unsold } = hop.fill
    if (unsold > 0n && !comesBack(books.slice(index + 1), output.denom, denom))
      return beyondDepth(hop)
    held.set(denom, unsold)
    denom = output.denom
    const own = met.has(denom) ? (held.get(denom) ?? 0n) : 0n
    if (output.amount + own === 0n) return paysNothing(hop)
    met.add(denom)
    deposit(held, output)
    hops.push(hop)
  }
  return { hops, held }
}

/** Whether a later hop offers, or the path ends in, this denom. */
function comesBack(books: readonly Book[], from: Denom, wanted: Denom): boolean {
  let at = from
  for (const { state } of books) {
    if (at === wanted) return true
    at = otherDenom(state.pair, at)
  }
  return at === wanted
}

/**
 * The hops of an execution along a path, before the router's fees. A book that occurs twice is quoted
 * in the state that its earlier hop left.
 */
export function quotePath(
  router: Router,
  books: readonly Book[],
  coin: Coin,
): readonly Hop[] | Refusal {
  const left = new Map<Book, Book>()
  const filled = fillPath(router, books, coin, (index, book, offer) => {
    const met = left.get(book) ?? book
    const hop = offerHop(met, offer)
    if (isRefusal(hop)) return hop
    if (books.includes(book, index + 1)) {
      const executed = executeBook(met, offer)
      if (isRefusal(executed)) return executed
      left.set(book, executed.after)
    }
    return { ...hop, book }
  })
  return isRefusal(filled) ? filled : filled.hops
}

/** The router's balance of the output denom after these hops, which it divides. */
export function grossOf(router: Router, input: Coin, hops: readonly Hop[]): bigint {
  const { denom } = hops.at(-1)!.output
  let held = (router.balances.get(denom) ?? 0n) + (input.denom === denom ? input.amount : 0n)
  for (const { offer, output, fill } of hops) {
    if (offer.denom === denom) held = fill.unsold
    else if (output.denom === denom) held += output.amount
  }
  return held
}

/** One hop as an execution fills it; it may hand back a part of its offer, and pay nothing. */
export function offerHop(book: Book, offer: Coin): Hop | Refusal {
  const filled = quoteBook(book, offer)
  return isRefusal(filled) ? filled : hopOf(book, offer, filled)
}

/** A hop from what it is offered and how it is filled. */
export const hopOf = (book: Book, offer: Coin, fill: Fill): Hop => ({
  book,
  offer,
  output: { denom: askDenom(book.state.pair, fill.side), amount: fill.bought },
  fill,
})

/** One hop that takes its whole offer and pays something. */
export function quoteHop(book: Book, offer: Coin): Hop | Refusal {
  const hop = offerHop(book, offer)
  if (isRefusal(hop)) return hop
  if (hop.fill.unsold > 0n) return beyondDepth(hop)
  return hop.output.amount === 0n ? paysNothing(hop) : hop
}

const beyondDepth = ({ book, offer, fill }: Hop): Refusal => ({
  refused: 'beyond_depth',
  why: `${book.state.pair.address} takes only ${fill.sold} of ${offer.amount} ${offer.denom}`,
  untaken: rational(fill.unsold, offer.amount),
})

const paysNothing = ({ book, offer }: Hop): Refusal =>
  refusal(
    'zero_output',
    `${book.state.pair.address} pays nothing for ${offer.amount} ${offer.denom}`,
  )

/** The router and its pairs after a sequence of executions. */
export type RouterState = {
  readonly router: Router
  readonly books: ReadonlyMap<string, Book>
}

/** The result of one router message: its payments, its hops and the resulting state. */
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
  const payout = payoutOf(world.router, gross, request.affiliate)
  if (isRefusal(payout)) return payout
  if (payout.recipient < request.minReturn.amount)
    return refusal(
      'below_min_return',
      `Invalid return amount ${payout.recipient} expected ${request.minReturn.amount}`,
    )
  if (payout.recipient === 0n)
    return refusal('empty_maker_message', 'the output is zero and a payment of nothing fails')
  return {
    ...payout,
    gross,
    hops,
    exact: hops.every((hop) => hop.exact) && isPayoutExact(world.router, gross, request.affiliate),
    after: { router: { ...world.router, balances: positiveCoins(held) }, books },
  }
}

const deposit = (held: Map<Denom, bigint>, { denom, amount }: Coin): void => {
  held.set(denom, (held.get(denom) ?? 0n) + amount)
}

export const positiveCoins = (held: ReadonlyMap<Denom, bigint>): ReadonlyMap<Denom, bigint> =>
  new Map([...held].filter(([, amount]) => amount > 0n))
