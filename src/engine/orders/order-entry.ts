import { type MakerOrder, makerOrders } from '../market/commit.js'
import { opposite, type Side } from '../market/pair.js'
import { addCoin, type CoinSums, type Denom } from '../market/token.js'
import { takerFee, walk } from '../market/walk.js'
import { type Decimal, formatDecimal, inverse, mulCeil } from '../math/decimal.js'
import { fitsTick } from '../math/tick.js'
import { OrderFault } from './order-failure.js'
import type { OrderLedger } from './order-ledger.js'
import { givenDenom, type OrderEntry, wantedDenom } from './order-message.js'
import { type OrderPlace, placeKey } from './order-price.js'

/** One level that a new order takes at once: amounts in the given and the wanted denom. */
type TakenLevel = {
  readonly rate: Decimal
  readonly offered: bigint
  /** Before the taker fee. */
  readonly received: bigint
}

/**
 * What a new order takes of the opposite side: `offered` in the given denom, the others in the wanted
 * one, with `gross = fee + received`. The fee stays in the contract.
 */
type TakenNow = {
  readonly offered: bigint
  readonly gross: bigint
  readonly fee: bigint
  readonly received: bigint
  readonly levels: readonly TakenLevel[]
}

/** The effects of one entry. `given`: the denom that its side offers; `wanted`: the one it is paid in. */
export type EntryPreview = {
  readonly entry: OrderEntry
  readonly given: Denom
  readonly wanted: Denom
  /** Fills of the order that are paid out, in `wanted`: `filled = fee + paid`. */
  readonly claimed: { readonly filled: bigint; readonly fee: bigint; readonly paid: bigint }
  readonly taken: TakenNow
  /** The amount added to the price's pool, in `given`. */
  readonly added: bigint
  /** The amount withdrawn from the pool, in `given`. */
  readonly returned: bigint
  /** The resting amount after the entry, in `given`. */
  readonly rests: bigint
}

/** The sums of a message's entries so far. */
export type MessageTotals = {
  /** Coins for the owner. */
  readonly due: CoinSums
  readonly spent: CoinSums
  readonly makerFees: CoinSums
  /** The part of `due` from orders that rested before the message. */
  readonly credit: CoinSums
  /** Payments to the makers after the last entry, in this order. */
  readonly makers: { readonly side: Side; readonly orders: readonly MakerOrder[] }[]
  /** Places of orders that rested before the message and were not replaced by it. */
  readonly rested: Set<string>
}

const NOTHING_CLAIMED = { filled: 0n, fee: 0n, paid: 0n }

const NOTHING_TAKEN: TakenNow = { offered: 0n, gross: 0n, fee: 0n, received: 0n, levels: [] }

/** Applies one entry to the ledger and the totals. Throws where the contract fails. */
export function applyEntry(
  ledger: OrderLedger,
  totals: MessageTotals,
  entry: OrderEntry,
): EntryPreview {
  const { pair } = ledger.state
  const { side, price, target } = entry
  if ('fixed' in price && !fitsTick(price.fixed, pair.tick))
    throw new OrderFault(
      'invalid_price',
      `Invalid Price ${formatDecimal(price.fixed)} for Tick ${pair.tick}`,
    )
  const unchanged: EntryPreview = {
    entry,
    given: givenDenom(pair, side),
    wanted: wantedDenom(pair, side),
    claimed: NOTHING_CLAIMED,
    taken: NOTHING_TAKEN,
    added: 0n,
    returned: 0n,
    rests: 0n,
  }
  if (ledger.orderAt(entry) !== undefined) return change(ledger, totals, unchanged)
  return target === undefined ? unchanged : place(ledger, totals, unchanged, target)
}

/** A new order fills against the levels it crosses; the remainder rests. */
function place(
  ledger: OrderLedger,
  totals: MessageTotals,
  preview: EntryPreview,
  target: bigint,
): EntryPreview {
  const { entry, given, wanted } = preview
  const taken = takeOpposite(ledger, totals, entry, target)
  const rests = target - taken.offered
  addCoin(totals.spent, given, target)
  addCoin(totals.due, wanted, taken.received)
  ledger.add(entry, rests)
  ledger.save(entry, { amount: rests, offered: rests })
  totals.rested.delete(placeKey(entry))
  return { ...preview, taken, added: rests, rests }
}

function takeOpposite(
  ledger: OrderLedger,
  totals: MessageTotals,
  entry: OrderEntry,
  target: bigint,
): TakenNow {
  const { pair } = ledger.state
  if (target === 0n || pair.rules.newOrders === 'rest') return NOTHING_TAKEN
  const { taken, commit } = crossing(ledger, entry, target)
  if (taken.received === 0n) return NOTHING_TAKEN
  commit(totals)
  return taken
}

/** What a new order of this size takes now, and its effect on the ledger. */
export function crossing(ledger: OrderLedger, { side, price }: OrderPlace, offer: bigint) {
  const { state } = ledger
  const rate = ledger.requireRate(price)
  const against = opposite(side)
  const limit = side === 'bid' ? rate : inverse(rate)
  const { sold, gross, trades, certain } = walk(state, against, offer, limit)
  const fee = takerFee(state.pair, gross)
  ledger.exact &&= certain
  const levels = trades.map((trade) => ({
    rate: trade.rate,
    offered: trade.sold,
    received: trade.bought,
  }))
  const groups = trades.map(({ live }) => live)
  return {
    taken: { offered: sold, gross, fee, received: gross - fee, levels } satisfies TakenNow,
    commit(totals: MessageTotals) {
      totals.makers.push({ side: against, orders: makerOrders(state.pair.rules, groups) })
      ledger.fill(against, groups)
    },
  }
}

/** Claims an order that already rests, then raises or lowers it to the target; this never takes. */
function change(ledger: OrderLedger, totals: MessageTotals, preview: EntryPreview): EntryPreview {
  const { entry, given, wanted } = preview
  const order = ledger.orderAt(entry)!
  const claimed = claimOf(ledger.state.pair.makerFee, order.filled)
  addCoin(totals.makerFees, wanted, claimed.fee)
  const target = entry.target ?? order.amount
  const added = target > order.amount ? target - order.amount : 0n
  const returned = target < order.amount ? order.amount - target : 0n
  const hasRested = totals.rested.has(placeKey(entry))
  for (const sums of hasRested ? [totals.due, totals.credit] : [totals.due]) {
    addCoin(sums, wanted, claimed.paid)
    addCoin(sums, given, returned)
  }
  addCoin(totals.spent, given, added)
  ledger.add(entry, added)
  ledger.withdraw(entry, returned)
  const offered = target === order.amount ? order.offered : target
  ledger.save(entry, { amount: target, offered })
  return { ...preview, claimed, added, returned, rests: target }
}

/** The payment for a claim of `filled`: the maker fee is rounded up (docs/venues.md#the-taker-fee). */
export function claimOf(makerFee: Decimal, filled: bigint) {
  const fee = mulCeil(filled, makerFee)
  return { filled, fee, paid: filled - fee }
}
