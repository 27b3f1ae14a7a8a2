import { ceilDiv } from '../../engine/math/decimal.js'
import { moduleAddress } from '../modules/addresses.js'
import { transfer } from '../modules/bank.js'
import { ChainFailure, failures } from '../modules/chain-failure.js'
import { type ChainEvent, type Coin, coinsText, eventOf } from '../modules/contract.js'
import type { Writer } from '../store/state.js'

/** Whether a text has the form of a denom in the SDK. */
export const isDenom = (text: string): boolean => /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(text)

/** The SDK's integers have 256 bits. */
const AMOUNT = /^(0|[1-9]\d{0,76})$/

/** Parses an amount of a message. @throws RangeError */
function readAmount(text: string): bigint {
  if (AMOUNT.test(text)) return BigInt(text)
  throw new RangeError(`${JSON.stringify(text.slice(0, 80))} is not an amount`)
}

/** Coins of a message. @throws RangeError */
export const readCoins = (coins: readonly { denom: string; amount: string }[]): Coin[] =>
  coins.map(({ denom, amount }) => ({ denom, amount: readAmount(amount) }))

/**
 * Why coins are invalid, with the SDK's text: amounts must be positive, denoms well formed, sorted and different.
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
  ceilDiv(gasPrice * gasLimit, PRICE_UNIT)

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
  const feeEvent = eventOf('tx', ['fee', coinsText(coins)], ['fee_payer', payer])
  if (coins.every(({ amount }) => amount === 0n)) return [feeEvent]
  if (invalidCoins(coins)) throw failures.insufficientFee(`invalid fee amount: ${coinsText(coins)}`)
  try {
    const moved = transfer(state, payer, feeCollector(rules.prefix), coins)
    return [...moved, eventOf('message', ['sender', payer]), feeEvent]
  } catch (error) {
    // The bank's text, followed by the text of the error's kind.
    throw error instanceof ChainFailure ? failures.insufficientFunds(error.message) : error
  }
}
