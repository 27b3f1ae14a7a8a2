import type { Coin } from '../../engine/market/token.js'
import { parseUint128 } from '../../engine/math/uint.js'

/** A denom as the bank takes it. */
const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/

export const isDenom = (text: string): boolean => DENOM.test(text)

/**
 * Coins as events and messages write them, in their order: `12rune,5btc-btc`. `undefined` for a text
 * that is none.
 */
export function parseCoins(text: string): readonly Coin[] | undefined {
  if (text === '') return []
  const coins: Coin[] = []
  for (const each of text.split(',')) {
    const [, digits = '', denom = ''] = /^(\d+)(\D.*)$/.exec(each) ?? []
    const amount = parseUint128(digits)
    if (amount === undefined || !isDenom(denom)) return undefined
    coins.push({ denom, amount })
  }
  return coins
}

/** The amount of one denom among coins. */
export const amountOf = (coins: readonly Coin[], denom: string): bigint =>
  coins.reduce((sum, coin) => (coin.denom === denom ? sum + coin.amount : sum), 0n)
