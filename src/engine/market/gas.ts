import { ceilDiv, type Decimal, mulCeil } from '../math/decimal.js'
import type { Book, Fill } from './book.js'
import type { Coin, Denom } from './token.js'

/** Gas costs of a network (docs/chain.md#gas-estimates). */
export type GasRules = {
  /** Gas in percent of the same transaction's on the recorded node. */
  readonly percent: bigint
  /** The gas limit of a transaction; `undefined` without a limit. */
  readonly limit: bigint | undefined
  /** The fee for a unit of gas, in atomics of a denom; left out where gas is free. */
  readonly price?: { readonly denom: Denom; readonly amount: Decimal } | undefined
}

/** The default for unknown networks. */
export const usualGas: GasRules = { percent: 100n, limit: undefined }

/** Fitted to 24 recorded transactions: the estimates are within 17 % of them. */
const TRANSACTION = 130_000n
const MESSAGE = 125_000n
const HOP = 130_000n
/** Gas of querying a pair's makers, and of their messages. */
const MAKERS = 120_000n
const LEVEL = 21_000n

/** What the gas of a hop depends on. */
export type GasHop = { readonly book: Book; readonly fill: Pick<Fill, 'groups'> }

/** Estimated gas of one router message. */
export const messageGas = ({ percent }: GasRules, hops: readonly GasHop[]): bigint =>
  (hops.reduce(
    (sum, { book, fill }) =>
      sum + HOP + (book.state.makers.length > 0 ? MAKERS : 0n) + LEVEL * BigInt(fill.groups),
    MESSAGE,
  ) *
    percent) /
  100n

/** Rough gas of one order message: entries that take many levels of a book need more. */
export const orderGas = ({ percent }: GasRules, entries: number): bigint =>
  ((MESSAGE + HOP * BigInt(entries)) * percent) / 100n

/** Estimated gas of a transaction with these messages. */
export const transactionGas = ({ percent }: GasRules, messages: readonly bigint[]): bigint =>
  messages.reduce((sum, gas) => sum + gas, (TRANSACTION * percent) / 100n)

/** Gas limit of a transaction in percent of its simulated gas; fills that come before it may raise its gas. */
export const GAS_ADJUSTMENT = 140n

/**
 * The fee of a transaction with this estimate, rounded up: it is charged for the gas limit, not for the gas used.
 * `undefined` where gas is free.
 */
export const gasFee = ({ price }: GasRules, estimate: bigint): Coin | undefined =>
  price?.amount
    ? { ...price, amount: mulCeil(ceilDiv(estimate * GAS_ADJUSTMENT, 100n), price.amount) }
    : undefined

/** Percent of the simulated gas that the network's limit has to allow. */
const SPARE = 105n

/**
 * The gas limit of a transaction by the gas of its simulation, rounded up, at most the network's limit;
 * `undefined` where that is too close to the gas used.
 */
export function gasWanted(
  { limit }: GasRules,
  used: bigint,
  adjustment = GAS_ADJUSTMENT,
): bigint | undefined {
  const wanted = ceilDiv(used * adjustment, 100n)
  if (limit === undefined || wanted <= limit) return wanted
  return (used * SPARE) / 100n <= limit ? limit : undefined
}

/** Why there is no `gasWanted`. */
export const tooMuchGasText = ({ limit }: GasRules, used: bigint): string =>
  `it takes ${used} gas in a simulation, and a transaction may ask for ${limit}`

/** Whether a transaction with this estimated use fits the gas limit. */
export const isWithinGasLimit = ({ limit }: GasRules, estimate: bigint): boolean =>
  limit === undefined || (estimate * GAS_ADJUSTMENT) / 100n <= limit
