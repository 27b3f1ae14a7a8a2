import type { Coin } from './contract.js'

/** The order in which the chain wants coins. */
export const byDenom = (a: Coin, b: Coin): number => (a.denom < b.denom ? -1 : 1)

/** As the chain wants coins: by denom, one of each, none of zero. */
export function sortedCoins(coins: readonly Coin[]): Coin[] {
  const sums = new Map<string, bigint>()
  for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + amount)
  return [...sums]
    .filter(([, amount]) => amount > 0n)
    .map(([denom, amount]) => ({ denom, amount }))
    .sort(byDenom)
}
