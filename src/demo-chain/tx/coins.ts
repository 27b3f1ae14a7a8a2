import type { Coin } from '../modules/contract.js'

/** Whether a text has the form of a denom in the SDK. */
export const isDenom = (text: string): boolean => /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(text)

const NUMBER = /^(0|-?[1-9]\d{0,99})$/
/** The SDK's integers. */
const MAX_BITS = 256

/**
 * An amount as messages carry it.
 *
 * @throws RangeError with the SDK's text; the decoder of transactions reports it.
 */
function readAmount(text: string): bigint {
  if (!NUMBER.test(text))
    throw new RangeError(`math/big: cannot unmarshal ${JSON.stringify(text)} into a *big.Int`)
  const amount = BigInt(text)
  const bits = (amount < 0n ? -amount : amount).toString(2).length
  if (bits > MAX_BITS) throw new RangeError(`integer out of range; got: ${bits}, max: ${MAX_BITS}`)
  return amount
}

/** Coins of a message. @throws RangeError */
export const readCoins = (coins: readonly { denom: string; amount: string }[]): Coin[] =>
  coins.map(({ denom, amount }) => ({ denom, amount: readAmount(amount) }))

/**
 * The reason, in the SDK's words, why coins are invalid: amounts must be positive, denoms well
 * formed, sorted and different.
 */
export function invalidCoins(coins: readonly Coin[]): string | undefined {
  let last: string | undefined
  for (const { denom, amount } of coins) {
    if (!isDenom(denom)) return `invalid denom: ${denom}`
    if (last !== undefined && denom < last) return `denomination ${denom} is not sorted`
    if (denom === last) return `duplicate denomination ${denom}`
    // As in the SDK, the first coin is printed with its amount, the others by denom.
    if (amount <= 0n)
      return `coin ${last === undefined ? `${amount}${denom}` : denom} amount is not positive`
    last = denom
  }
  return undefined
}

/** Coins as messages carry them. */
export const coinTexts = (coins: readonly Coin[]): { denom: string; amount: string }[] =>
  coins.map(({ denom, amount }) => ({ denom, amount: String(amount) }))
