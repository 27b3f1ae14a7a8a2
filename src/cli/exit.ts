import { type ErrorCode, SwapError } from '../engine/errors.js'

/**
 * Exit statuses, which tell a script what to do next; `exitStatuses` in `help/topics.ts` says what each one means.
 * A new code does not compile until it has a number here and an HTTP status in `operations/problem.ts`.
 */
export const exitOf: Readonly<Record<ErrorCode, number>> = {
  INVALID_REQUEST: 2,
  INVALID_AMOUNT: 2,
  INVALID_SPLIT_STEP: 2,
  INVALID_SLIPPAGE: 2,
  INVALID_ADDRESS: 2,
  INVALID_AFFILIATE: 2,
  INVALID_SNAPSHOT: 2,
  SAME_TOKEN: 2,
  UNKNOWN_TOKEN: 2,
  AMBIGUOUS_TOKEN: 2,
  NOT_FOUND: 2,
  NO_ROUTE: 3,
  INSUFFICIENT_LIQUIDITY: 3,
  AMOUNT_TOO_SMALL: 3,
  ORDER_REFUSED: 3,
  PRICE_IMPACT_TOO_HIGH: 5,
  ASSERTION_FAILED: 5,
  QUOTE_EXPIRED: 5,
  QUOTE_MISMATCH: 5,
  SLIPPAGE_EXCEEDED: 5,
  SIMULATION_MISMATCH: 5,
  INSUFFICIENT_FUNDS: 6,
  KEYFILE_NOT_FOUND: 7,
  KEYFILE_INVALID: 7,
  KEYFILE_PERMISSIONS: 7,
  WRONG_PASSWORD: 7,
  SIGNER_FAILED: 7,
  DECLINED: 8,
  CONFIRMATION_REQUIRED: 2,
  OUTCOME_UNKNOWN: 9,
  TX_FAILED: 10,
  BELOW_MINIMUM: 10,
  PARTIALLY_EXECUTED: 12,
  LIMIT_EXCEEDED: 14,
  TX_NOT_FOUND: 2,
  MARKET_HALTED: 11,
  BUSY: 13,
  NOT_READY: 4,
  UPSTREAM_ERROR: 4,
  UPSTREAM_INVALID_DATA: 4,
  UPSTREAM_TIMEOUT: 4,
  UPSTREAM_RATE_LIMITED: 4,
  STALE_DATA: 4,
  OVERLOADED: 4,
  RATE_LIMITED: 4,
  // Errors of HTTP only.
  METHOD_NOT_ALLOWED: 2,
  PAYLOAD_TOO_LARGE: 2,
  URI_TOO_LONG: 2,
  UNSUPPORTED_MEDIA_TYPE: 2,
  HOST_NOT_ALLOWED: 2,
  HEADERS_TOO_LARGE: 2,
  INTERNAL: 70,
}

/** The status that a shell shows for SIGPIPE: the reader closed the pipe, as in `swap tokens | head -1`. */
export const exitClosedPipe = 141

/** The statuses that a shell shows for a signal: 128 plus its number. */
export const exitOfSignal = { SIGINT: 130, SIGTERM: 143 } as const

/** Keys that end a prompt. */
export type InterruptKey = 'ctrl-c' | 'ctrl-d'

/** Ctrl-c or ctrl-d at a prompt, before anything was sent. */
export class Interrupted extends SwapError {
  constructor(key: InterruptKey = 'ctrl-c') {
    super('DECLINED', 'stopped', { why: `you pressed ${key}; nothing was changed` })
  }
}

/** The exit status of any thrown value; everything but a `SwapError` is a bug. */
export const exitOfError = (error: unknown): number =>
  error instanceof Interrupted
    ? exitOfSignal.SIGINT
    : exitOf[error instanceof SwapError ? error.code : 'INTERNAL']
