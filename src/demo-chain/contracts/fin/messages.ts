import { fieldsOf, parseVariant, type ReadValue, read, refuse } from '../serde.js'
import type { FinVersion } from './config.js'
import { type BookSide, type OrderPrice, readPrice, readSide } from './price.js'
import type { Terms } from './walk.js'

const EXECUTE = 'rujira_rs::interfaces::fin::execute::ExecuteMsg'

/** A taker's request. */
export type SwapRequest = {
  readonly terms: Terms
  /** The recipient; the sender if absent. */
  readonly to: string | undefined
  /** Base64: the recipient is called with it instead of just being paid. */
  readonly callback: string | undefined
}

/** One entry of an `order` message: `target` is the amount to rest there, absent to only claim. */
export type OrderEntry = {
  readonly side: BookSide
  readonly price: OrderPrice
  readonly target: bigint | undefined
}

export type OrderRequest = {
  readonly entries: readonly OrderEntry[]
  readonly callback: string | undefined
}

type FinMessage =
  | { readonly kind: 'swap'; readonly request: SwapRequest }
  | { readonly kind: 'order'; readonly request: OrderRequest }
  /** `next` is the JSON text of the message that the contract then sends to itself. */
  | { readonly kind: 'arb'; readonly next: string | undefined }
  | { readonly kind: 'do_swap'; readonly sender: string; readonly request: SwapRequest }
  | { readonly kind: 'do_order'; readonly owner: string; readonly request: OrderRequest }

const variants = ['swap', 'order', 'arb', 'do_swap', 'do_order'] as const

/** @throws ContractError `Error parsing into type …` */
export function readMessage(version: FinVersion, text: string): FinMessage {
  const { variant, body } = parseVariant(EXECUTE, text, variants)
  const swap = version === '1.0' ? plainSwap : untaggedSwap
  switch (variant) {
    case 'swap':
      return { kind: 'swap', request: swap(EXECUTE, body) }
    case 'order':
      return { kind: 'order', request: readOrders(EXECUTE, body) }
    case 'do_swap': {
      const [sender, request] = read.tuple(2)(EXECUTE, body)
      return {
        kind: 'do_swap',
        sender: read.text(EXECUTE, sender),
        request: swap(EXECUTE, request),
      }
    }
    case 'do_order': {
      const [owner, request] = read.tuple(2)(EXECUTE, body)
      return {
        kind: 'do_order',
        owner: read.text(EXECUTE, owner),
        request: readOrders(EXECUTE, request),
      }
    }
    default: {
      const then = fieldsOf(EXECUTE, body).optional('then', read.binary)
      return { kind: 'arb', next: then && Buffer.from(then).toString() }
    }
  }
}

/** FIN 1.0: one struct, whose protection holds. */
const plainSwap: ReadValue<SwapRequest> = (type, body) => {
  const fields = fieldsOf(type, body)
  const minReturn = fields.optional('min_return', read.uint128)
  return {
    terms: minReturn === undefined ? {} : { minReturn },
    to: fields.optional('to', read.text),
    callback: fields.optional('callback', read.base64),
  }
}

/**
 * FIN 1.1: an untagged enum whose first variant has only optional fields and accepts unknown ones, so
 * every object is read as that variant and protection is ignored (docs/venues.md#protected-swaps).
 */
const untaggedSwap: ReadValue<SwapRequest> = (type, body) => {
  try {
    const fields = fieldsOf(type, body)
    return {
      terms: {},
      to: fields.optional('to', read.text),
      callback: fields.optional('callback', read.base64),
    }
  } catch {
    return refuse(type, 'data did not match any variant of untagged enum SwapRequest')
  }
}

const readEntry: ReadValue<OrderEntry> = (type, value) => {
  const [side, price, target] = read.tuple(3)(type, value)
  return {
    side: readSide(type, side),
    price: readPrice(type, price),
    target: read.optional(read.uint128)(type, target),
  }
}

const readOrders: ReadValue<OrderRequest> = (type, body) => {
  const [entries, callback] = read.tuple(2)(type, body)
  return {
    entries: read.list(readEntry)(type, entries),
    callback: read.optional(read.base64)(type, callback),
  }
}
