import { formatDecimal } from '../../../engine/math/decimal.js'
import {
  type Contract,
  ContractError,
  type ExecuteCall,
  type Message,
  type QueryCall,
  type Response,
} from '../../modules/contract.js'
import { oneCoin, requireAddress } from '../payment.js'
import { asBinary, type Fields, fieldsOf, parseVariant, read, writeJson } from '../serde.js'
import { syncOrder } from './bid-pool.js'
import {
  configAnswer,
  executeView,
  type FinVersion,
  givenDenom,
  queryView,
  sideTaking,
  type View,
} from './config.js'
import { groupsOf, totalOf } from './groups.js'
import {
  type OrderRequest,
  readOrders,
  type SwapRequest,
  swapReader,
  wireOrders,
  wireSwap,
} from './messages.js'
import { placeOrders } from './place.js'
import { type BookSide, type OrderPlace, rateOf, readPrice, readSide, wirePrice } from './price.js'
import { commitGroups, matchSides, pay } from './settle.js'
import { epochSums, loadOrder, loadPool, ordersPrefix, placeOf, rawBytes } from './storage.js'
import { walk } from './walk.js'

/** An order book pair of this version: limit orders, oracle orders, and makers that are queried. */
export const finContract = (version: FinVersion): Contract => ({
  execute: (call, message) => execute(version, call, message),
  query: (call, message) => answer(version, call, message),
  raw: (key, value) => rawBytes(version, key, value),
})

const EXECUTE = 'rujira_rs::interfaces::fin::execute::ExecuteMsg'

const executeVariants = ['swap', 'order', 'arb', 'do_swap', 'do_order'] as const

/** @throws ContractError `Error parsing into type …` */
function execute(version: FinVersion, call: ExecuteCall, text: string): Response {
  const { variant, body } = parseVariant(EXECUTE, text, executeVariants)
  const readSwap = swapReader(version)
  switch (variant) {
    case 'swap': {
      const request = readSwap(EXECUTE, body)
      return throughArb(call, { do_swap: [call.sender, wireSwap(version, request)] })
    }
    case 'do_swap': {
      const [sender, request] = read.tuple(2)(EXECUTE, body)
      return doSwap(version, call, read.text(EXECUTE, sender), readSwap(EXECUTE, request))
    }
    case 'order': {
      const request = readOrders(EXECUTE, body)
      return version === '1.0'
        ? orderThenArb(call, request)
        : throughArb(call, { do_order: [call.sender, wireOrders(request)] })
    }
    case 'do_order': {
      const [owner, request] = read.tuple(2)(EXECUTE, body)
      const placing = [read.text(EXECUTE, owner), readOrders(EXECUTE, request)] as const
      requireSelf(call)
      return placeOrders(version, call, ...placing)
    }
    default: {
      const then = fieldsOf(EXECUTE, body).optional('then', read.binary)
      return runArb(version, call, then && Buffer.from(then).toString())
    }
  }
}

/** FIN 1.0 places first, and matches the two sides afterwards. */
function orderThenArb(call: ExecuteCall, request: OrderRequest): Response {
  const placed = placeOrders('1.0', call, call.sender, request)
  const after = throughArb({ ...call, funds: [] }, null)
  return { events: placed.events, messages: [...placed.messages, ...after.messages] }
}

/** The contract calls itself: first the arbitrage step, then the actual message. */
const throughArb = ({ env, funds }: ExecuteCall, next: unknown): Response => ({
  events: [],
  messages: [
    {
      kind: 'execute',
      contract: env.contract,
      message: `{"arb":{"then":${next === null ? null : `"${asBinary(next)}"`}}}`,
      funds,
    },
  ],
})

/** Matches the two sides, sends the profit to the fee address, and continues with the message `next`. */
function runArb(version: FinVersion, call: ExecuteCall, next: string | undefined): Response {
  const view = executeView(version, call)
  const { base, quote, profit } = matchSides(view)
  const { denoms, feeAddress } = view.config
  const messages = [
    ...commitGroups(view, call.storage, 'base', base),
    ...commitGroups(view, call.storage, 'quote', quote),
    ...pay(feeAddress, [
      { denom: denoms[0], amount: profit.base },
      { denom: denoms[1], amount: profit.quote },
    ]),
  ]
  if (next !== undefined)
    messages.push({
      kind: 'execute',
      contract: call.env.contract,
      message: next,
      funds: call.funds,
    })
  return { events: [], messages }
}

/** Fills from the book with the one attached coin, and pays the taker. */
function doSwap(
  version: FinVersion,
  call: ExecuteCall,
  sender: string,
  { terms, to, callback }: SwapRequest,
): Response {
  requireSelf(call)
  const view = executeView(version, call)
  const recipient = to ?? sender
  if (to !== undefined) requireAddress(call, to)
  const offer = oneCoin(call.funds)
  const side = sideTaking(view.config, offer.denom)
  const { groups, trades, returned, remaining, fee } = walk(view, side, offer.amount, terms)
  const received = givenDenom(view.config, side)
  const messages: Message[] = [
    ...commitGroups(view, call.storage, side, groups),
    ...pay(
      recipient,
      [
        { denom: received, amount: returned },
        { denom: offer.denom, amount: remaining },
      ],
      callback,
    ),
    ...pay(view.config.feeAddress, [{ denom: received, amount: fee }]),
  ]
  return { events: trades, messages }
}

/** Refuses a message that only the contract itself may send. */
function requireSelf({ sender, env }: ExecuteCall): void {
  if (sender !== env.contract) throw new ContractError('Unauthorized')
}

const QUERY = 'rujira_rs::interfaces::fin::query::QueryMsg'

const variants = ['config', 'simulate', 'order', 'orders', 'book'] as const

/** The pair's answer to a query. @throws ContractError */
function answer(version: FinVersion, call: QueryCall, message: string): string {
  const { variant, body } = parseVariant(QUERY, message, variants)
  switch (variant) {
    case 'simulate': {
      const offer = read.coin(QUERY, body)
      const view = queryView(version, call)
      const side = sideTaking(view.config, offer.denom)
      const { returned, fee } = walk(view, side, offer.amount, {})
      return writeJson({ returned, fee })
    }
    case 'book':
      return bookAnswer(version, call, fieldsOf(QUERY, body))
    case 'order': {
      const [owner, side, price] = read.tuple(3)(QUERY, body)
      const which = { side: readSide(QUERY, side), price: readPrice(QUERY, price) }
      const view = queryView(version, call)
      return writeJson(orderAnswer(view, read.text(QUERY, owner), which))
    }
    case 'orders':
      return ordersAnswer(version, call, fieldsOf(QUERY, body))
    default:
      fieldsOf(QUERY, body)
      return writeJson(configAnswer(version, queryView(version, call).config))
  }
}

const DEFAULT_LEVELS = 100

function bookAnswer(version: FinVersion, call: QueryCall, fields: Fields): string {
  const limit = fields.optional('limit', read.u8) ?? DEFAULT_LEVELS
  const offset = fields.optional('offset', read.u8) ?? 0
  const view = queryView(version, call)
  const levels = (side: BookSide) => bookLevels(view, side, offset, limit)
  return writeJson({ base: levels('base'), quote: levels('quote') })
}

function bookLevels(view: View, side: BookSide, offset: number, limit: number): unknown[] {
  const levels: unknown[] = []
  const source = groupsOf(view, side)
  for (let at = 0; at < offset + limit; at++) {
    const next = source.next()
    if (next.done) break
    if (at >= offset)
      levels.push({ price: formatDecimal(next.value.rate), total: totalOf(next.value) })
  }
  return levels
}

function orderAnswer(view: View, owner: string, place: OrderPlace): unknown {
  const { storage } = view.call
  const stored = loadOrder(storage, owner, place)
  if (stored === undefined) throw new ContractError('NotFound')
  const pool = loadPool(storage, place)
  const order = syncOrder(stored, pool, epochSums(storage, place))
  return {
    owner,
    side: place.side,
    price: wirePrice(place.price),
    rate: formatDecimal(rateOf(place.price, view.oracle)),
    updated_at: order.updatedAt,
    offer: order.offer,
    remaining: order.amount,
    filled: order.filled,
  }
}

const DEFAULT_ORDERS = 10
const MOST_ORDERS = 31

function ordersAnswer(version: FinVersion, call: QueryCall, fields: Fields): string {
  const owner = fields.text('owner')
  const side = fields.optional('side', readSide)
  const offset = fields.optional('offset', read.u8) ?? 0
  const limit = Math.min(fields.optional('limit', read.u8) ?? DEFAULT_ORDERS, MOST_ORDERS)
  const view = queryView(version, call)
  const keys = [...call.storage.keys(ordersPrefix(owner, side))]
  if (side === 'quote') keys.reverse()
  const orders = keys
    .slice(offset, offset + limit)
    .map((key) => orderAnswer(view, owner, placeOf(owner, key)))
  return writeJson({ orders })
}
