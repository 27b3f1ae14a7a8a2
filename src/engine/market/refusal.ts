import type { Rational } from '../math/rational.js'

/**
 * Why a venue or the router refuses a swap. `simulate` sees some of these, an execution all
 * (docs/venues.md#refusal-reasons).
 */
export type RefusalReason =
  /** The book cannot take the whole offer: the rest would stay in the router. */
  | 'beyond_depth'
  /** The offer ends within one bid unit below draining a pool: the contract subtracts below zero. */
  | 'abort_window'
  /** 128-bit arithmetic or the tick leaves its range: VM abort. */
  | 'overflow'
  /** A pool has used up the precision of its running product: `DistributionError`. */
  | 'pool_precision'
  /** A maker was reached and would be sent, or would have to send, nothing. */
  | 'empty_maker_message'
  /** A maker would pay less for the whole offer than its levels promised. */
  | 'maker_refuses'
  /** The pair cannot pay the makers of its own arbitrage step. */
  | 'arb_capital'
  /** The pair's arbitrage step never ends: every swap of it runs out of gas. */
  | 'arb_endless'
  /** A group's total is zero where the contract divides by it. */
  | 'zero_total'
  /** A hop, or the whole path, pays nothing. */
  | 'zero_output'
  /** The router's fees exceed the output. */
  | 'fees_exceed_output'
  /** The recipient would get less than the message demands. */
  | 'below_min_return'
  /** The offered denom is not one of the pair's two. */
  | 'invalid_denom'
  /** The pair was left out of the market. */
  | 'quarantined'

/** Why no amount can be given: a code, and one sentence with the amounts. */
export type Refusal = {
  readonly refused: RefusalReason
  readonly why: string
  /** Of an abort window: a lower bound of the increase of the offer that leaves it. */
  readonly lack?: bigint
  /** Beyond a depth: the part of its offer that the book does not take. */
  readonly untaken?: Rational
}

/** Thrown where the contract fails; callers turn it into a `Refusal`. */
export class ContractFailure extends Error {
  override readonly name = 'ContractFailure'

  constructor(
    readonly reason: RefusalReason,
    message: string,
    /** See `Refusal`. */
    readonly lack?: bigint,
  ) {
    super(message)
  }
}

export const refusal = (refused: RefusalReason, why: string): Refusal => ({ refused, why })

/** What stopped a walk, as a value. */
export const refusalOf = ({ reason, message, lack }: ContractFailure): Refusal =>
  lack === undefined ? refusal(reason, message) : { refused: reason, why: message, lack }

export const isRefusal = (value: object): value is Refusal => 'refused' in value
