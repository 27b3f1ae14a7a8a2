import { SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { Coin, Denom } from '../engine/market/token.js'
import type { PlannedOrder } from '../operations/orders/order-preview.js'
import type { BookPrice } from '../operations/orders/taker-price.js'
import type { Account } from './ports.js'

/** One leg to execute, as given by a quote or a transaction. */
export type RequestedLeg = {
  readonly funds: Coin
  /** Pairs in order of execution. */
  readonly pairs: readonly string[]
  readonly output: Denom
  /** Expected output of the quote, in atomics; `undefined` if it gives none. */
  readonly quoted: bigint | undefined
  /** Minimum output, in atomics. */
  readonly least: bigint
}

/** A swap to execute, from any source. Every member is checked before use. */
export type RequestedSwap = {
  /** `q_...`; `null` without a quote. */
  readonly quoteId: string | null
  /** Whether it comes from a document: that is executed once, unless `again` is set. */
  readonly isExternal: boolean
  /** Block time of the quoted market, RFC 3339; `undefined` if unknown. */
  readonly time: string | undefined
  /** Of the unsigned transaction that it comes from; 0 is none. */
  readonly timeoutHeight?: bigint | undefined
  readonly legs: readonly RequestedLeg[]
  readonly slippageBps: number | undefined
  readonly affiliate: string | undefined
  readonly recipient: string | undefined
}

/** The slippage tolerances that were set, in basis points. */
export type Slippage = {
  /** By a flag of this call. */
  readonly flag: number | undefined
  /** By a configuration file or the environment. */
  readonly configured: number | undefined
  readonly builtIn: number
}

/** The longest deadline of a transaction that this program builds, in blocks. */
export const MOST_DEADLINE_BLOCKS = 200

/** How the transactions of a task are built, confirmed, signed and awaited. */
export type SigningTerms = {
  /** One transaction for all messages, or several, each confirmed with the first. */
  readonly mode: 'batch' | 'legs'
  /** Blocks after which the transaction can no longer be included, at most `MOST_DEADLINE_BLOCKS`. */
  readonly deadlineBlocks: number
  /** `undefined`: the gas used by the simulation, times the adjustment. */
  readonly gas: bigint | undefined
  /** In hundredths: 140 is 1.4. */
  readonly gasAdjustment: bigint
  /** `undefined`: the network's gas price times the gas limit, rounded up. */
  readonly fees: readonly Coin[] | undefined
  readonly memo: string
  readonly once: string | null
  /** A description of the request under the key `once`: the key is refused for other requests. */
  readonly request?: string | undefined
  /** The balance that the amount is a share of; nothing is signed once less is held. */
  readonly shareOf?: Coin | undefined
  /** No person confirms: spending limits and the tightest tolerance apply. */
  readonly unattended: boolean
  /** Spending limits of unattended signing, in millionths of a dollar. */
  readonly limits: { readonly perTx: bigint | undefined; readonly perDay: bigint | undefined }
  readonly wait: 'included' | 'accepted' | 'none'
  /** `undefined`: until the outcome is certain. */
  readonly waitMs: number | undefined
}

/** How a swap is executed. */
export type SwapTerms = SigningTerms & {
  readonly slippage: Slippage
  /** Minimum total output, in atomics. */
  readonly minOut: bigint | undefined
  /** Minimum profit of an arbitrage loop, in atomics. */
  readonly minProfit: bigint | undefined
  readonly maxImpactBps: number
  /** Maximum age of a quote, in milliseconds of the chain's time. */
  readonly maxAgeMs: number
  /** Recipient, if other than the signer. */
  readonly to: string | undefined
  readonly affiliate: string | undefined
  /** Executes a quote even if it was executed before. */
  readonly again: boolean
}

/** A swap with the account that signs it and its terms. */
export type SwapTask = {
  readonly requested: RequestedSwap
  readonly account: Account
  readonly terms: SwapTerms
}

/** Order messages to pairs, one a pair, with the account that signs them and its terms. */
export type OrderTask = {
  readonly account: Account
  readonly terms: SigningTerms
  /** Number of messages. */
  readonly count: number
  /** Where the price of an order comes from, if it comes from a book. */
  readonly pricedBy?: BookPrice | undefined
  /**
   * Reviews and previews messages on a market, in the order of `indexes`.
   *
   * @throws SwapError ORDER_REFUSED
   */
  plan(market: Market, indexes: readonly number[]): Promise<readonly PlannedOrder[]>
}

/** A task of an account: a swap or orders. */
export type Task = SwapTask | OrderTask

/** Indexes of the messages of a task. */
export const messagesOf = (task: Task): readonly number[] => [
  ...Array('plan' in task ? task.count : task.requested.legs.length).keys(),
]

/** Requires an account that can sign. @throws SwapError KEYFILE_NOT_FOUND */
export function requireKey({ address, unlock }: Account): NonNullable<Account['unlock']> {
  if (unlock !== undefined) return unlock
  throw new SwapError('KEYFILE_NOT_FOUND', `there is no key for ${address}`, {
    why: 'an address was given, and only a key can sign',
    hint: 'name a key: --from <name>; list them: swap keys list; or a program that signs: --signer',
    members: { path: null },
  })
}
