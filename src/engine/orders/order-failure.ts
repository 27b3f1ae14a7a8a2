import type { RefusalReason } from '../market/refusal.js'

/** Why a pair refuses an order message: failures of swaps, and those of orders only. */
export type OrderFailureReason =
  | RefusalReason
  /** A fixed price that is zero or does not fit the pair's tick. */
  | 'invalid_price'
  /** An oracle price where the pair has no oracles, or no oracle price is known, or it is zero. */
  | 'no_oracle'
  /** The coins sent and returned do not cover the entries. */
  | 'insufficient_funds'
  /** The pair's own coins do not cover the makers' orders of the message. */
  | 'pair_balance'
  /** The pool of an order has less than its share. */
  | 'withdraw_error'
  /** Refused by the review, before the contract: see `planOrder`. */
  | 'nothing_to_cancel'
  | 'nothing_to_claim'
  | 'nothing_added'
  /** An order that takes nothing and is cancelled by the same message. */
  | 'nothing_taken'
  | 'beyond_max_cross'
  | 'crosses_unprotected'
  /** A fill-or-kill order that would partly rest. */
  | 'not_filled'
  /** An immediate-or-cancel order at the price of a resting order. */
  | 'order_exists'
  /** A ladder with equal prices, or with a step without an amount. */
  | 'invalid_ladder'

/** A failure of the whole message: a code, one sentence with the amounts, the contract's text. */
export type OrderFailure = {
  readonly refused: OrderFailureReason
  readonly why: string
  /** The contract's text, if known (docs/venues.md#fin-failures). */
  readonly contractText: string | undefined
}

export const isOrderFailure = (value: object): value is OrderFailure => 'refused' in value

/** Thrown where the contract fails because of an order, and returned as an `OrderFailure`. */
export class OrderFault extends Error {
  override readonly name = 'OrderFault'

  constructor(
    readonly reason: OrderFailureReason,
    readonly contractText: string | undefined,
    message = `the pair answers ${contractText}`,
  ) {
    super(message)
  }
}

/** The contract's texts of failures that swaps share. */
export const CONTRACT_TEXTS: Partial<Record<OrderFailureReason, string>> = {
  abort_window: 'attempt to subtract with overflow',
  pool_precision: 'DistributionError',
  zero_total: 'Denominator must not be zero',
}
