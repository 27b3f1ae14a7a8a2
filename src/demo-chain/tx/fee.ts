import { moduleAddress } from '../modules/addresses.js'
import { transfer } from '../modules/bank.js'
import { type ChainEvent, type Coin, coinsText, eventOf } from '../modules/contract.js'
import { ChainFailure, failures } from '../modules/failure.js'
import type { Writer } from '../store/state.js'
import { invalidCoins } from './coins.js'

/** The chain's requirements for transactions. */
export type TxRules = {
  /** Of bech32 addresses. */
  readonly prefix: string
  /** Fee for a unit of gas, in hundred-millionths of an atomic of `feeDenom`; 0 takes any. */
  readonly gasPrice: bigint
  readonly feeDenom: string
}

const PRICE_UNIT = 100_000_000n

/** The least fee for a gas limit, in atomics of the fee denom, rounded up. */
export const requiredFee = (gasPrice: bigint, gasLimit: bigint): bigint =>
  (gasPrice * gasLimit + PRICE_UNIT - 1n) / PRICE_UNIT

/** The account that receives the fees. */
export const feeCollector = (prefix: string): string => moduleAddress(prefix, 'fee_collector')

/** Refuses a fee below the node's own price. @throws ChainFailure */
export function checkFee(rules: TxRules, coins: readonly Coin[], gasLimit: bigint): void {
  if (rules.gasPrice === 0n) return
  const required = requiredFee(rules.gasPrice, gasLimit)
  if (coins.some(({ denom, amount }) => denom === rules.feeDenom && amount >= required)) return
  throw failures.insufficientFee(
    `insufficient fees; got: ${coinsText(coins)} required: ${required}${rules.feeDenom}`,
  )
}

/**
 * Takes the fee from an account that is known to exist.
 *
 * @returns the fee events of a transaction
 * @throws ChainFailure
 */
export function deductFee(
  state: Writer,
  rules: TxRules,
  payer: string,
  coins: readonly Coin[],
): ChainEvent[] {
  const said = eventOf('tx', ['fee', coinsText(coins)], ['fee_payer', payer])
  if (coins.every(({ amount }) => amount === 0n)) return [said]
  if (invalidCoins(coins)) throw failures.insufficientFee(`invalid fee amount: ${coinsText(coins)}`)
  try {
    const moved = transfer(state, payer, feeCollector(rules.prefix), coins)
    return [...moved, eventOf('message', ['sender', payer]), said]
  } catch (error) {
    // The bank's own words, and then once more what kind of failure that is.
    throw error instanceof ChainFailure ? failures.insufficientFunds(error.message) : error
  }
}
