import type { Reader, Writer } from '../store/state.js'
import { touchAccount } from './accounts.js'
import { failures } from './chain-failure.js'
import { type ChainEvent, type Coin, transferEvents } from './contract.js'

/** The order of coins on the chain. */
export const byDenom = (a: Coin, b: Coin): number => (a.denom < b.denom ? -1 : 1)

/** Normalises coins: sorted by denom, without duplicates and zeros. */
export function sortedCoins(coins: readonly Coin[]): Coin[] {
  const sums = new Map<string, bigint>()
  for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + amount)
  return [...sums]
    .filter(([, amount]) => amount > 0n)
    .map(([denom, amount]) => ({ denom, amount }))
    .sort(byDenom)
}

/** The state space of the total amount of each denom. */
export const SUPPLY = 'supply'

/** The state space of the metadata of denoms. */
export const METADATA = 'metadata'

/** The names of a denom, and the digits of its displayed unit. */
export type TokenMetadata = {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly display: string
}

const space = (address: string): string => `bank/${address}`

/** Atomics of one denom that an address holds. */
export const balanceOf = (state: Reader, address: string, denom: string): bigint =>
  state.get<bigint>(space(address), denom) ?? 0n

export function* balancesOf(state: Reader, address: string): Iterable<Coin> {
  for (const denom of state.keys(space(address)))
    yield { denom, amount: balanceOf(state, address, denom) }
}

export function setBalance(state: Writer, address: string, { denom, amount }: Coin): void {
  state.set(space(address), denom, amount === 0n ? undefined : amount)
}

/**
 * Moves coins and returns the three events of a transfer. Sender and recipient may be the same. A new
 * recipient gets an account.
 *
 * @throws ChainFailure when a coin is zero or the sender holds too little; then the caller has to discard the writes
 */
export function transfer(
  state: Writer,
  from: string,
  to: string,
  coins: readonly Coin[],
): ChainEvent[] {
  if (coins.length === 0 || coins.some(({ amount }) => amount <= 0n))
    throw failures.invalidCoins('')
  for (const coin of coins) {
    const held = balanceOf(state, from, coin.denom)
    if (held < coin.amount)
      throw failures.insufficientFunds(
        `spendable balance ${held}${coin.denom} is smaller than ${coin.amount}${coin.denom}`,
      )
    setBalance(state, from, { denom: coin.denom, amount: held - coin.amount })
    setBalance(state, to, {
      denom: coin.denom,
      amount: balanceOf(state, to, coin.denom) + coin.amount,
    })
  }
  touchAccount(state, to)
  return transferEvents(from, to, coins)
}
