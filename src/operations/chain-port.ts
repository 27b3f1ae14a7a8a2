import { SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { Pair } from '../engine/market/pair.js'
import type { Coin, Denom } from '../engine/market/token.js'
import type { Decimal } from '../engine/math/decimal.js'
import type { OwnerOrders } from '../engine/orders/order-ledger.js'
import type { OrderPlace } from '../engine/orders/order-price.js'
import type { Stage } from '../engine/routing/message.js'

/** A contract's own `simulate` query: with `stages` the router's, otherwise a pair's. */
export type SimulateQuery = {
  readonly contract: string
  readonly coin: Coin
  readonly stages?: readonly Stage[]
}

/**
 * The answer of a contract: net output and fee in atomics, or the text of its refusal. `unknown`: the node's
 * gas limit was too low.
 */
export type SimulateResult =
  | {
      readonly kind: 'answered'
      readonly returned: bigint
      readonly fee: bigint
      /** The router's answer was computed from its pairs' answers. */
      readonly isPairByPair?: true
    }
  | { readonly kind: 'refused' | 'unknown'; readonly why: string }

/** One message of a simulated transaction, with its funds. */
export type TrialMessage = {
  readonly contract: string
  readonly message: object
  /** Sorted by denom. */
  readonly funds: readonly Coin[]
}

/** The result of a simulated transaction. */
export type TransactionTrial =
  | {
      readonly kind: 'passed'
      readonly gasUsed: bigint
      /** All payments of the transaction, in order. */
      readonly payments: readonly { readonly to: string; readonly coin: Coin }[]
    }
  | { readonly kind: 'failed'; readonly why: string }

/** An owner's orders on a pair. */
export type OrdersQuery = {
  readonly pair: string
  readonly owner: string
  /**
   * With places: everything that a preview of a message for them needs. Without: the orders as the pair
   * returns them.
   */
  readonly preview?: {
    readonly places: readonly OrderPlace[]
    /** The pair's oracle assets, if an oracle price is needed. */
    readonly oracles: Pair['oracles']
  }
}

/** The orders, or why they are unreadable. */
export type OrdersResult =
  | { readonly kind: 'answered'; readonly orders: OwnerOrders }
  | { readonly kind: 'refused'; readonly why: string }

/** Queries of a chain's contracts at a height. */
export type Contracts = {
  /** Answers in the order of `questions`, all at one height. */
  simulations(
    questions: readonly SimulateQuery[],
    height: number,
  ): Promise<readonly SimulateResult[]>
  /** Orders in the order of `questions`, all at one height. */
  ownerOrders(questions: readonly OrdersQuery[], height: number): Promise<readonly OrdersResult[]>
}

/** Queries of a chain beside its market. */
export type ChainPort = Contracts & {
  /** Prefix of bech32 addresses. */
  readonly prefix: string
  readonly feeDenom: Denom
  /** Gas price in atomics of the fee's denom. */
  gasPrice(): Promise<Decimal>
  /** The endpoints without secrets, the preferred one first. */
  readonly endpoints: readonly string[]
  /** The market at a height, by default the newest. @throws HeightUnavailable */
  market(height?: number): Promise<Market>
  /** All coins of an account in the bank's order; by default at the newest height. */
  balances(address: string, height?: number): Promise<readonly Coin[]>
  /** Simulates a transaction of these messages on the newest state, without a key. */
  trial(from: string, messages: readonly TrialMessage[]): Promise<TransactionTrial>
}

/** The node does not have this height: it is pruned, or not there yet. */
export class HeightUnavailable extends SwapError {
  /** The oldest block whose state the node has, if known. */
  readonly earliest: number | undefined

  constructor(
    height: number,
    available: {
      readonly earliest: number | undefined
      readonly latest: number | undefined
      /** The oldest block that the node has, with or without the state after it. */
      readonly firstBlock?: number | undefined
    },
    upstream: string,
  ) {
    const { earliest, latest, firstBlock = Number.POSITIVE_INFINITY } = available
    const isAhead = latest !== undefined && height > latest
    const isStateGone = !isAhead && height >= firstBlock
    const what = isStateGone ? 'the state of the blocks' : 'the blocks'
    const whyPast = isStateGone
      ? `the state of block ${height} is pruned`
      : `block ${height} is not kept any more`
    super('NOT_FOUND', isAhead ? `block ${height} is not there yet` : whyPast, {
      why:
        earliest !== undefined && latest !== undefined
          ? `${upstream} has ${what} ${earliest} to ${latest}`
          : `${upstream} does not have it`,
      hint: {
        cli:
          latest === undefined
            ? 'leave --height out for the newest block'
            : `name one of these, e.g. --height ${latest}, or leave it out for the newest`,
        http: 'leave height out for the newest block',
      },
      members: { height, earliest: earliest ?? null, latest: latest ?? null, upstream },
    })
    this.earliest = earliest
  }
}
