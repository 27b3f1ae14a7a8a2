import type { Book } from '../market/book.js'
import { opposite, type Side } from '../market/pair.js'
import { priceLevels } from '../market/price-levels.js'
import type { Coin } from '../market/token.js'
import { BPS, type Decimal, decimal, divFloor, formatDecimal, inverse } from '../math/decimal.js'
import { fitsTick } from '../math/tick.js'
import { beyondPrices, priceOnTick, type ShowPrice } from './ladder.js'
import { applyEntry, crossing } from './order-entry.js'
import {
  isOrderFailure,
  type OrderFailure,
  type OrderFailureReason,
  OrderFault,
} from './order-failure.js'
import { OrderLedger, type OwnerOrders } from './order-ledger.js'
import type { OrderEntry } from './order-message.js'
import { ORDER_VERBS, placeKey, priceText } from './order-price.js'
import {
  emptyTotals,
  failureOf,
  type OrderPreview,
  previewOrder,
  settleFirst,
} from './preview-order.js'
import type { RestingOrder } from './resting-order.js'

/** Limits of the review. */
export type OrderRules = {
  /**
   * How far a price may cross the best one of the opposite side, in basis points of that one;
   * `undefined` for no limit.
   */
  readonly maxCrossBps?: number | undefined
  /** The price by other books (quote per base), the reference where the opposite side is empty. */
  readonly priceElsewhere?: Decimal | undefined
  /** The coins sent with the message; by default those that it needs. */
  readonly funds?: readonly Coin[] | undefined
  /** How texts write a price; by default quote per base in atomics. */
  readonly showPrice?: ShowPrice | undefined
}

/** A notice for the sender of an entry. `entry` counts from 0 in the request. */
type OrderNotice = {
  readonly kind:
    | 'raise_rewritten'
    | 'only_claims'
    | 'claim_pays_nothing'
    | 'fills_pay_nothing'
    | 'takes_own_order'
  readonly entry: number
  readonly text: string
}

/** The entries to send, with their effects. */
export type OrderPlan = {
  readonly entries: readonly OrderEntry[]
  readonly notices: readonly OrderNotice[]
  readonly preview: OrderPreview
}

/**
 * Reviews the entries of a message and previews it. Refuses entries without an effect or with a harmful one:
 * a cancel or claim of nothing, an order that adds nothing, an immediate one that takes nothing, a price off
 * the tick or too far across the book, an oracle price on a pair without oracles, and in 1.0 any crossing
 * price. A raise at a crossing price becomes a cancel and a new order, which takes; a notice says so.
 */
export function planOrder(
  book: Book,
  owner: OwnerOrders,
  entries: readonly OrderEntry[],
  rules: OrderRules = {},
): OrderPlan | OrderFailure {
  try {
    const reviewed = review(book, owner, entries, rules)
    const preview = previewOrder(book, owner, reviewed.entries, rules.funds)
    return isOrderFailure(preview) ? preview : { ...reviewed, preview }
  } catch (error) {
    return failureOf(error)
  }
}

type Review = {
  readonly ledger: OrderLedger
  readonly rules: OrderRules
  readonly showPrice: ShowPrice
  readonly placed: Set<string>
  /** By the side of the entries: the best price of the other side before the first of them that takes. */
  readonly bestBefore: Map<Side, Decimal>
  readonly notices: OrderNotice[]
}

function review(
  book: Book,
  owner: OwnerOrders,
  entries: readonly OrderEntry[],
  rules: OrderRules,
): Pick<OrderPlan, 'entries' | 'notices'> {
  const ledger = new OrderLedger(book.state, owner)
  settleFirst(ledger, book)
  const totals = emptyTotals(owner)
  const seen = { placed: new Set<string>(), bestBefore: new Map<Side, Decimal>() }
  const showPrice = rules.showPrice ?? formatDecimal
  const state: Review = { ledger, rules, showPrice, ...seen, notices: [] }
  const sent = entries.flatMap((entry, index) => {
    const revised = reviewEntry(state, entry, index, isImmediate(entries, index))
    for (const each of revised) applyEntry(ledger, totals, each)
    state.placed.add(placeKey(entry))
    return revised
  })
  return { entries: sent, notices: state.notices }
}

/** Whether the resting amount of an entry is cancelled by a later entry of the same message. */
const isImmediate = (entries: readonly OrderEntry[], index: number): boolean =>
  entries
    .slice(index + 1)
    .some((later) => later.target === 0n && placeKey(later) === placeKey(entries[index]!))

const refuse = (reason: OrderFailureReason, why: string): never => {
  throw new OrderFault(reason, undefined, why)
}

/** Adds a notice about one entry. */
type Note = (kind: OrderNotice['kind'], text: string) => void

function reviewEntry(
  review: Review,
  entry: OrderEntry,
  index: number,
  isCancelled: boolean,
): readonly OrderEntry[] {
  const { ledger, placed, notices } = review
  const { target } = entry
  requirePrice(review, entry)
  const name = nameOf(review, entry)
  const order = ledger.orderAt(entry)
  const [amount, filled] = [order?.amount ?? 0n, order?.filled ?? 0n]
  const note: Note = (kind, text) => notices.push({ kind, entry: index, text })
  if (filled === 1n && ledger.state.pair.makerFee > 0n)
    note('claim_pays_nothing', 'the maker fee takes the single atomic that was filled')
  if (target === undefined) {
    if (order === undefined) refuse('nothing_to_claim', `there is no order ${name}`)
    if (filled === 0n) refuse('nothing_to_claim', `nothing was filled of ${name}`)
  } else if (target === 0n) {
    // The second entry of an immediate-or-cancel order may find nothing left.
    if (amount === 0n && filled === 0n && !placed.has(placeKey(entry)))
      refuse('nothing_to_cancel', `there is no order ${name}`)
    if (amount === 0n && filled > 0n)
      note('only_claims', `${name} is filled: nothing is cancelled, its fills are claimed`)
  } else if (target === amount) {
    if (filled === 0n) refuse('nothing_added', `${amount} rest at ${name} already`)
    note('only_claims', `${amount} rest at ${name} already: only its fills are claimed`)
  } else if (target > amount) {
    const takes = reviewIncrease(review, entry, target, isCancelled, note)
    if (!takes || order === undefined) return [entry]
    note(
      'raise_rewritten',
      `a raise does not take, and ${name} crosses: it is cancelled and placed again`,
    )
    return [{ ...entry, target: 0n }, entry]
  }
  return [entry]
}

/**
 * Reviews a new or larger order.
 *
 * @returns whether it takes from the other side
 * @throws OrderFault
 */
function reviewIncrease(
  review: Review,
  entry: OrderEntry,
  target: bigint,
  isCancelled: boolean,
  note: Note,
): boolean {
  const { ledger } = review
  requireInverse(review, entry)
  const name = nameOf(review, entry)
  const best = requireMaxCross(review, entry)
  const { taken } = crossing(ledger, entry, target)
  if (taken.received === 0n) {
    if (isCancelled) {
      const why = nothingTaken(review, entry, taken.offered)
      refuse('nothing_taken', `${name} takes nothing, and its rest is cancelled at once: ${why}`)
    }
    if (filledAlone(ledger, entry, target) === 0n)
      note(
        'fills_pay_nothing',
        `${target} at ${name} is worth less than one atomic of the other token: alone it is paid nothing`,
      )
    return false
  }
  if (best !== undefined) review.bestBefore.set(entry.side, best)
  if (ledger.state.pair.rules.newOrders === 'rest')
    refuse(
      'crosses_unprotected',
      `${name} crosses, and this version of the pair does not let an order take: the spread would go to its fee address`,
    )
  const isOwn = ({ side, rate }: RestingOrder) =>
    side !== entry.side && taken.levels.some((level) => level.rate === rate)
  if (ledger.orders().some((each) => each.remaining > 0n && isOwn(each)))
    note('takes_own_order', `${name} takes an order of the same owner, and both fees are due`)
  return true
}

/** What fills of a whole order pay, if no other order shares its price (docs/venues.md#bid-pools). */
const filledAlone = (ledger: OrderLedger, { side, price }: OrderEntry, amount: bigint): bigint => {
  const rate = ledger.requireRate(price)
  return divFloor(amount, side === 'bid' ? rate : inverse(rate))
}

const nameOf = ({ showPrice }: Review, { side, price }: OrderEntry): string =>
  `${ORDER_VERBS[side]} ${'fixed' in price ? showPrice(price.fixed) : priceText(price)}`

function requirePrice({ ledger, showPrice }: Review, { side, price }: OrderEntry): void {
  const { tick, oracles } = ledger.state.pair
  if ('bps' in price) {
    if (oracles === null)
      refuse('no_oracle', 'the pair has no oracles, so its orders have fixed prices only')
    return
  }
  if (fitsTick(price.fixed, tick)) return
  const nearest = showPrice(priceOnTick(side, price.fixed, tick))
  throw new OrderFault(
    'invalid_price',
    `Invalid Price ${formatDecimal(price.fixed)} for Tick ${tick}`,
    beyondPrices(side, price.fixed, tick, showPrice) ??
      `prices have ${tick} significant figures: the nearest that is no worse than ${showPrice(price.fixed)} is ${nearest}`,
  )
}

/** Refuses an ask that no swap can buy, since a pair divides by the inverse of its rate. */
function requireInverse({ ledger, showPrice }: Review, { side, price }: OrderEntry): void {
  if (side === 'bid' || inverse(ledger.requireRate(price)) > 0n) return
  const greatest = showPrice(inverse(decimal(1n)))
  refuse('invalid_price', `no swap can buy above ${greatest}, where the inverse of a price is zero`)
}

/** The best opposite rate for a new order on a side, after the arbitrage step. */
function bestOpposite({ state }: OrderLedger, side: Side): Decimal | undefined {
  const next = priceLevels(state, opposite(side)).next()
  return next.done ? undefined : next.value.rate
}

/** Why an order takes nothing. `offered`: what the book takes for no payment. */
function nothingTaken(
  { ledger, showPrice }: Review,
  { side, price }: OrderEntry,
  offered: bigint,
): string {
  const best = bestOpposite(ledger, side)
  if (best === undefined) return 'the other side of the book is empty'
  const rate = ledger.requireRate(price)
  const isReached = side === 'bid' ? rate >= best : rate <= best
  if (!isReached) return `the best price of the other side is ${showPrice(best)}`
  if (offered > 0n) return 'the amount is too small to be paid for'
  return `the payment at ${showPrice(best)} is rounded down, to a price beyond this one`
}

/**
 * Refuses a price too far across the best one that the other side had before the message took any of it: otherwise each
 * entry could go on from where the one before it has left the book.
 *
 * @returns that best price
 */
function requireMaxCross(review: Review, entry: OrderEntry) {
  const { ledger, rules, bestBefore, showPrice } = review
  const { maxCrossBps, priceElsewhere } = rules
  const best = bestBefore.get(entry.side) ?? bestOpposite(ledger, entry.side)
  const reference = best ?? priceElsewhere
  if (maxCrossBps === undefined || reference === undefined) return best
  const rate = ledger.requireRate(entry.price)
  const bound = entry.side === 'bid' ? BPS + BigInt(maxCrossBps) : BPS - BigInt(maxCrossBps)
  const isBeyond =
    entry.side === 'bid' ? rate * BPS > reference * bound : rate * BPS < reference * bound
  if (isBeyond) {
    const what =
      best === undefined
        ? 'the price by other books (the other side is empty)'
        : 'the best price of the other side'
    refuse(
      'beyond_max_cross',
      `${nameOf(review, entry)} is more than ${maxCrossBps / 100} % across ${what}, ${showPrice(reference)}`,
    )
  }
  return best
}
