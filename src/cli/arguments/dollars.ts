import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Token } from '../../engine/market/token.js'
import { pricesOf } from '../../engine/market/valuation.js'

/**
 * How many atomics of a token are worth so many dollars at the mid prices of the books, rounded
 * down. The text is a plain decimal.
 */
export function atomicsOf(market: Market, dollars: string, token: Token): bigint {
  const price = pricesOf(market).get(token.denom)
  const usd = market.usd === undefined ? undefined : market.tokens.get(market.usd)
  if (price === undefined || usd === undefined || price.numerator === 0n)
    throw new SwapError('INVALID_AMOUNT', `$${dollars} of ${token.symbol} has no known price`, {
      why: `no book with both sides gives ${token.symbol} a price in dollars`,
      hint: `write the amount in ${token.symbol}`,
      members: { pointer: '/input/amount' },
    })
  const [whole = '0', fraction = ''] = dollars.split('.')
  const atomics = BigInt(whole + fraction) * 10n ** BigInt(usd.decimals)
  const scaled = atomics * price.denominator
  const amount = scaled / (price.numerator * 10n ** BigInt(fraction.length))
  if (amount > 0n) return amount
  throw new SwapError('INVALID_AMOUNT', `$${dollars} is less than one atomic of ${token.symbol}`, {
    why: 'the amount would be zero',
    hint: 'write a larger amount',
    members: { pointer: '/input/amount' },
  })
}
