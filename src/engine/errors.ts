/**
 * Part of the public contract: printed by `--json`, sent by the service, listed in the README. A
 * code is permanent once released.
 */
export const errorCodes = [
  'INVALID_REQUEST',
  'INVALID_AMOUNT',
  'INVALID_SPLIT_STEP',
  'INVALID_SLIPPAGE',
  'INVALID_ADDRESS',
  'INVALID_AFFILIATE',
  'INVALID_SNAPSHOT',
  'SAME_TOKEN',
  'UNKNOWN_TOKEN',
  'AMBIGUOUS_TOKEN',
  'NO_ROUTE',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_TOO_SMALL',
  'PRICE_IMPACT_TOO_HIGH',
  'ASSERTION_FAILED',
  'QUOTE_EXPIRED',
  'QUOTE_MISMATCH',
  'SLIPPAGE_EXCEEDED',
  'SIMULATION_MISMATCH',
  'INSUFFICIENT_FUNDS',
  'KEYFILE_NOT_FOUND',
  'KEYFILE_INVALID',
  'KEYFILE_PERMISSIONS',
  'WRONG_PASSWORD',
  'DECLINED',
  'CONFIRMATION_REQUIRED',
  'OUTCOME_UNKNOWN',
  'TX_FAILED',
  'BELOW_MINIMUM',
  'PARTIALLY_EXECUTED',
  'LIMIT_EXCEEDED',
  'TX_NOT_FOUND',
  'NOT_FOUND',
  'MARKET_HALTED',
  'BUSY',
  'NOT_READY',
  'UPSTREAM_ERROR',
  'UPSTREAM_INVALID_DATA',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_RATE_LIMITED',
  'STALE_DATA',
  'OVERLOADED',
  'RATE_LIMITED',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'HOST_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
] as const

/** One of the codes of the public contract. */
export type ErrorCode = (typeof errorCodes)[number]

/** A value that JSON can hold. Amounts are decimal strings, never numbers. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** What an error adds to its message. */
export type ErrorFacts = {
  /** Why it happened, one sentence with the amounts in it. */
  readonly why?: string
  /** The user's next step, imperative, naming the flag or the command. */
  readonly hint?: string
  /** Members of the problem document that belong to the code (docs/api.md#codes), in snake_case. */
  readonly members?: { readonly [key: string]: Json }
  readonly cause?: unknown
}

/**
 * Base of every failure a user can cause or must hear about; anything else is a bug and keeps its
 * stack trace. What a code means as an exit status or an HTTP status is decided at the rim.
 * Subclasses live beside the code that throws them.
 */
export class SwapError extends Error {
  readonly why: string | undefined
  readonly hint: string | undefined
  readonly members: { readonly [key: string]: Json }

  constructor(
    readonly code: ErrorCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = new.target.name
    this.why = facts.why
    this.hint = facts.hint
    this.members = facts.members ?? {}
  }
}
