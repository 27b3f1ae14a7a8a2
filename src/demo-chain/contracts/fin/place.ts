import { formatDecimal, inverse, mulCeil } from '../../../engine/math/decimal.js'
import { fitsTick } from '../../../engine/math/tick.js'
import { sortedCoins } from '../../modules/bank.js'
import {
  type Coin,
  ContractError,
  type ContractEvent,
  coinsText,
  type ExecuteCall,
  type Message,
  type Response,
} from '../../modules/contract.js'
import { addTo, type Order, snapshotOf, syncOrder, withdrawFrom } from './bid-pool.js'
import { executeView, type FinVersion, givenDenom, type View, wantedDenom } from './config.js'
import type { OrderEntry, OrderRequest } from './messages.js'
import { opposite, priceText, rateOf } from './price.js'
import { commitGroups, pay } from './settle.js'
import { epochSums, loadOrder, loadPool, saveOrder, savePool } from './storage.js'
import { walk } from './walk.js'

/** The sums of one message's entries: coins by recipient, events and maker swaps. */
type OrderTotals = {
  readonly due: Coin[]
  readonly spent: Coin[]
  readonly fees: Coin[]
  readonly events: ContractEvent[]
  /** Swaps with makers that new orders filled. */
  readonly fills: Message[]
}

/**
 * Places, changes, cancels and claims orders, entry by entry, and pays back the surplus
 * (docs/venues.md#orders).
 *
 * @throws ContractError if the attached coins do not suffice
 */
export function placeOrders(
  version: FinVersion,
  call: ExecuteCall,
  owner: string,
  { entries, callback }: OrderRequest,
): Response {
  const view = executeView(version, call)
  const totals: OrderTotals = { due: [...call.funds], spent: [], fees: [], events: [], fills: [] }
  for (const entry of entries) placeOne(view, call, owner, entry, totals)
  return {
    events: totals.events,
    messages: [
      ...totals.fills,
      ...pay(owner, leftOver(totals), callback),
      ...pay(view.config.feeAddress, totals.fees),
    ],
  }
}

function leftOver({ due, spent }: OrderTotals): Coin[] {
  const [got, required] = [sortedCoins(due), sortedCoins(spent)]
  const short = required.some(
    ({ denom, amount }) => (got.find((coin) => coin.denom === denom)?.amount ?? 0n) < amount,
  )
  if (short)
    throw new ContractError(
      `InsufficientFunds required ${coinsText(required)} got ${coinsText(got)}`,
    )
  return sortedCoins([...got, ...required.map(({ denom, amount }) => ({ denom, amount: -amount }))])
}

function placeOne(
  view: View,
  call: ExecuteCall,
  owner: string,
  entry: OrderEntry,
  totals: OrderTotals,
): void {
  const { side, price, target } = entry
  const { tick } = view.config
  if ('fixed' in price && !fitsTick(price.fixed, tick))
    throw new ContractError(`Invalid Price ${formatDecimal(price.fixed)} for Tick ${tick}`)
  const stored = loadOrder(call.storage, owner, side, price)
  if (stored !== undefined) change(view, call, owner, entry, stored, totals)
  else if (target !== undefined) create(view, call, owner, entry, target, totals)
}

function create(
  view: View,
  call: ExecuteCall,
  owner: string,
  entry: OrderEntry,
  target: bigint,
  totals: OrderTotals,
): void {
  const { side, price } = entry
  const denom = givenDenom(view.config, side)
  const used = view.version === '1.0' ? 0n : takeOpposite(view, call, entry, target, totals)
  const offer = target - used
  totals.spent.push({ denom, amount: target })
  const pool = addTo(loadPool(call.storage, side, price), offer)
  savePool(call.storage, side, price, pool)
  const updatedAt = call.env.time
  const order = { updatedAt, offer, amount: offer, filled: 0n, ...snapshotOf(pool) }
  saveOrder(call.storage, owner, side, price, order)
  totals.events.push(orderEvent('create', owner, entry, ['offer', offer]))
}

/**
 * A new order first fills from the other side at prices no worse than its own. The contract keeps the fee.
 *
 * @returns the atomics of the order that were used
 */
function takeOpposite(
  view: View,
  call: ExecuteCall,
  { side, price }: OrderEntry,
  target: bigint,
  totals: OrderTotals,
): bigint {
  if (target === 0n) return 0n
  const rate = rateOf(price, view.oracle)
  const taken = opposite(side)
  const limit = side === 'quote' ? rate : inverse(rate)
  const { groups, trades, consumed, returned } = walk(view, taken, target, { limit })
  if (returned === 0n) return 0n
  totals.fills.push(...commitGroups(view, call.storage, taken, groups))
  totals.events.push(...trades)
  totals.due.push({ denom: wantedDenom(view.config, side), amount: returned })
  return consumed
}

function change(
  view: View,
  call: ExecuteCall,
  owner: string,
  entry: OrderEntry,
  stored: Order,
  totals: OrderTotals,
): void {
  const { side, price, target } = entry
  const { storage } = call
  const pool = loadPool(storage, side, price)
  const order = claim(
    view,
    owner,
    entry,
    syncOrder(stored, pool, epochSums(storage, side, price)),
    totals,
  )
  const wanted = target ?? order.amount
  const denom = givenDenom(view.config, side)
  if (wanted > order.amount) {
    const amount = wanted - order.amount
    savePool(storage, side, price, addTo(pool, amount))
    totals.spent.push({ denom, amount })
    totals.events.push(orderEvent('increase', owner, entry, ['amount', amount]))
  } else if (wanted < order.amount) {
    const amount = order.amount - wanted
    savePool(storage, side, price, withdrawFrom(pool, amount))
    totals.due.push({ denom, amount })
    totals.events.push(orderEvent('retract', owner, entry, ['amount', amount]))
  }
  const changed = wanted === order.amount ? {} : { updatedAt: call.env.time, offer: wanted }
  saveOrder(storage, owner, side, price, { ...order, ...changed, amount: wanted })
}

/** Pays out the filled amount of an order, less the maker's fee, which is rounded up. */
function claim(
  view: View,
  owner: string,
  entry: OrderEntry,
  order: Order,
  totals: OrderTotals,
): Order {
  const { filled } = order
  if (filled === 0n) return order
  const denom = wantedDenom(view.config, entry.side)
  const fee = mulCeil(filled, view.config.feeMaker)
  totals.due.push({ denom, amount: filled - fee })
  totals.fees.push({ denom, amount: fee })
  totals.events.push(orderEvent('withdraw', owner, entry, ['amount', filled]))
  return { ...order, filled: 0n }
}

const orderEvent = (
  what: 'create' | 'increase' | 'retract' | 'withdraw',
  owner: string,
  { side, price }: OrderEntry,
  [name, amount]: readonly [string, bigint],
): ContractEvent => ({
  type: `rujira-fin/order.${what}`,
  attributes: [
    ['owner', owner],
    ['side', side],
    ['price', priceText(price)],
    [name, `${amount}`],
  ],
})
