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

/** What a code means for HTTP, for a shell and for people, and whether the same request may succeed later. */
type Meaning = readonly [status: number, exit: number, title: string, retryable?: true]

/** A new code does not compile until it has its meaning here. `exitStatuses` in `cli/help/topics.ts` explains `exit`. */
const meanings: Readonly<Record<ErrorCode, Meaning>> = {
  INVALID_REQUEST: [400, 2, 'Invalid request'],
  INVALID_AMOUNT: [400, 2, 'Invalid amount'],
  INVALID_SPLIT_STEP: [400, 2, 'The split step is out of range'],
  INVALID_SLIPPAGE: [400, 2, 'The slippage is out of range'],
  INVALID_ADDRESS: [400, 2, 'The address is not valid'],
  INVALID_AFFILIATE: [400, 2, 'The affiliate is not valid'],
  // Never sent by the service, which reads no snapshot on request; the document still needs one.
  INVALID_SNAPSHOT: [400, 2, 'The snapshot cannot be read'],
  SAME_TOKEN: [400, 2, 'Input and output are the same token'],
  UNKNOWN_TOKEN: [404, 2, 'The token is not known'],
  AMBIGUOUS_TOKEN: [409, 2, 'Several tokens have this name'],
  NO_ROUTE: [422, 3, 'There is no route'],
  INSUFFICIENT_LIQUIDITY: [422, 3, 'The markets cannot take this amount'],
  AMOUNT_TOO_SMALL: [422, 3, 'The amount is too small'],
  PRICE_IMPACT_TOO_HIGH: [422, 5, 'The price impact is above the limit'],
  ORDER_REFUSED: [422, 3, 'The order request is refused'],
  ASSERTION_FAILED: [422, 5, 'A condition of the request does not hold'],
  QUOTE_EXPIRED: [409, 5, 'The quote is too old'],
  QUOTE_MISMATCH: [409, 5, 'The quote does not match this market'],
  SLIPPAGE_EXCEEDED: [409, 5, 'The price has moved past the limit', true],
  SIMULATION_MISMATCH: [409, 5, 'The contract simulates another output'],
  INSUFFICIENT_FUNDS: [422, 6, 'The account does not hold enough'],
  // Codes of the command line only: the service neither opens keys nor confirms.
  KEYFILE_NOT_FOUND: [404, 7, 'There is no such key'],
  KEYFILE_INVALID: [422, 7, 'The key file cannot be used'],
  KEYFILE_PERMISSIONS: [403, 7, 'The key file is open to others'],
  SIGNER_FAILED: [502, 7, 'The signer did not sign'],
  WRONG_PASSWORD: [403, 7, 'The password does not open the key'],
  DECLINED: [409, 8, 'Not confirmed'],
  CONFIRMATION_REQUIRED: [428, 2, 'A confirmation is needed'],
  OUTCOME_UNKNOWN: [409, 9, 'The outcome of the transaction is not known yet'],
  TX_FAILED: [422, 10, 'The transaction fails'],
  BELOW_MINIMUM: [422, 10, 'The transaction paid less than promised'],
  PARTIALLY_EXECUTED: [422, 12, 'Only some of the transactions were executed'],
  LIMIT_EXCEEDED: [403, 14, 'Above a configured spending limit'],
  TX_NOT_FOUND: [404, 2, 'There is no such transaction'],
  NOT_FOUND: [404, 2, 'Not found'],
  MARKET_HALTED: [422, 11, 'The market is halted', true],
  BUSY: [503, 13, 'In use at the moment', true],
  NOT_READY: [503, 4, 'Not ready yet', true],
  UPSTREAM_ERROR: [502, 4, 'The node cannot be read', true],
  UPSTREAM_INVALID_DATA: [502, 4, 'The node sent an invalid answer', true],
  UPSTREAM_TIMEOUT: [504, 4, 'The node did not answer in time', true],
  UPSTREAM_RATE_LIMITED: [503, 4, 'Rate limited by the node', true],
  STALE_DATA: [503, 4, 'The market is too old to quote from', true],
  OVERLOADED: [503, 4, 'Overloaded', true],
  RATE_LIMITED: [429, 4, 'Too many requests', true],
  ORIGIN_NOT_ALLOWED: [403, 2, 'Pages of this origin are not allowed'],
  METHOD_NOT_ALLOWED: [405, 2, 'The method is not allowed here'],
  REQUEST_TIMEOUT: [408, 4, 'The request did not arrive in time', true],
  PAYLOAD_TOO_LARGE: [413, 2, 'The body is too large'],
  URI_TOO_LONG: [414, 2, 'The URL is too long'],
  UNSUPPORTED_MEDIA_TYPE: [415, 2, 'The body is not JSON'],
  HOST_NOT_ALLOWED: [421, 2, 'The service does not answer for this host'],
  HEADERS_TOO_LARGE: [431, 2, 'The headers are too large'],
  INTERNAL: [500, 70, 'Internal error'],
}

/** The HTTP status of a code. */
export const statusOf = (code: ErrorCode): number => meanings[code][0]

/** The exit status of a code, which tells a script what to do next. */
export const exitStatusOf = (code: ErrorCode): number => meanings[code][1]

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
    retryable: meanings[code][3] ?? false,
    ...(hint === undefined ? {} : { hint }),
    ...(height === undefined ? {} : { height }),
  }
  // Spread twice: common members come first, and members of the code cannot replace them.
  return { ...core, ...members, ...core }
}

const frame = (code: ErrorCode) => ({
  type: `urn:swap:error:${code}`,
  title: meanings[code][2],
  status: statusOf(code),
})

const internal = (height?: number): Problem => ({
  ...frame('INTERNAL'),
  detail: 'This is a bug in swap, not a fault of the request.',
  code: 'INTERNAL',
  retryable: false,
  hint: 'Report it together with the request.',
  ...(height === undefined ? {} : { height }),
})
