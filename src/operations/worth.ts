import type { Market } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import { pricesOf } from '../engine/market/valuation.js'
import { formatRational, type Rational, rational } from '../engine/math/rational.js'

/** The value of an amount in dollars at the mid prices of the books; `undefined` without a price. */
export type Worth = (coin: Coin) => Rational | undefined

/** Prices a market once, for any number of coins. */
export function worthIn(market: Market): Worth {
  const prices = pricesOf(market)
  const decimals = unitDecimals(market, market.usd)
  return ({ denom, amount }) => {
    const price = prices.get(denom)
    return price && decimals !== undefined
      ? rational(amount * price.numerator, price.denominator * 10n ** BigInt(decimals))
      : undefined
  }
}

const unitDecimals = (market: Market, denom: Denom | undefined): number | undefined =>
  denom === undefined ? undefined : market.tokens.get(denom)?.decimals

/** Dollars on the wire: a decimal, `null` where unknown. */
export const dollarsText = (worth: Rational | undefined): string | null =>
  worth === undefined ? null : formatRational(worth)

/** Whether one quotient is below another. */
export const isBelow = (a: Rational, b: Rational): boolean =>
  a.numerator * b.denominator < b.numerator * a.denominator

/** The order of a list of values: descending, unknown ones last. */
export function byWorth(a: Rational | undefined, b: Rational | undefined): number {
  if (a === undefined || b === undefined)
    return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0)
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator]
  return left === right ? 0 : left < right ? 1 : -1
}
