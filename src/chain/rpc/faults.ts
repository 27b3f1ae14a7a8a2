import { type ErrorCode, type ErrorFacts, SwapError } from '../../engine/errors.js'

/** What each way of failing is to the caller, and whether the same endpoint may do better at once. */
const kinds = {
  refused: { code: 'UPSTREAM_ERROR', passes: true },
  unreachable: { code: 'UPSTREAM_ERROR', passes: true },
  unknown_host: { code: 'UPSTREAM_ERROR', passes: true },
  reset: { code: 'UPSTREAM_ERROR', passes: true },
  tls: { code: 'UPSTREAM_ERROR', passes: false },
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

/** How a node failed. */
export type NodeFaultKind = keyof typeof kinds

/** What is known of a fault besides its kind. */
export type NodeFaultDetails = {
  /** How long the node asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number
  /** The time that was over, in milliseconds. */
  readonly timeoutMs?: number
  /** Asking again at once, over another connection, is no burden: nothing was heard of this one. */
  readonly isStaleConnection?: true
  /** Asking the same endpoint again is of no use, though the kind of fault may pass. */
  readonly isLasting?: true
  /** No connection was established: the node has certainly not received the request. */
  readonly isUnsent?: true
}

/**
 * A node did not do its part: it is away, slow, wrong or of another chain. What a node answers by
 * the rules is no fault, even where it is a refusal: see `NodeRefusal`.
 */
export class NodeFault extends SwapError {
  readonly retryAfterMs: number | undefined
  readonly isStaleConnection: boolean
  /** Whether the node has certainly heard nothing of the request. */
  readonly isUnsent: boolean
  /** Whether the same endpoint may do better when it is asked again soon. */
  readonly passes: boolean

  /**
   * @param endpoint masked
   * @param reason what the node did, as the end of a sentence that begins with its name
   */
  constructor(
    readonly kind: NodeFaultKind,
    readonly endpoint: string,
    readonly reason: string,
    facts: NodeFaultDetails = {},
    words: Pick<ErrorFacts, 'why' | 'hint' | 'members'> & { readonly message?: string } = {},
  ) {
    const { retryAfterMs, timeoutMs } = facts
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
    this.isStaleConnection = facts.isStaleConnection ?? false
    this.isUnsent = facts.isUnsent ?? false
    this.passes = kinds[kind].passes && facts.isLasting !== true
  }
}

/** One endpoint's failure during a call. */
export type Failure = {
  readonly fault: NodeFault
  /** From the beginning of the call, in milliseconds; `undefined` for what was before it. */
  readonly atMs: number | undefined
}

/** Every endpoint failed before the deadline, each in its own way. The last failure of each is kept. */
export class NodesFailed extends NodeFault {
  constructor(
    readonly failures: readonly Failure[],
    timeoutMs: number,
  ) {
    const last = lastOfEach(failures)
    const faults = last.map(({ fault }) => fault)
    const kind = kindOf(faults.map((fault) => fault.kind))
    const waits = faults.map(({ retryAfterMs }) => retryAfterMs ?? 0)
    const endpoints = faults.map(({ endpoint }) => endpoint).join(', ')
    const [only] = last.length === 1 ? last : []
    super(
      kind,
      endpoints,
      'gave no answer',
      { timeoutMs, ...(kind === 'rate_limited' && { retryAfterMs: Math.min(...waits) }) },
      {
        message: only?.fault.message ?? `none of ${last.length} nodes gave an answer`,
        why: only === undefined ? last.map(described).join('; ') : timeOf(only),
        hint: hints[kind] ?? 'try again; if it lasts, name another node',
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

const hints: Partial<Readonly<Record<NodeFaultKind, string>>> = {
  wrong_chain: 'name a node of the chain that is meant',
  height_unavailable: 'ask for a newer block',
  forbidden: 'name a node that lets you in',
  tls: 'name a node with a certificate that is valid; it cannot be passed over',
}

const described = (failure: Failure): string => `${failure.fault.message} (${timeOf(failure)})`

const timeOf = ({ atMs }: Failure): string =>
  atMs === undefined ? 'before, and was not asked again yet' : `after ${atMs} ms`

const lastOfEach = (failures: readonly Failure[]): readonly Failure[] => [
  ...new Map(failures.map((each) => [each.fault.endpoint, each])).values(),
]

/**
 * The kind of a failure of all. A height that one node cannot give is the caller's to change; apart
 * from that it is what they have in common.
 */
function kindOf(found: readonly NodeFaultKind[]): NodeFaultKind {
  if (found.includes('height_unavailable')) return 'height_unavailable'
  const [first = 'no_endpoint'] = found
  if (found.every((kind) => kind === first)) return first
  const [code] = found.map((kind) => kinds[kind].code)
  return found.every((kind) => kinds[kind].code === code) ? first : 'unreachable'
}

/** Whether a height is pruned or not there yet: a newer height may be asked for instead. */
export const isHeightUnavailable = (error: unknown): error is NodeFault =>
  error instanceof NodeFault && error.kind === 'height_unavailable'

/** The node refused a call by the rules of its protocol: an answer, which no other node betters. */
export class NodeRefusal extends SwapError {
  /**
   * @param endpoint masked
   * @param rpcCode of the JSON-RPC error, or of the gateway's
   * @param text the node's own words, for people and never for decisions
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

/** The chain answers, but not with a market: what is missing or contradicts itself. */
export class InvalidChain extends SwapError {
  /** @param hint the setting to correct, where one would do it */
  constructor(network: string, why: string, hint?: string) {
    super('UPSTREAM_INVALID_DATA', `the market of ${network} cannot be read`, {
      why,
      hint: hint ?? { cli: 'find the node or contract that it is: swap doctor', http: undefined },
      members: { upstream: network },
    })
  }
}
