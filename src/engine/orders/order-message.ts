import { askDenom, offerDenom, type PairDenoms, type Side } from '../market/pair.js'
import type { Denom } from '../market/token.js'
import { formatDecimal, parseDecimal, parseUint128 } from '../math/decimal.js'
import { LEAST_BPS, MOST_BPS, type OrderPlace, type OrderPrice } from './order-price.js'

/**
 * One entry of an order message. `target` is the amount that rests at this price after the message, in
 * atomics of the denom that the side gives; `0n` claims and cancels, `undefined` only claims
 * (docs/venues.md#orders).
 */
export type OrderEntry = OrderPlace & { readonly target: bigint | undefined }

/** The contract names a side after the denom that its orders give. */
export const WIRE_SIDES = { ask: 'base', bid: 'quote' } as const

type WirePrice = { readonly fixed: string } | { readonly oracle: number }

/** The price in the contract's encoding. */
export const wirePrice = (price: OrderPrice): WirePrice =>
  'fixed' in price ? { fixed: formatDecimal(price.fixed) } : { oracle: price.bps }

/** The contract-execute message of these entries, for the pair itself. */
export type OrderMessage = {
  readonly order: readonly [
    entries: readonly (readonly [side: 'base' | 'quote', WirePrice, target: string | null])[],
    callback: null,
  ]
}

export const orderMessage = (entries: readonly OrderEntry[]): OrderMessage => ({
  order: [
    entries.map(({ side, price, target }) => [
      WIRE_SIDES[side],
      wirePrice(price),
      target === undefined ? null : `${target}`,
    ]),
    null,
  ],
})

/** Whether a message is one of orders, well formed or not. */
export const isOrderMessage = (message: unknown): message is { readonly order: unknown } =>
  typeof message === 'object' && message !== null && 'order' in message

/** The entries of a message as `orderMessage` writes it; `undefined` for anything else. */
export function parseOrderMessage(message: unknown): readonly OrderEntry[] | undefined {
  if (!isOrderMessage(message)) return undefined
  const { order, ...others } = message
  if (Object.keys(others).length > 0 || !Array.isArray(order) || order.length !== 2)
    return undefined
  const [list, callback] = order as readonly unknown[]
  if (callback !== null || !Array.isArray(list) || list.length === 0) return undefined
  const entries = list.map(parseEntry)
  return entries.every((entry) => entry !== undefined) ? entries : undefined
}

function parseEntry(entry: unknown): OrderEntry | undefined {
  if (!Array.isArray(entry) || entry.length !== 3) return undefined
  const [wireSide, wire, target] = entry as readonly unknown[]
  const side = wireSide === 'base' ? 'ask' : wireSide === 'quote' ? 'bid' : undefined
  const price = parseWirePrice(wire)
  const amount = typeof target === 'string' ? parseUint128(target) : undefined
  if (side === undefined || price === undefined) return undefined
  if (target === null) return { side, price, target: undefined }
  return amount === undefined ? undefined : { side, price, target: amount }
}

function parseWirePrice(wire: unknown): OrderPrice | undefined {
  if (typeof wire !== 'object' || wire === null || Object.keys(wire).length !== 1) return undefined
  if ('fixed' in wire && typeof wire.fixed === 'string') {
    const fixed = parseDecimal(wire.fixed)
    return fixed === undefined || fixed === 0n ? undefined : { fixed }
  }
  const bps = 'oracle' in wire ? wire.oracle : undefined
  if (typeof bps !== 'number' || !Number.isInteger(bps)) return undefined
  return bps < LEAST_BPS || bps > MOST_BPS ? undefined : { bps }
}

/** The denom that an order on this side gives. */
export const givenDenom = (pair: PairDenoms, side: Side): Denom => askDenom(pair, side)

/** The denom that an order on this side is paid in. */
export const wantedDenom = (pair: PairDenoms, side: Side): Denom => offerDenom(pair, side)
