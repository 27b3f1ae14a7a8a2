import type { Side } from '../market/pair.js'
import {
  BPS,
  type Decimal,
  decimal,
  formatDecimal,
  mulFloor,
  parseDecimal,
  ratio,
  uint128,
} from '../math/decimal.js'

/** The price of an order: quote per base, or so many basis points from the pair's oracle price. */
export type OrderPrice = { readonly fixed: Decimal } | { readonly bps: number }

/** Basis points of a deviation: what 16 bits hold, and not below a price of zero. */
export const LEAST_BPS = -10_000
export const MOST_BPS = 32_767

/**
 * The rate of an oracle-priced order, quote per base, rounded down and not truncated to the tick
 * (docs/venues.md#oracle-prices). Throws `ArithmeticAbort` above 128 bits.
 */
export const oracleRate = (oracle: Decimal, bps: number): Decimal =>
  bps === 0 ? oracle : decimal(uint128(mulFloor(oracle, ratio(BPS + BigInt(bps), BPS))))

/** The place of an order: an owner has at most one order on a side at a price. */
export type OrderPlace = { readonly side: Side; readonly price: OrderPrice }

/** A price as displayed and typed: `0.499`, or `oracle-25bps`. Equal prices have equal texts. */
export const priceText = (price: OrderPrice): string =>
  'fixed' in price ? formatDecimal(price.fixed) : `oracle${price.bps < 0 ? '' : '+'}${price.bps}bps`

/** Parses a text of `priceText`; `undefined` for anything else. */
export function parsePriceText(text: string): OrderPrice | undefined {
  const match = /^oracle([+-]\d{1,5})bps$/.exec(text)
  if (match === null) {
    const fixed = parseDecimal(text)
    return fixed === undefined || fixed === 0n ? undefined : { fixed }
  }
  const bps = Number(match[1])
  return bps < LEAST_BPS || bps > MOST_BPS ? undefined : { bps: bps === 0 ? 0 : bps }
}

/** The action of an order by its side: an ask sells base, a bid buys it. */
export const ORDER_VERBS = { ask: 'sell', bid: 'buy' } as const

/**
 * The id of an owner's order, stable over its life: pair, side and price.
 *
 * @example orderId('thor1…', { side: 'bid', price }) === 'thor1…/buy/0.499'
 */
export const orderId = (pair: string, { side, price }: OrderPlace): string =>
  `${pair}/${ORDER_VERBS[side]}/${priceText(price)}`

/** Pair and place of an id of `orderId`; `undefined` for any other text. */
export function parseOrderId(id: string): ({ readonly pair: string } & OrderPlace) | undefined {
  const match = /^(.+)\/(buy|sell)\/([^/]+)$/.exec(id)
  if (match === null) return undefined
  const [, pair = '', verb, text = ''] = match
  const price = parsePriceText(text)
  return price && { pair, side: verb === 'buy' ? 'bid' : 'ask', price }
}

/** Identifies a place within one pair. */
export const placeKey = ({ side, price }: OrderPlace): string => `${side}/${priceText(price)}`
