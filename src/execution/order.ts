import type { Coin, Denom } from '../engine/market/token.js'
import type { Account } from './ports.js'

/** One leg that somebody wants executed, as a quote or a transaction names it. */
export type RequestedLeg = {
  readonly funds: Coin
  /** Pairs in order of execution. */
  readonly pairs: readonly string[]
  readonly output: Denom
  /** What the quote says that it pays, in atomics; `undefined` where nobody has said so. */
  readonly quoted: bigint | undefined
  /** What it demands at least. */
  readonly least: bigint
}

/** What is to be executed, wherever it comes from. Nothing of it is taken on trust. */
export type RequestedSwap = {
  /** `q_...`, where there is a quote. */
  readonly quoteId: string | null
  /** Whether somebody handed it in: such a document is executed once, unless `again` is said. */
  readonly isExternal: boolean
  readonly network: string
  readonly chainId: string
  /** Block time of the market that was quoted from, RFC 3339; `undefined` where there is none. */
  readonly time: string | undefined
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

/** How it is to be done. */
export type Terms = {
  readonly mode: 'batch' | 'legs'
  readonly slippage: Slippage
  /** At least so much of the output in all, in atomics. */
  readonly minOut: bigint | undefined
  /** A circle has to bring at least so much more than it takes, in atomics. */
  readonly minProfit: bigint | undefined
  readonly maxImpactBps: number
  /** Oldest quote, in milliseconds of the chain's time. */
  readonly maxAgeMs: number
  /** Blocks after which the transaction can never come. */
  readonly deadlineBlocks: number
  /** `undefined`: what a trial used, times the adjustment. */
  readonly gas: bigint | undefined
  /** In hundredths: 140 is 1.4. */
  readonly gasAdjustment: bigint
  /** `undefined`: what the network asks for. */
  readonly fees: readonly Coin[] | undefined
  /** Who is paid, where that is not who signs. */
  readonly to: string | undefined
  readonly affiliate: string | undefined
  readonly memo: string
  readonly once: string | null
  /** Executes a quote also where it was executed before. */
  readonly again: boolean
  /** No person confirms what is signed: limits hold, and the tightest tolerance. */
  readonly unattended: boolean
  /** Spending limits of the key, in millionths of a dollar; for unattended signing alone. */
  readonly limits: { readonly perTx: bigint | undefined; readonly perDay: bigint | undefined }
  readonly wait: 'included' | 'accepted' | 'none'
  /** `undefined`: until its fate is certain. */
  readonly waitMs: number | undefined
}

/** A call to execute something. */
export type Order = {
  readonly requested: RequestedSwap
  readonly account: Account
  readonly terms: Terms
}
