import * as Type from 'typebox'
import type { Pair } from '../../engine/market/pair.js'
import { formatDecimal } from '../../engine/math/decimal.js'
import { claimOf } from '../../engine/orders/order-entry.js'
import { givenDenom, wantedDenom } from '../../engine/orders/order-message.js'
import { ORDER_VERBS, type OrderPlace, orderId } from '../../engine/orders/order-price.js'
import { type RestingOrder, statusOf } from '../../engine/orders/resting-order.js'
import * as Doc from '../document-schema.js'

/** The place of an order: its id and the parts of the id. */
export const placeMembers = {
  id: Doc.text('Pair, side and price: stable while the order exists.'),
  side: Doc.OrderSide,
  price: Doc.textOrNull('Fixed price, quote per base in atomics; null for an oracle price.'),
  oracle_bps: Doc.countOrNull(
    'Distance from the oracle price in basis points; null for a fixed price.',
  ),
} as const

/** An owner's order on a pair (docs/api.md#orders). */
export const OrderDocument = Doc.closedObject({
  ...placeMembers,
  pair: Doc.PairAddress,
  rate: Doc.textOrNull('Quote per base at this height; null without an oracle price.'),
  status: Doc.oneOf(
    ['open', 'partly_filled', 'filled', 'cancelled'],
    'filled: nothing rests and there are fills to claim.',
  ),
  offer_denom: Doc.DenomText,
  receive_denom: Doc.DenomText,
  offered: Doc.atomics('What rested when it was last placed, raised or lowered, in offer_denom.'),
  remaining: Doc.atomics('What still rests, in offer_denom.'),
  filled: Doc.atomics('What it was paid and did not claim, in receive_denom.'),
  claimable: Doc.atomics('What a claim pays: filled less the maker fee, which is rounded up.'),
  updated_at: Doc.textOrNull('Block time when it was last placed, raised or lowered, RFC 3339.'),
})
export type OrderDocument = Doc.DocumentOf<typeof OrderDocument>

/** Pairs whose orders are missing in an answer. */
export const unreadOrders = (description: string) =>
  Type.Array(
    Doc.closedObject({
      address: Doc.PairAddress,
      reason: Doc.text('Why its orders cannot be read.'),
    }),
    { description },
  )

export function placeDocument(pair: Pick<Pair, 'address'>, place: OrderPlace) {
  const { side, price } = place
  return {
    id: orderId(pair.address, place),
    side: ORDER_VERBS[side],
    price: 'fixed' in price ? formatDecimal(price.fixed) : null,
    oracle_bps: 'bps' in price ? price.bps : null,
  }
}

export const orderDocument = (pair: Pair, order: RestingOrder): OrderDocument => ({
  ...placeDocument(pair, order),
  pair: pair.address,
  rate: order.rate === undefined ? null : formatDecimal(order.rate),
  status: statusOf(order),
  offer_denom: givenDenom(pair, order.side),
  receive_denom: wantedDenom(pair, order.side),
  offered: `${order.offered}`,
  remaining: `${order.remaining}`,
  filled: `${order.filled}`,
  claimable: `${claimOf(pair.makerFee, order.filled).paid}`,
  updated_at: timeOf(order.updatedAt),
})

const MOST_MS = 8_640_000_000_000_000n

/** Nanoseconds since 1970 as RFC 3339 in milliseconds; `null` for less than a millisecond and beyond dates. */
const timeOf = (nanoseconds: bigint): string | null => {
  const ms = nanoseconds / 1_000_000n
  return ms === 0n || ms > MOST_MS ? null : new Date(Number(ms)).toISOString()
}
