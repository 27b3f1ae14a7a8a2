import { askDenom, offerDenom, type Pair, type Side } from '../market/pair.js'
import type { Denom } from '../market/token.js'
import { formatDecimal } from '../math/decimal.js'
import type { OrderPlace, OrderPrice } from './order-price.js'

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

/** The denom that an order on this side gives. */
export const givenDenom = (pair: Pair, side: Side): Denom => askDenom(pair, side)

/** The denom that an order on this side is paid in. */
export const wantedDenom = (pair: Pair, side: Side): Denom => offerDenom(pair, side)
