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

/** A message in execution, with the sums of its entries: coins by recipient, events and maker swaps. */
type Placing = {
  readonly view: View
  readonly call: ExecuteCall
  readonly owner: string
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
  const placing: Placing = {
    view,
    call,
    owner,
    due: [...call.funds],
    spent: [],
    fees: [],
    events: [],
    fills: [],
  }
  for (const entry of entries) placeOne(placing, entry)
  const { events, fills, fees } = placing
  return {
    events,
    messages: [
      ...fills,
      ...pay(owner, leftOver(placing), callback),
      ...pay(view.config.feeAddress, fees),
    ],
  }
}

function leftOver({ due, spent }: Placing): Coin[] {
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

function placeOne(placing: Placing, entry: OrderEntry): void {
  const { view, call, owner } = placing
  const { price, target } = entry
  const { tick } = view.config
  if ('fixed' in price && !fitsTick(price.fixed, tick))
    throw new ContractError(`Invalid Price ${formatDecimal(price.fixed)} for Tick ${tick}`)
  const stored = loadOrder(call.storage, owner, entry)
  if (stored !== undefined) change(placing, entry, stored)
  else if (target !== undefined) create(placing, entry, target)
}

function create(placing: Placing, entry: OrderEntry, target: bigint): void {
  const { view, call, owner } = placing
  const denom = givenDenom(view.config, entry.side)
  const used = view.version === '1.0' ? 0n : takeOpposite(placing, entry, target)
  const offer = target - used
  placing.spent.push({ denom, amount: target })
  const pool = addTo(loadPool(call.storage, entry), offer)
  savePool(call.storage, entry, pool)
  const updatedAt = call.env.time
  const order = { updatedAt, offer, amount: offer, filled: 0n, ...snapshotOf(pool) }
  saveOrder(call.storage, owner, entry, order)
  placing.events.push(orderEvent('create', owner, entry, ['offer', offer]))
}

/**
 * A new order first fills from the other side at prices no worse than its own. The contract keeps the fee.
 *
 * @returns the atomics of the order that were used
 */
function takeOpposite(
  { view, call, ...totals }: Placing,
  { side, price }: OrderEntry,
  target: bigint,
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

function change(placing: Placing, entry: OrderEntry, stored: Order): void {
  const { view, call, owner } = placing
  const { storage } = call
  const pool = loadPool(storage, entry)
  const order = claim(placing, entry, syncOrder(stored, pool, epochSums(storage, entry)))
  const wanted = entry.target ?? order.amount
  const denom = givenDenom(view.config, entry.side)
  if (wanted > order.amount) {
    const amount = wanted - order.amount
    savePool(storage, entry, addTo(pool, amount))
    placing.spent.push({ denom, amount })
    placing.events.push(orderEvent('increase', owner, entry, ['amount', amount]))
  } else if (wanted < order.amount) {
    const amount = order.amount - wanted
    savePool(storage, entry, withdrawFrom(pool, amount))
    placing.due.push({ denom, amount })
    placing.events.push(orderEvent('retract', owner, entry, ['amount', amount]))
  }
  const changed = wanted === order.amount ? {} : { updatedAt: call.env.time, offer: wanted }
  saveOrder(storage, owner, entry, { ...order, ...changed, amount: wanted })
}

/** Pays out the filled amount of an order, less the maker's fee, which is rounded up. */
function claim({ view, owner, ...totals }: Placing, entry: OrderEntry, order: Order): Order {
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
