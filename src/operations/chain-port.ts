import { SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { Pair } from '../engine/market/pair.js'
import type { Coin, Denom } from '../engine/market/token.js'
import type { Decimal } from '../engine/math/decimal.js'
import type { OwnerOrders } from '../engine/orders/order-ledger.js'
import type { OrderPlace } from '../engine/orders/order-price.js'
import type { Stage } from '../engine/routing/message.js'

/** A contract's own `simulate`: of a router with `stages`, of a pair without. */
export type SimulateQuery = {
  readonly contract: string
  readonly coin: Coin
  readonly stages?: readonly Stage[]
}

/**
 * The answer of a contract: net output and fee in atomics, or the text of its refusal.
 * `unknown`: the gas limit of the node was too low to decide.
 */
export type SimulateResult =
  | {
      readonly kind: 'answered'
      readonly returned: bigint
      readonly fee: bigint
      /** Of a router: computed from its pairs' answers. */
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

/** The result of a transaction that was simulated and not sent. */
export type TransactionTrial =
  | {
      readonly kind: 'passed'
      readonly gasUsed: bigint
      /** Every payment of it, in order. */
      readonly payments: readonly { readonly to: string; readonly coin: Coin }[]
    }
  | { readonly kind: 'failed'; readonly why: string }

/** An owner's orders on a pair. */
export type OrdersQuery = {
  readonly pair: string
  readonly owner: string
  /**
   * With places, everything that a preview of a message for them needs; without, the orders as the pair
   * answers them.
   */
  readonly preview?: {
    readonly places: readonly OrderPlace[]
    /** The oracle assets of the pair, where an oracle price is needed. */
    readonly oracles: Pair['oracles']
  }
}

/** The orders, or why they cannot be read. */
export type OrdersResult =
  | { readonly kind: 'answered'; readonly orders: OwnerOrders }
  | { readonly kind: 'refused'; readonly why: string }

/** The contracts of a chain: what they would answer, as of a height. */
export type Contracts = {
  /** Answers in the order of the questions, all as of one height. */
  simulations(
    questions: readonly SimulateQuery[],
    height: number,
  ): Promise<readonly SimulateResult[]>
  /** Orders in the order of the questions, all as of one height. */
  ownerOrders(questions: readonly OrdersQuery[], height: number): Promise<readonly OrdersResult[]>
}

/** Queries of a chain beside its market. */
export type ChainPort = Contracts & {
  /** Of bech32 addresses. */
  readonly prefix: string
  readonly feeDenom: Denom
  /** Fee for a unit of gas, in atomics of the fee's denom. */
  gasPrice(): Promise<Decimal>
  /** The endpoints as texts may show them, the preferred one first. */
  readonly endpoints: readonly string[]
  /** The market as of a height, by default the newest. @throws HeightUnavailable */
  market(height?: number): Promise<Market>
  /** Everything that an account holds, in the order of the bank; by default at the newest height. */
  balances(address: string, height?: number): Promise<readonly Coin[]>
  /** Simulates a transaction of these messages on the newest state, without a key. */
  trial(from: string, messages: readonly TrialMessage[]): Promise<TransactionTrial>
}

/** A height that the node does not have: it is pruned, or not there yet. */
export class HeightUnavailable extends SwapError {
  /** The oldest block whose state the node has, where that is known. */
  readonly earliest: number | undefined

  constructor(
    height: number,
    kept: {
      readonly earliest: number | undefined
      readonly latest: number | undefined
      /** The oldest block that the node has, with or without the state after it. */
      readonly firstBlock?: number | undefined
    },
    upstream: string,
  ) {
    const { earliest, latest, firstBlock = Number.POSITIVE_INFINITY } = kept
    const isAhead = latest !== undefined && height > latest
    const isStateGone = !isAhead && height >= firstBlock
    const range =
      earliest !== undefined && latest !== undefined
        ? `${upstream} has ${isStateGone ? 'the state of ' : ''}the blocks ${earliest} to ${latest}`
        : `${upstream} does not have it`
    const message = isAhead
      ? `block ${height} is not there yet`
      : isStateGone
        ? `the state of block ${height} is pruned`
        : `block ${height} is not kept any more`
    super('NOT_FOUND', message, {
      why: range,
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
