import { isDenom } from '../../../chain/trades/events.js'
import type { Unsigned } from '../../../chain/tx/unsigned-tx.js'
import type { Config } from '../../../config/load.js'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { parseUint128 } from '../../../engine/math/decimal.js'
import { isOrderMessage, parseOrderMessage } from '../../../engine/orders/order-message.js'
import {
  type DecodedCall,
  type DecodedOrder,
  decodedCalls,
  decodedOrders,
} from '../../../execution/plan/signing-view.js'
import { recordOf } from '../../../platform/json-object.js'
import { shellWord } from '../../../platform/shell-word.js'

/** The decoded messages of an external transaction. */
export type DecodedMessages =
  | { readonly kind: 'swap'; readonly calls: readonly DecodedCall[] }
  | { readonly kind: 'order'; readonly orders: readonly DecodedOrder[] }

/**
 * Decodes an external transaction. Accepted are swaps through the network's router, one coin each, and order
 * messages to pairs.
 *
 * @throws SwapError INVALID_REQUEST, QUOTE_MISMATCH
 */
export function messagesIn(tx: Unsigned, config: Config): DecodedMessages {
  requireDenoms(tx)
  const messages: readonly unknown[] = tx.calls.map(({ message }) => JSON.parse(message))
  const at = messages.findIndex(isOrderMessage)
  if (at < 0) return { kind: 'swap', calls: swapsIn(tx, config) }
  if (!messages.every(isOrderMessage))
    throw notASwap(`/body/messages/${at}`, 'must not be an order beside other messages')
  const malformed = messages.findIndex((message) => parseOrderMessage(message) === undefined)
  if (malformed >= 0) throw notASwap(`/body/messages/${malformed}/msg`, 'must be an order')
  return { kind: 'order', orders: decodedOrders(tx) }
}

/** Bank denoms match this pattern, and a confirmation has room for them. */
function requireDenoms({ calls, fee }: Unsigned): void {
  for (const [at, { funds }] of calls.entries())
    if (!funds.every(({ denom }) => isDenom(denom)))
      throw notASwap(`/body/messages/${at}/funds`, 'must have denoms of a bank')
  if (!fee.every(({ denom }) => isDenom(denom)))
    throw notASwap('/auth_info/fee/amount', 'must have denoms of a bank')
}

function swapsIn(tx: Unsigned, { network }: Config): readonly DecodedCall[] {
  const { address: router } = network.router
  for (const [at, { contract, message, funds }] of tx.calls.entries()) {
    const pointer = `/body/messages/${at}`
    if (contract !== router)
      throw new SwapError('QUOTE_MISMATCH', 'it calls another contract than the router', {
        why: `message ${at + 1} calls ${contract.slice(0, 90)}; ${routerText(network)}`,
        hint: `if that is the router: --router-address ${shellWord(contract.slice(0, 90))}`,
        members: { contract: contract.slice(0, 90) },
      })
    if (funds.length !== 1) throw notASwap(`${pointer}/funds`, 'must be one coin')
    if (!isSwap(JSON.parse(message))) throw notASwap(`${pointer}/msg`, 'must be a swap')
  }
  const calls = decodedCalls(tx)
  requireOneRecipient(calls, tx.sender)
  return calls
}

/** Received coins are tracked and reported for one account. */
function requireOneRecipient(calls: readonly DecodedCall[], sender: string): void {
  const [first, ...others] = new Set(calls.map(({ recipient }) => recipient ?? sender))
  if (others.length === 0) return
  throw invalidRequest('the swaps of this transaction pay different accounts', '/body/messages', {
    why: [first, ...others].map((each) => each?.slice(0, 90)).join(' and '),
    hint: 'make a transaction for each account',
  })
}

const routerText = ({ name, router }: Config['network']): string =>
  router.address === undefined
    ? `no router of ${name} is known`
    : `the router of ${name} is ${router.address}`

/** Whether a message is a swap by the router with only members that the confirmation shows. */
function isSwap(message: unknown): boolean {
  const swap = recordOf(recordOf(message)['swap'])
  const { denom, amount } = recordOf(swap['min_return'])
  const { stages, recipient, affiliate_code: affiliate } = swap
  return (
    Object.keys(recordOf(message)).length === 1 &&
    Array.isArray(stages) &&
    stages.length > 0 &&
    stages.every((stage) => areTexts(recordOf(stage)['address'], recordOf(stage)['denom'])) &&
    areTexts(denom, amount, recipient ?? '', affiliate ?? '') &&
    isDenom(String(denom)) &&
    parseUint128(String(amount)) !== undefined
  )
}

const areTexts = (...values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'string')

const notASwap = (pointer: string, detail: string): SwapError =>
  invalidRequest('this transaction is neither of swaps alone nor of orders alone', pointer, {
    why: `${pointer} ${detail}`,
    hint: 'give what swap execute or swap order prints with --generate-only',
  })
