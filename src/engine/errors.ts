/**
 * Error codes are part of the public contract: printed by `--json`, sent by the service, listed in the
 * README. A code is permanent once released.
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
  'ORDER_REFUSED',
  'QUOTE_EXPIRED',
  'QUOTE_MISMATCH',
  'SLIPPAGE_EXCEEDED',
  'SIMULATION_MISMATCH',
  'INSUFFICIENT_FUNDS',
  'KEYFILE_NOT_FOUND',
  'KEYFILE_INVALID',
  'KEYFILE_PERMISSIONS',
  'WRONG_PASSWORD',
  'SIGNER_FAILED',
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
  'ORIGIN_NOT_ALLOWED',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
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

/**
 * The user's next step, imperative: one text, which the service leaves out if it names a flag or a command, or one
 * for each interface. `http` names members and endpoints; it is `undefined` if only the operator can act.
 */
export type Hint = string | { readonly cli: string | undefined; readonly http: string | undefined }

/** Additional members of an error. */
export type ErrorFacts = {
  /** The cause, one sentence with its amounts. */
  readonly why?: string
  readonly hint?: Hint
  /** Members of the problem document that belong to the code (docs/api.md#codes), in snake_case. */
  readonly members?: { readonly [key: string]: Json }
  readonly cause?: unknown
}

/**
 * Base of every failure that a user can cause or needs to know; anything else is a bug and keeps its stack
 * trace. The command line and the service map codes to exit and HTTP statuses. Subclasses are defined beside
 * the code that throws them.
 */
export class SwapError extends Error {
  readonly why: string | undefined
  /** The hint of the command line. */
  readonly hint: string | undefined
  /** The hint of the service; names no flag and no command. */
  readonly httpHint: string | undefined
  readonly members: { readonly [key: string]: Json }

  constructor(
    readonly code: ErrorCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    // Not `new.target.name`: the build shortens the names of classes.
    this.name = 'SwapError'
    this.why = facts.why
    const { hint } = facts
    if (typeof hint === 'string') {
      this.hint = hint
      this.httpHint = namesCommandLine(hint) ? undefined : hint
    } else {
      this.hint = hint?.cli
      this.httpHint = hint?.http
    }
    this.members = facts.members ?? {}
  }

  /** The same error with other members; omitted ones are kept. */
  with(facts: ErrorFacts): SwapError {
    return new SwapError(this.code, this.message, {
      ...(this.why !== undefined && { why: this.why }),
      hint: { cli: this.hint, http: this.httpHint },
      members: this.members,
      cause: this.cause,
      ...facts,
    })
  }
}

/** The error of a request that cannot be used; `pointer` names the member, and is empty for the whole of it. */
export const invalidRequest = (
  message: string,
  pointer: string,
  facts: { readonly why: string; readonly hint: Hint },
): SwapError =>
  new SwapError('INVALID_REQUEST', message, {
    ...facts,
    members: { errors: [{ pointer, detail: facts.why }] },
  })

/** Whether a text names a flag or a command, which clients of the service do not have. */
export const namesCommandLine = (text: string): boolean =>
  /(^|[^\w-])--?[a-z]|\bswap [a-z]/.test(text)

/** The reason of a failure, in one line for a log. */
export function reasonOf(error: unknown): string {
  const why = error instanceof SwapError ? error.why : undefined
  return why === undefined ? errorText(error) : `${errorText(error)}: ${why}`
}

/** The message of an error, or anything else that was thrown as text. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** The same with the stack, where there is one. */
export const errorStack = (error: unknown): string =>
  (error instanceof Error && error.stack) || errorText(error)

/** The code of a system error, such as `ENOENT`, or of this program's. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && error.code !== undefined
    ? String(error.code)
    : undefined
