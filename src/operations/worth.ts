import type { Market } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import { pricerOf } from '../engine/market/valuation.js'
import { powerOfTen } from '../engine/math/integers.js'
import {
  compareRationals,
  formatRational,
  type Rational,
  rational,
} from '../engine/math/rational.js'
import { keptWith } from '../platform/memoize.js'

/** The value of an amount in dollars at mid prices; `undefined` without a price. */
export type Worth = (coin: Coin) => Rational | undefined

/** Values coins, and prices each token of a market only once. */
export function worthIn(market: Market): Worth {
  const priceOf = pricerFor(market)
  const decimals = unitDecimals(market, market.usd)
  return ({ denom, amount }) => {
    const price = priceOf(denom)
    return price && decimals !== undefined
      ? rational(amount * price.numerator, price.denominator * powerOfTen(decimals))
      : undefined
  }
}

/**
 * The atomics of a token worth so many dollars (a plain decimal) at mid prices, rounded down; `undefined`
 * without a price.
 */
export function atomicsWorth(market: Market, dollars: string, denom: Denom): bigint | undefined {
  const price = pricerFor(market)(denom)
  const decimals = unitDecimals(market, market.usd)
  if (price === undefined || decimals === undefined || price.numerator === 0n) return undefined
  const [whole = '0', fraction = ''] = dollars.split('.')
  const atomics = BigInt(whole + fraction) * powerOfTen(decimals) * price.denominator
  return atomics / (price.numerator * powerOfTen(fraction.length))
}

/** Every quote of a block needs the same prices. */
const pricerFor = keptWith(pricerOf)

/** Atomics of one displayed unit of a token. */
export const unitOf = ({ tokens }: Pick<Market, 'tokens'>, denom: Denom): bigint =>
  powerOfTen(tokens.get(denom)?.decimals ?? 0)

const unitDecimals = (market: Market, denom: Denom | undefined): number | undefined =>
  denom === undefined ? undefined : market.tokens.get(denom)?.decimals

/** Dollars in documents: a decimal rounded towards zero, `null` if unknown. */
export function dollarsText(worth: Rational | undefined): string | null {
  if (worth === undefined) return null
  const { numerator, denominator } = worth
  return numerator < 0n
    ? `-${formatRational(rational(-numerator, denominator))}`
    : formatRational(worth)
}

/** Sorts values descending, unknown ones last. */
export function byWorth(a: Rational | undefined, b: Rational | undefined): number {
  if (a === undefined || b === undefined)
    return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0)
  return compareRationals(b, a)
}
