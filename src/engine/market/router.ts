import { BPS, ceilDiv } from '../math/decimal.js'
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
import { addCoin, type Coin, type Denom, positiveSums } from './token.js'

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

/** Divides a gross output. Refused where the fees leave nothing, or exceed it: the contract subtracts below zero. */
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
  if (recipient === 0n) return refusal('zero_output', `the fees leave nothing of ${gross}`)
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
  return { ...simulatedPayout(router, offer.amount), exact }
}

/** What the router's `simulate` makes of the last pair's output: the protocol fee is rounded up. */
export function simulatedPayout({ feeBps }: Router, output: bigint) {
  const fee = ceilDiv(output * feeBps, BPS)
  return { returned: output - fee, fee }
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
 * router holds of its denom, and coins that the pair returns join the next hop of that denom, or the
 * payout. `beyond_depth` if there is neither: the rest would stay in the router. `zero_output` where a
 * hop pays nothing, even if coins of others in the router would continue the path.
 */
export function fillPath(
  router: Router,
  books: readonly Book[],
  coin: Coin,
  fill: FillHop,
): FilledPath | Refusal {
  const balances = new Map(router.balances)
  addCoin(balances, coin.denom, coin.amount)
  const hops: Hop[] = []
  let { denom } = coin
  const visited = new Set([denom])
  for (const [index, book] of books.entries()) {
    const offer = { denom, amount: balances.get(denom) ?? 0n }
    const hop = fill(index, book, offer)
    if (isRefusal(hop)) return hop
    const { output } = hop
    const { unsold } = hop.fill
    if (unsold > 0n && !isPassedLater(books.slice(index + 1), output.denom, denom))
      return beyondDepth(hop)
    balances.set(denom, unsold)
    denom = output.denom
    const ownBalance = visited.has(denom) ? (balances.get(denom) ?? 0n) : 0n
    if (output.amount + ownBalance === 0n) return paysNothing(hop)
    visited.add(denom)
    addCoin(balances, denom, output.amount)
    hops.push(hop)
  }
  return { hops, held: balances }
}

/** Whether a later hop offers, or the path ends in, this denom. */
function isPassedLater(books: readonly Book[], from: Denom, denom: Denom): boolean {
  let at = from
  for (const { state } of books) {
    if (at === denom) return true
    at = otherDenom(state.pair, at)
  }
  return at === denom
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
  const booksAfter = new Map<Book, Book>()
  const filled = fillPath(router, books, coin, (index, book, offer) => {
    const currentBook = booksAfter.get(book) ?? book
    const hop = offerHop(currentBook, offer)
    if (isRefusal(hop)) return hop
    if (books.includes(book, index + 1)) {
      const executed = executeBook(currentBook, offer)
      if (isRefusal(executed)) return executed
      booksAfter.set(book, executed.after)
    }
    return { ...hop, book }
  })
  return isRefusal(filled) ? filled : filled.hops
}

/** The router's balance of the output denom after these hops, which it divides. */
export function grossOf(router: Router, hops: readonly Hop[]): bigint {
  const { denom } = hops.at(-1)!.output
  let balance = router.balances.get(denom) ?? 0n
  for (const { offer, output, fill } of hops) {
    if (offer.denom === denom) balance = fill.unsold
    else if (output.denom === denom) balance += output.amount
  }
  return balance
}

/** One hop as an execution fills it; it may return a part of its offer, or pay nothing. */
export function offerHop(book: Book, offer: Coin): Hop | Refusal {
  const filled = quoteBook(book, offer)
  return isRefusal(filled) ? filled : hopOf(book, offer, filled)
}

export const hopOf = (book: Book, offer: Coin, fill: Fill): Hop => ({
  book,
  offer,
  output: { denom: askDenom(book.state.pair, fill.side), amount: fill.bought },
  fill,
})

/** One hop that takes its whole offer and pays something. */
export function quoteHop(book: Book, offer: Coin): Hop | Refusal {
  const hop = offerHop(book, offer)
  return isRefusal(hop) ? hop : (refusedHop(hop) ?? hop)
}

/** Why a hop does not take its whole offer, or pays nothing. */
export const refusedHop = (hop: Hop): Refusal | undefined =>
  hop.fill.unsold > 0n ? beyondDepth(hop) : hop.output.amount === 0n ? paysNothing(hop) : undefined

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
 * Executes one router message: every stage sells the router's whole balance of its denom, unsold rests come back to
 * the router, and its whole balance of the output denom is divided at the end. Fails as a whole, without a change.
 */
export function executePath(
  state: RouterState,
  addresses: readonly string[],
  coin: Coin,
  request: { readonly minReturn: Coin; readonly affiliate?: Affiliate | undefined },
): PathExecution | Refusal {
  const balances = new Map(state.router.balances)
  const books = new Map(state.books)
  const hops: Execution[] = []
  let denom: Denom = coin.denom
  addCoin(balances, coin.denom, coin.amount)
  for (const address of addresses) {
    const book = books.get(address)
    if (book === undefined) return refusal('quarantined', `${address} is not in the market`)
    const amount = balances.get(denom) ?? 0n
    if (amount === 0n) return refusal('zero_output', `no balance of ${denom} for ${address}`)
    const executed = executeBook(book, { denom, amount })
    if (isRefusal(executed)) return executed
    const offered = denom
    denom = askDenom(book.state.pair, executed.side)
    balances.set(offered, executed.unsold)
    addCoin(balances, denom, executed.bought)
    books.set(address, executed.after)
    hops.push(executed)
  }
  const gross = balances.get(request.minReturn.denom) ?? 0n
  if (gross === 0n && addresses.length === 0)
    return refusal('zero_output', `no balance of ${request.minReturn.denom}`)
  balances.delete(request.minReturn.denom)
  const payout = payoutOf(state.router, gross, request.affiliate)
  if (isRefusal(payout) && payout.refused !== 'zero_output') return payout
  // The contract compares before it pays.
  const paid = isRefusal(payout) ? 0n : payout.recipient
  if (paid < request.minReturn.amount)
    return refusal(
      'below_min_return',
      `Invalid return amount ${paid} expected ${request.minReturn.amount}`,
    )
  if (isRefusal(payout))
    return refusal('empty_maker_message', 'the output is zero and a payment of nothing fails')
  return {
    gross,
    hops,
    exact: hops.every((hop) => hop.exact) && isPayoutExact(state.router, gross, request.affiliate),
    after: { router: { ...state.router, balances: positiveSums(balances) }, books },
    ...payout,
  }
}
