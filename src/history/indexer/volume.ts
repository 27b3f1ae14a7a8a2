import type { Coin, Denom } from '../../engine/market/token.js'
import { type Decimal, decimal, ONE } from '../../engine/math/decimal.js'
import type { Rational } from '../../engine/math/rational.js'

/**
 * What a swap moved, in dollars rounded down to 18 digits: what was put in at its price, or what came out
 * before the router's fees where only that has one. `undefined` where neither has.
 *
 * @param prices dollars per atomic
 */
export function volumeOf(
  input: Coin,
  gross: Coin,
  prices: ReadonlyMap<Denom, Rational>,
): Decimal | undefined {
  for (const { denom, amount } of [input, gross]) {
    const price = prices.get(denom)
    if (price !== undefined) return decimal((amount * price.numerator * ONE) / price.denominator)
  }
  return undefined
}
