import {
  type Decimal,
  decimal,
  formatDecimal,
  mulFloor,
  ratio,
  uint128,
} from '../../../engine/math/decimal.js'
import { Abort } from '../../modules/contract.js'
import { type ReadValue, read, refuse, variantOf } from '../serde.js'

/** A price of limit orders: quote per base, or a deviation from the oracle's in basis points. */
export type OrderPrice = { readonly fixed: Decimal } | { readonly oracle: number }

const variants = ['fixed', 'oracle'] as const

/** `{"fixed":"1.5"}` or `{"oracle":-15}`. */
export const readPrice: ReadValue<OrderPrice> = (type, value) => {
  const { variant, body } = variantOf(variants)(type, value)
  return variant === 'fixed'
    ? { fixed: read.decimal(type, body) }
    : { oracle: read.i16(type, body) }
}

export const wirePrice = (price: OrderPrice): unknown =>
  'fixed' in price ? { fixed: formatDecimal(price.fixed) } : { oracle: price.oracle }

/** The price in events. */
export const priceText = (price: OrderPrice): string =>
  'fixed' in price ? `fixed:${formatDecimal(price.fixed)}` : `oracle:${price.oracle}`

/** Basis points in one. */
const BPS = 10_000n

/**
 * Quote per base, rounded down; not truncated to the tick (docs/venues.md#oracle-prices).
 *
 * @throws Abort if the price needs an oracle and the pair has none
 */
export function rateOf(price: OrderPrice, oracle: Decimal | undefined): Decimal {
  if ('fixed' in price) return price.fixed
  if (oracle === undefined) throw new Abort('No price to adjust for Premium')
  if (price.oracle === 0) return oracle
  const share = BPS + BigInt(price.oracle)
  if (share < 0n) throw new Abort('attempt to subtract with overflow')
  return decimal(uint128(mulFloor(oracle, ratio(share, BPS))))
}

/** A side of the book, named after the denom that its orders give. */
export type BookSide = 'base' | 'quote'

/** The place of an order: an owner has at most one on a side at a price. */
export type OrderPlace = { readonly side: BookSide; readonly price: OrderPrice }

export const opposite = (side: BookSide): BookSide => (side === 'base' ? 'quote' : 'base')

/** The same side in the terms of the engine. */
export const marketSide = (side: BookSide) => (side === 'base' ? 'ask' : 'bid')

export const readSide: ReadValue<BookSide> = (type, value) => {
  const { variant, body } = variantOf(['base', 'quote'])(type, value)
  if (body !== undefined) refuse(type, 'Invalid type')
  return variant === 'base' ? 'base' : 'quote'
}
