import {
  ContractError,
  type ExecuteCall,
  type Message,
  type Response,
} from '../../wasm/contract.js'
import { oneCoin } from '../payment.js'
import { asBinary } from '../serde.js'
import { settleBook } from './arb.js'
import { commitGroups, pay } from './commit.js'
import { type FinVersion, givenDenom, sideTaking } from './config.js'
import type { SwapRequest } from './messages.js'
import { executeView } from './view.js'
import { walk } from './walk.js'

/** The contract runs itself: first the arbitrage step, then what the message is about. */
export const throughArb = ({ env, funds }: ExecuteCall, next: unknown): Response => ({
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
export const wireSwap = (version: FinVersion, { terms, to, callback }: SwapRequest): unknown => ({
  ...(version === '1.0' ? { min_return: terms.minReturn ?? null } : {}),
  to: to ?? null,
  callback: callback ?? null,
})

/** Matches the two sides, hands the profit to the fee address, and goes on with `next`. */
export function runArb(version: FinVersion, call: ExecuteCall, next: string | undefined): Response {
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
export function doSwap(
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

/** What only the contract itself may ask. */
export function requireSelf({ sender, env }: ExecuteCall): void {
  if (sender !== env.contract) throw new ContractError('Unauthorized')
}

export function requireAddress({ querier }: ExecuteCall, address: string): void {
  const why = querier.invalid(address)
  if (why !== undefined) throw new ContractError(`Generic error: addr_validate errored: ${why}`)
}
