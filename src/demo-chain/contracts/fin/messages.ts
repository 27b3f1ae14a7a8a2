import { attempt } from '../../../platform/attempt.js'
import { fieldsOf, type ReadValue, read, refuse } from '../serde.js'
import type { FinVersion } from './config.js'
import { type OrderPlace, readPrice, readSide, wirePrice } from './price.js'
import type { Terms } from './walk.js'

/** A taker's request. */
export type SwapRequest = {
  readonly terms: Terms
  /** The recipient; the sender if absent. */
  readonly to: string | undefined
  /** Base64: the recipient is called with it instead of just being paid. */
  readonly callback: string | undefined
}

/** One entry of an `order` message: `target` is the amount to rest there, absent to only claim. */
export type OrderEntry = OrderPlace & { readonly target: bigint | undefined }

export type OrderRequest = {
  readonly entries: readonly OrderEntry[]
  readonly callback: string | undefined
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
const untaggedSwap: ReadValue<SwapRequest> = (type, body) =>
  attempt(() => {
    const fields = fieldsOf(type, body)
    return {
      terms: {},
      to: fields.optional('to', read.text),
      callback: fields.optional('callback', read.base64),
    }
  }) ?? refuse(type, 'data did not match any variant of untagged enum SwapRequest')

/** The reader of a taker's request. */
export const swapReader = (version: FinVersion): ReadValue<SwapRequest> =>
  version === '1.0' ? plainSwap : untaggedSwap

/** A swap request in the message that the contract sends to itself. */
export const wireSwap = (version: FinVersion, { terms, to, callback }: SwapRequest): unknown => ({
  ...(version === '1.0' ? { min_return: terms.minReturn ?? null } : {}),
  to: to ?? null,
  callback: callback ?? null,
})

const readEntry: ReadValue<OrderEntry> = (type, value) => {
  const [side, price, target] = read.tuple(3)(type, value)
  return {
    side: readSide(type, side),
    price: readPrice(type, price),
    target: read.optional(read.uint128)(type, target),
  }
}

export const readOrders: ReadValue<OrderRequest> = (type, body) => {
  const [entries, callback] = read.tuple(2)(type, body)
  return {
    entries: read.list(readEntry)(type, entries),
    callback: read.optional(read.base64)(type, callback),
  }
}

/** Orders in the message that the contract sends to itself. */
export const wireOrders = ({ entries, callback }: OrderRequest): unknown => [
  entries.map(({ side, price, target }) => [side, wirePrice(price), target ?? null]),
  callback ?? null,
]
