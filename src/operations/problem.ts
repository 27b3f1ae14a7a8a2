import { type ErrorCode, type Json, SwapError } from '../engine/errors.js'

/** An RFC 9457 problem document, with the members of its code (docs/api.md#errors). */
export type Problem = {
  readonly type: string
  /** Constant for the code. */
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  readonly hint?: string
  /** Block height of the answer. */
  readonly height?: number
  readonly [member: string]: Json | undefined
}

type Meaning = { readonly status: number; readonly title: string; readonly retryable?: true }

/** A new code does not compile until it has a status here and an exit status in `cli/exit.ts`. */
const meaningOf: Readonly<Record<ErrorCode, Meaning>> = {
  INVALID_REQUEST: { status: 400, title: 'Invalid request' },
  INVALID_AMOUNT: { status: 400, title: 'Invalid amount' },
  INVALID_SPLIT_STEP: { status: 400, title: 'The split step is out of range' },
  INVALID_SLIPPAGE: { status: 400, title: 'The slippage is out of range' },
  INVALID_ADDRESS: { status: 400, title: 'The address is not valid' },
  INVALID_AFFILIATE: { status: 400, title: 'The affiliate is not valid' },
  // Never sent by the service, which reads no snapshot on request; the document still needs one.
  INVALID_SNAPSHOT: { status: 400, title: 'The snapshot cannot be read' },
  SAME_TOKEN: { status: 400, title: 'Input and output are the same token' },
  UNKNOWN_TOKEN: { status: 404, title: 'The token is not known' },
  AMBIGUOUS_TOKEN: { status: 409, title: 'Several tokens have this name' },
  NO_ROUTE: { status: 422, title: 'There is no route' },
  INSUFFICIENT_LIQUIDITY: { status: 422, title: 'The markets cannot take this amount' },
  AMOUNT_TOO_SMALL: { status: 422, title: 'The amount is too small' },
  PRICE_IMPACT_TOO_HIGH: { status: 422, title: 'The price impact is above the limit' },
  ORDER_REFUSED: { status: 422, title: 'The order request is refused' },
  ASSERTION_FAILED: { status: 422, title: 'A condition of the request does not hold' },
  QUOTE_EXPIRED: { status: 409, title: 'The quote is too old' },
  QUOTE_MISMATCH: { status: 409, title: 'The quote does not match this market' },
  SLIPPAGE_EXCEEDED: { status: 409, title: 'The price has moved past the limit', retryable: true },
  SIMULATION_MISMATCH: { status: 409, title: 'The contract simulates another output' },
  INSUFFICIENT_FUNDS: { status: 422, title: 'The account does not hold enough' },
  // Codes of the command line only: the service neither opens keys nor confirms.
  KEYFILE_NOT_FOUND: { status: 404, title: 'There is no such key' },
  KEYFILE_INVALID: { status: 422, title: 'The key file cannot be used' },
  KEYFILE_PERMISSIONS: { status: 403, title: 'The key file is open to others' },
  SIGNER_FAILED: { status: 502, title: 'The signer did not sign' },
  WRONG_PASSWORD: { status: 403, title: 'The password does not open the key' },
  DECLINED: { status: 409, title: 'Not confirmed' },
  CONFIRMATION_REQUIRED: { status: 428, title: 'A confirmation is needed' },
  OUTCOME_UNKNOWN: { status: 409, title: 'The outcome of the transaction is not known yet' },
  TX_FAILED: { status: 422, title: 'The transaction fails' },
  BELOW_MINIMUM: { status: 422, title: 'The transaction paid less than promised' },
  PARTIALLY_EXECUTED: { status: 422, title: 'Only some of the transactions were executed' },
  LIMIT_EXCEEDED: { status: 403, title: 'Above a configured spending limit' },
  TX_NOT_FOUND: { status: 404, title: 'There is no such transaction' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  MARKET_HALTED: { status: 422, title: 'The market is halted', retryable: true },
  BUSY: { status: 503, title: 'Locked by another process', retryable: true },
  NOT_READY: { status: 503, title: 'Not ready yet', retryable: true },
  UPSTREAM_ERROR: { status: 502, title: 'The node cannot be read', retryable: true },
  UPSTREAM_INVALID_DATA: { status: 502, title: 'The node sent an invalid answer', retryable: true },
  UPSTREAM_TIMEOUT: { status: 504, title: 'The node did not answer in time', retryable: true },
  UPSTREAM_RATE_LIMITED: { status: 503, title: 'Rate limited by the node', retryable: true },
  STALE_DATA: { status: 503, title: 'The market is too old to quote from', retryable: true },
  OVERLOADED: { status: 503, title: 'Overloaded', retryable: true },
  RATE_LIMITED: { status: 429, title: 'Too many requests', retryable: true },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not allowed here' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large' },
  URI_TOO_LONG: { status: 414, title: 'The URL is too long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The body is not JSON' },
  HOST_NOT_ALLOWED: { status: 421, title: 'The service does not answer for this host' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  INTERNAL: { status: 500, title: 'Internal error' },
}

/** The HTTP status of a code. */
export const statusOf = (code: ErrorCode): number => meaningOf[code].status

/**
 * The problem document of a thrown value, as `--json` prints it. Anything but a `SwapError` is a bug, whose
 * text is hidden.
 */
export const problemOf = (error: unknown, height?: number): Problem =>
  documentOf(error, height, error instanceof SwapError ? error.hint : undefined)

/** The service's response body, with the hint for HTTP. The service adds `instance`. */
export const httpProblemOf = (error: unknown, height?: number): Problem =>
  documentOf(error, height, error instanceof SwapError ? error.httpHint : undefined)

/**
 * The document for an agent: the hint for HTTP, with tools substituted for paths by `words`; without one, the
 * command line's hint for the user's machine.
 */
export const agentProblemOf = (
  error: unknown,
  height: number | undefined,
  { words, isLocal }: { readonly words: (hint: string) => string; readonly isLocal: boolean },
): Problem => {
  if (!(error instanceof SwapError)) return documentOf(error, height, undefined)
  const { hint, httpHint } = error
  const shown = httpHint === undefined ? (isLocal ? hint : undefined) : words(httpHint)
  return documentOf(error, height, shown)
}

function documentOf(error: unknown, opened: number | undefined, hint: string | undefined): Problem {
  if (!(error instanceof SwapError) || error.code === 'INTERNAL') return internal(opened)
  const { code, message, why, members } = error
  // A simulation's error may be of an earlier block than the opened market.
  const height = typeof members['height'] === 'number' ? members['height'] : opened
  const core: Problem = {
    ...frame(code),
    detail: why === undefined ? message : `${message}; ${why}`,
    code,
    retryable: meaningOf[code].retryable ?? false,
    ...(hint === undefined ? {} : { hint }),
    ...(height === undefined ? {} : { height }),
  }
  // Spread twice: common members come first, and members of the code cannot replace them.
  return { ...core, ...members, ...core }
}

const frame = (code: ErrorCode) => ({
  type: `urn:swap:error:${code}`,
  title: meaningOf[code].title,
  status: meaningOf[code].status,
})

const internal = (height?: number): Problem => ({
  ...frame('INTERNAL'),
  detail: 'This is a bug in swap, not a fault of the request.',
  code: 'INTERNAL',
  retryable: false,
  hint: 'Report it together with the request.',
  ...(height === undefined ? {} : { height }),
})
