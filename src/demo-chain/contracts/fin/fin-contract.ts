import { ArithmeticAbort } from '../../../engine/math/uint.js'
import {
  Abort,
  type Contract,
  ContractError,
  type ExecuteCall,
  type Message,
  type Response,
} from '../../modules/contract.js'
import { oneCoin } from '../payment.js'
import { asBinary } from '../serde.js'
import { answer, rawBytes } from './answers.js'
import { executeView, type FinVersion, givenDenom, sideTaking } from './config.js'
import { type OrderRequest, readMessage, type SwapRequest } from './messages.js'
import { placeOrders } from './place.js'
import { wirePrice } from './price.js'
import { commitGroups, pay, settleBook } from './settle.js'
import { walk } from './walk.js'

/** An order book pair of this version: limit orders, oracle orders, and makers that are queried. */
export const finContract = (version: FinVersion): Contract => ({
  name: 'rujira-fin',
  execute: (call, message) => withPanics(() => execute(version, call, message)),
  query: (call, message) => withPanics(() => answer(version, call, message)),
  raw: (key, value) => rawBytes(version, key, value),
})

function execute(version: FinVersion, call: ExecuteCall, text: string): Response {
  const message = readMessage(version, text)
  switch (message.kind) {
    case 'swap':
      return throughArb(call, { do_swap: [call.sender, wireSwap(version, message.request)] })
    case 'arb':
      return runArb(version, call, message.next)
    case 'do_swap':
      return doSwap(version, call, message.sender, message.request)
    case 'do_order':
      requireSelf(call)
      return placeOrders(version, call, message.owner, message.request)
    case 'order':
      return version === '1.0'
        ? orderThenArb(call, message.request)
        : throughArb(call, { do_order: [call.sender, wireOrders(message.request)] })
  }
}

/** FIN 1.0 places first, and matches the two sides afterwards. */
function orderThenArb(call: ExecuteCall, request: OrderRequest): Response {
  const placed = placeOrders('1.0', call, call.sender, request)
  const after = throughArb({ ...call, funds: [] }, null)
  return { events: placed.events, messages: [...placed.messages, ...after.messages] }
}

const wireOrders = ({ entries, callback }: OrderRequest): unknown => [
  entries.map(({ side, price, target }) => [side, wirePrice(price), target ?? null]),
  callback ?? null,
]

/** Leaving 128 bits is a panic of Rust's own. */
export function withPanics<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof ArithmeticAbort)) throw error
    const below = error.message.startsWith('tick')
    throw new Abort(`attempt to ${below ? 'subtract' : 'multiply'} with overflow`)
  }
}

/** The contract calls itself: first the arbitrage step, then the message proper. */
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

/** A swap request as the contract hands it to itself. */
const wireSwap = (version: FinVersion, { terms, to, callback }: SwapRequest): unknown => ({
  ...(version === '1.0' ? { min_return: terms.minReturn ?? null } : {}),
  to: to ?? null,
  callback: callback ?? null,
})

/** Matches the two sides, hands the profit to the fee address, and continues with `next`. */
function runArb(version: FinVersion, call: ExecuteCall, next: string | undefined): Response {
  const view = executeView(version, call)
  const { messages, matched } = settleBook(view, call.storage)
  const { denoms, feeAddress } = view.config
  messages.push(
    ...pay(feeAddress, [
      { denom: denoms[0], amount: matched.profit.base },
      { denom: denoms[1], amount: matched.profit.quote },
    ]),
  )
  if (next !== undefined)
    messages.push({
      kind: 'execute',
      contract: call.env.contract,
      message: next,
      funds: call.funds,
    })
  return { events: [], messages }
}

/** Takes from the book with the one coin that came along, and pays the taker. */
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

export function requireAddress({ querier }: ExecuteCall, address: string): void {
  const why = querier.invalid(address)
  if (why !== undefined) throw new ContractError(`Generic error: addr_validate errored: ${why}`)
}
