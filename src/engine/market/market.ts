import type { Book } from './book.js'
import type { GasRules } from './gas.js'
import type { Pair, PairDenoms } from './pair.js'
import type { Denom, Token } from './token.js'

/** How a router writes its stages: in order of execution with the denom produced, or as a stack. */
export const DIALECTS = ['forward', 'stack'] as const
export type Dialect = (typeof DIALECTS)[number]

/** An affiliate code as registered with the router. */
export type Affiliate = {
  /** On top of the protocol fee, of the gross output, rounded as the router's build does. */
  readonly affiliateFeeBps: bigint
  /** Share of the protocol fee that the affiliate gets, rounded down. */
  readonly referralFeeShareBps: bigint
}

/** How a build of the router rounds the affiliate fee (docs/venues.md#router-builds). */
export const AFFILIATE_ROUNDINGS = ['down', 'up'] as const
export type AffiliateRounding = (typeof AFFILIATE_ROUNDINGS)[number]

/** The contract that executes a path in one message (docs/venues.md#router). */
export type Router = {
  readonly address: string
  readonly dialect: Dialect
  /** Protocol fee on the gross output, rounded up. */
  readonly feeBps: bigint
  readonly affiliates: ReadonlyMap<string, Affiliate>
  /** `undefined` for an unknown build: payouts then assume `up`, which pays the recipient less. */
  readonly affiliateRounding: AffiliateRounding | undefined
  /** The router's own balances, which join the next swap of their denom. */
  readonly balances: ReadonlyMap<Denom, bigint>
}

/** The address prefix of a network, taken from one of its addresses. */
export const prefixOf = (address: string): string => address.slice(0, address.lastIndexOf('1'))

/** A pair excluded from the market; `reason` is `status: detail`. */
export type Excluded = {
  readonly address: string
  readonly status: string
  readonly reason: string
  /** Its denoms, if its configuration or label has them. */
  readonly denoms?: PairDenoms
  /** Its configuration, if known: orders of a pair can be closed without its book. */
  readonly pair?: Pair
  /** Whether the network has retired it. */
  readonly isRetired?: boolean
}

/** Everything that a quote depends on, at one block. */
export type Market = {
  readonly network: string
  readonly chainId: string
  readonly height: number
  /** Block time, RFC 3339 UTC. */
  readonly time: string
  readonly tokens: ReadonlyMap<Denom, Token>
  /** The dollar-pegged reference token, if the network has one. */
  readonly usd: Denom | undefined
  readonly router: Router
  readonly gas: GasRules
  /** The whitelisted denoms of the arbitrage scan with their fixed amounts. */
  readonly arbs: readonly { readonly denom: Denom; readonly amount: bigint }[]
  /** Open pairs by address, in the order of the document. */
  readonly books: ReadonlyMap<string, Book>
  readonly excluded: readonly Excluded[]
}
