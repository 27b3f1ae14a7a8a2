import type { AfterArbitrage } from '../market/after-arbitrage.js'
import { type Book, compileBook, requireArbitrage } from '../market/book.js'
import { balanceChange, fillMakers, moveBalances } from '../market/commit.js'
import type { Pair, PairState } from '../market/pair.js'
import { ContractFailure, isRefusal } from '../market/refusal.js'
import {
  addCoin,
  type Coin,
  type CoinSums,
  coinsOf,
  coinsText,
  differenceOf,
  sumsOf,
} from '../market/token.js'
import { ArithmeticAbort } from '../math/decimal.js'
import { applyEntry, type EntryPreview, type MessageTotals } from './order-entry.js'
import { CONTRACT_TEXTS, type OrderFailure, OrderFault } from './order-failure.js'
import { OrderLedger, type OwnerOrders } from './order-ledger.js'
import type { OrderEntry } from './order-message.js'
import { placeKey } from './order-price.js'
import type { RestingOrder } from './resting-order.js'

/** The exact effects of an order message: entry by entry, and in total. */
export type OrderPreview = {
  readonly entries: readonly EntryPreview[]
  /** The coins to send with the message, by denom. */
  readonly funds: readonly Coin[]
  /** Payments of the pair to the owner, by denom. */
  readonly paid: readonly Coin[]
  /** Maker fees of claims, which go to the pair's fee address. */
  readonly makerFees: readonly Coin[]
  /** The profit of the arbitrage step that runs before the message or, in 1.0, after it. */
  readonly profit: AfterArbitrage['profit']
  /** The owner's orders on the pair after the message. */
  readonly orders: readonly RestingOrder[]
  /** The pair after the message. */
  readonly after: PairState
  /** Whether all numbers rest on complete knowledge of everything touched. */
  readonly exact: boolean
}

/**
 * The effects of an order message on a pair (docs/venues.md#orders). `funds` are the coins sent with it; by
 * default those that its entries need: their spending less what is withdrawn from orders that rested before.
 */
export function previewOrder(
  book: Book,
  owner: OwnerOrders,
  entries: readonly OrderEntry[],
  funds?: readonly Coin[],
): OrderPreview | OrderFailure {
  try {
    return preview(book, owner, entries, funds)
  } catch (error) {
    return failureOf(error)
  }
}

function preview(
  book: Book,
  owner: OwnerOrders,
  entries: readonly OrderEntry[],
  sent: readonly Coin[] | undefined,
): OrderPreview {
  const takes = book.state.pair.rules.newOrders === 'take'
  const ledger = new OrderLedger(book.state, owner)
  const settledBefore = settleFirst(ledger, book)
  const totals = emptyTotals(owner)
  const previews = entries.map((entry) => applyEntry(ledger, totals, entry))
  const funds = sumsOf(sent ?? coinsOf(differenceOf(totals.spent, totals.credit)))
  // The step does not depend on the coins, but for the capital it needs.
  if (takes) ledger.exact &&= requireArbitrage(book, coinsOf(funds)).known
  const paid = leftOver(funds, totals)
  payOut(ledger, totals, funds, paid)
  const after = takes ? undefined : runArbitrage(ledger, compileBook(ledger.state), [])
  const exact = ledger.state.exact && ledger.exact
  return {
    entries: previews,
    funds: coinsOf(funds),
    paid,
    makerFees: coinsOf(totals.makerFees),
    profit: (settledBefore ?? after)!.profit,
    orders: ledger.orders(),
    after: { ...ledger.state, exact },
    exact,
  }
}

/** The totals of a message before its first entry. */
export const emptyTotals = (owner: OwnerOrders): MessageTotals => ({
  due: new Map(),
  spent: new Map(),
  makerFees: new Map(),
  credit: new Map(),
  makers: [],
  rested: new Set(owner.orders.map(placeKey)),
})

/** The step that runs before a message since 1.1. Throws `ContractFailure` if it fails. */
export const settleFirst = (ledger: OrderLedger, book: Book): AfterArbitrage | undefined =>
  book.state.pair.rules.newOrders === 'take' ? runArbitrage(ledger, book) : undefined

/** Runs the arbitrage step on the ledger. With `funds`, its payments must be covered. */
function runArbitrage(ledger: OrderLedger, book: Book, funds?: readonly Coin[]): AfterArbitrage {
  const arbitrage = book.afterArbitrage()
  if (isRefusal(arbitrage)) throw new ContractFailure(arbitrage.refused, arbitrage.why)
  if (funds !== undefined) ledger.exact &&= requireArbitrage(book, funds).known
  ledger.fill('ask', arbitrage.groups.asks)
  ledger.fill('bid', arbitrage.groups.bids)
  const { makers, balances } = arbitrage.state
  ledger.state = { ...ledger.state, makers, balances }
  return arbitrage
}

/** The owner's refund. Throws `OrderFault` if the coins do not cover the spending. */
function leftOver(funds: CoinSums, { due, spent }: MessageTotals): readonly Coin[] {
  const received = new Map(funds)
  for (const [denom, amount] of due) addCoin(received, denom, amount)
  const required = coinsOf(spent)
  if (required.some(({ denom, amount }) => (received.get(denom) ?? 0n) < amount))
    throw new OrderFault(
      'insufficient_funds',
      `InsufficientFunds required ${coinsText(required)} got ${coinsText(coinsOf(received))}`,
    )
  return coinsOf(differenceOf(received, spent))
}

/** Pays the makers, then the owner and the fees, from the pair's balances. */
function payOut(
  ledger: OrderLedger,
  { makers, makerFees }: MessageTotals,
  funds: CoinSums,
  paid: readonly Coin[],
): void {
  const { pair } = ledger.state
  receive(ledger, inPair(pair, funds))
  for (const { side, orders } of makers) {
    // A maker known by its quotes only was queried before the first of these orders.
    ledger.exact &&= orders.every(({ maker }) => !isStale(ledger.state, maker))
    for (const { sold, asked } of orders) {
      receive(ledger, balanceChange(side, -sold, 0n))
      receive(ledger, balanceChange(side, 0n, asked))
    }
    ledger.state = { ...ledger.state, makers: fillMakers(ledger.state, side, orders) }
  }
  for (const sums of [sumsOf(paid), makerFees])
    receive(ledger, inPair(pair, differenceOf(new Map(), sums)))
}

/** Moves the pair's balances, where they are known. Throws `OrderFault` below zero. */
function receive(ledger: OrderLedger, amounts: { readonly base: bigint; readonly quote: bigint }) {
  const balances = moveBalances(ledger.state, amounts)
  const shortSide = (['base', 'quote'] as const).find((denom) => balances && balances[denom] < 0n)
  if (shortSide !== undefined)
    throw new OrderFault(
      'pair_balance',
      'insufficient funds',
      `the pair holds ${-balances![shortSide]} ${ledger.state.pair[shortSide]} too little for the payments of this message`,
    )
  ledger.state = { ...ledger.state, balances }
}

const isStale = ({ makers }: PairState, index: number): boolean => {
  const maker = makers[index]
  return maker?.kind === 'quoted' && maker.stale
}

const inPair = ({ base, quote }: Pair, sums: CoinSums) => ({
  base: sums.get(base) ?? 0n,
  quote: sums.get(quote) ?? 0n,
})

/** The failure of a thrown fault. Rethrows anything else. */
export function failureOf(error: unknown): OrderFailure {
  if (error instanceof OrderFault)
    return { refused: error.reason, why: error.message, contractText: error.contractText }
  if (error instanceof ContractFailure) {
    const { reason, message } = error
    return { refused: reason, why: message, contractText: CONTRACT_TEXTS[reason] }
  }
  if (error instanceof ArithmeticAbort)
    return {
      refused: 'overflow',
      why: `the contract aborts: ${error.message}`,
      contractText: undefined,
    }
  throw error
}
