import { ArithmeticAbort } from '../../../engine/math/uint.js'
import { Abort, type Contract, type ExecuteCall, type Response } from '../../wasm/contract.js'
import { answer } from './answers.js'
import type { FinVersion } from './config.js'
import { type OrderRequest, readMessage } from './messages.js'
import { placeOrders } from './place.js'
import { wirePrice } from './price.js'
import { rawBytes } from './raw.js'
import { doSwap, requireSelf, runArb, throughArb, wireSwap } from './swap.js'

/** An order book pair of this version: limit orders, oracle orders, and makers that are asked. */
export const finContract = (version: FinVersion): Contract => ({
  name: 'rujira-fin',
  execute: (call, message) => panicking(() => execute(version, call, message)),
  query: (call, message) => panicking(() => answer(version, call, message)),
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
export function panicking<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof ArithmeticAbort)) throw error
    const below = error.message.startsWith('tick')
    throw new Abort(`attempt to ${below ? 'subtract' : 'multiply'} with overflow`)
  }
}
