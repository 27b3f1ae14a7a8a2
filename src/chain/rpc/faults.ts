import { type ErrorCode, type ErrorFacts, SwapError } from '../../engine/errors.js'
import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import { attemptAsync } from '../../platform/attempt.js'

/** The error code of each kind of fault, and whether a retry at the same endpoint may succeed. */
const kinds = {
  refused: { code: 'UPSTREAM_ERROR', passes: true },
  unreachable: { code: 'UPSTREAM_ERROR', passes: true },
  unknown_host: { code: 'UPSTREAM_ERROR', passes: true },
  reset: { code: 'UPSTREAM_ERROR', passes: true },
  tls: { code: 'UPSTREAM_ERROR', passes: false },
  not_tls: { code: 'UPSTREAM_ERROR', passes: false },
  timeout: { code: 'UPSTREAM_TIMEOUT', passes: true },
  closed: { code: 'UPSTREAM_ERROR', passes: false },
  redirect: { code: 'UPSTREAM_ERROR', passes: false },
  forbidden: { code: 'UPSTREAM_ERROR', passes: false },
  http_status: { code: 'UPSTREAM_ERROR', passes: true },
  rate_limited: { code: 'UPSTREAM_RATE_LIMITED', passes: true },
  too_large: { code: 'UPSTREAM_INVALID_DATA', passes: false },
  not_json: { code: 'UPSTREAM_INVALID_DATA', passes: true },
  bad_batch: { code: 'UPSTREAM_INVALID_DATA', passes: true },
  bad_answer: { code: 'UPSTREAM_INVALID_DATA', passes: true },
  wrong_chain: { code: 'UPSTREAM_INVALID_DATA', passes: false },
  wrong_height: { code: 'UPSTREAM_INVALID_DATA', passes: true },
  behind: { code: 'UPSTREAM_ERROR', passes: true },
  height_unavailable: { code: 'UPSTREAM_ERROR', passes: true },
  no_endpoint: { code: 'UPSTREAM_ERROR', passes: false },
} as const satisfies Readonly<
  Record<string, { readonly code: ErrorCode; readonly passes: boolean }>
>

export type NodeFaultKind = keyof typeof kinds

export type NodeFaultDetails = {
  /** The pause that the node requests, in milliseconds. */
  readonly retryAfterMs?: number
  /** The time limit that was exceeded, in milliseconds. */
  readonly timeoutMs?: number
  /** A retry at the same endpoint cannot succeed, although faults of this kind are usually temporary. */
  readonly isLasting?: true
  /** No connection was established: the node has certainly not received the request. */
  readonly isUnsent?: true
}

/**
 * A node failed: unreachable, slow, invalid data, or another chain. A refusal that conforms to the protocol is not a
 * fault but a `NodeRefusal`.
 */
export class NodeFault extends SwapError {
  readonly retryAfterMs: number | undefined
  /** Whether the node has certainly not received the request. */
  readonly isUnsent: boolean
  /** Whether a retry at the same endpoint may succeed. */
  readonly passes: boolean

  /**
   * @param endpoint masked
   * @param reason what the node did, as the end of a sentence that begins with its name
   */
  constructor(
    readonly kind: NodeFaultKind,
    readonly endpoint: string,
    readonly reason: string,
    details: NodeFaultDetails = {},
    words: Pick<ErrorFacts, 'why' | 'hint' | 'members'> & { readonly message?: string } = {},
  ) {
    const { retryAfterMs, timeoutMs } = details
    super(kinds[kind].code, words.message ?? `${endpoint} ${reason}`, {
      ...words,
      members: {
        fault: kind,
        upstream: endpoint,
        ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
        ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
        ...words.members,
      },
    })
    this.retryAfterMs = retryAfterMs
    this.isUnsent = details.isUnsent ?? false
    this.passes = kinds[kind].passes && details.isLasting !== true
  }
}

/** One endpoint's failure during a call. */
export type Failure = {
  readonly fault: NodeFault
  /** Milliseconds since the beginning of the call; `undefined` for a fault before it. */
  readonly atMs: number | undefined
}

/** Every endpoint failed before the deadline. Reports the last failure of each. */
export class NodesFailed extends NodeFault {
  constructor(
    readonly failures: readonly Failure[],
    timeoutMs: number,
  ) {
    const last = [...new Map(failures.map((each) => [each.fault.endpoint, each])).values()]
    const faults = last.map(({ fault }) => fault)
    const kind = kindOf(faults.map((fault) => fault.kind))
    const waits = faults.map(({ retryAfterMs }) => retryAfterMs ?? 0)
    const endpoints = faults.map(({ endpoint }) => endpoint).join(', ')
    const [single] = last.length === 1 ? last : []
    super(
      kind,
      endpoints,
      'gave no answer',
      { timeoutMs, ...(kind === 'rate_limited' && { retryAfterMs: Math.min(...waits) }) },
      {
        message: single?.fault.message ?? `none of ${last.length} nodes gave an answer`,
        why: single === undefined ? last.map(failureText).join('; ') : triedText(single),
        hint: hints[kind] ?? {
          cli: 'try again; if it lasts, name another node: --rpc <url>',
          http: 'try again later',
        },
        members: {
          upstreams: last.map(({ fault, atMs = null }) => ({
            upstream: fault.endpoint,
            fault: fault.kind,
            detail: fault.reason,
            at_ms: atMs,
          })),
        },
      },
    )
  }
}

const hints: Partial<Readonly<Record<NodeFaultKind, NonNullable<ErrorFacts['hint']>>>> = {
  wrong_chain: 'name a node of the chain that is meant',
  height_unavailable: {
    cli: 'try again; if it lasts, name a node that keeps more blocks: --rpc <url>',
    http: 'try again later',
  },
  redirect: 'name the node by the address that it points to: redirects are not followed',
  forbidden: 'name a node that grants you access',
  tls: 'name a node with a valid certificate, or trust the authority that made it: NODE_EXTRA_CA_CERTS=<file>; the check cannot be turned off',
  not_tls:
    'name a node that has TLS 1.2 or newer; if it has none on purpose, write its URL with http://',
}

const failureText = (failure: Failure): string => `${failure.fault.message} (${timeOf(failure)})`

/** The time of the only endpoint's failure, as a cause. */
const triedText = (failure: Failure): string =>
  failure.atMs === undefined ? timeOf(failure) : `it was tried for ${failure.atMs} ms`

const timeOf = ({ atMs }: Failure): string =>
  atMs === undefined ? 'before this call, and not retried yet' : `after ${atMs} ms`

/**
 * The kind that represents the faults of all endpoints: `height_unavailable` if any has it, since the caller can
 * request another height; otherwise a kind with the common error code.
 */
function kindOf(faultKinds: readonly NodeFaultKind[]): NodeFaultKind {
  if (faultKinds.includes('height_unavailable')) return 'height_unavailable'
  const [first = 'no_endpoint'] = faultKinds
  if (faultKinds.every((kind) => kind === first)) return first
  const [code] = faultKinds.map((kind) => kinds[kind].code)
  return faultKinds.every((kind) => kinds[kind].code === code) ? first : 'unreachable'
}

/** @param endpoint masked */
export const wrongHeight = (endpoint: string, height: number): NodeFault =>
  new NodeFault(
    'wrong_height',
    endpoint,
    `answered as of another block than ${height}, which was requested`,
  )

/** Whether a height is pruned or in the future: the caller may request another one. */
export const isHeightUnavailable = (error: unknown): error is NodeFault =>
  error instanceof NodeFault && error.kind === 'height_unavailable'

/** The node refused a call in conformance with its protocol: an answer that other nodes would repeat. */
export class NodeRefusal extends SwapError {
  /**
   * @param endpoint masked
   * @param rpcCode of the JSON-RPC error, or of the gateway's
   * @param text the node's message, for display only
   */
  constructor(
    readonly endpoint: string,
    readonly rpcCode: number,
    readonly text: string,
  ) {
    super('UPSTREAM_ERROR', `${endpoint} refused the call`, {
      why: `${text} (${rpcCode})`,
      members: { upstream: endpoint, rpc_code: rpcCode },
    })
  }
}

/** The chain answers, but data of the market is missing or contradictory. */
export class InvalidChain extends SwapError {
  /** @param hint the setting to correct, if one is wrong */
  constructor(network: string, why: string, hint?: string) {
    super('UPSTREAM_INVALID_DATA', `the market of ${network} cannot be read`, {
      why,
      hint: hint ?? { cli: 'find the node or contract that it is: swap doctor', http: undefined },
      members: { upstream: network },
    })
  }
}

/** Why a node's answer could not be read, with its own words. */
export const faultText = (error: NodeFault | NodeRefusal | MalformedDocument): string =>
  error instanceof MalformedDocument
    ? `${error.pointer} ${error.message}`
    : [error.message, error.why ?? []].flat().join('; ')

/** What the work returns; `undefined` where a node fails or refuses, or its answer is malformed. */
export const unlessFaulty = <T>(work: () => T | Promise<T>): Promise<T | undefined> =>
  attemptAsync(work, NodeFault, NodeRefusal, MalformedDocument)
