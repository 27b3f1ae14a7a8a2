import type {
  ArbrouteAnswer,
  ArbrouteRequest,
  ArbsAnswer,
  ArbsRequest,
  HistoryAnswer,
  HistoryOrdersAnswer,
  HistoryOrdersRequest,
  HistoryRequest,
  OrderPreviewAnswer,
  OrderPreviewRequest,
  OrdersAnswer,
  OrdersRequest,
  ProblemAnswer,
  RouteAnswer,
  RouteRequest,
  SimulateAnswer,
  SimulateRequest,
  SrouteAnswer,
  SrouteRequest,
  TokensAnswer,
} from './documents.js'
import { routes } from './routes.js'
import {
  documentOf,
  eventsOf,
  refusalOf,
  ServiceError,
  SILENT_MS,
  throwNoAnswer,
} from './service-answer.js'
import { requireTimeout } from './timeout.js'

export type { ErrorCode } from '../engine/errors.js'
export type * from './documents.js'
export { ServiceError } from './service-answer.js'

/** Address of the service, and defaults of calls. */
export type ClientOptions = {
  /** Address of the service, such as `http://127.0.0.1:8555`; paths are appended to it. */
  readonly url: string
  /** Headers of every request, such as an authorization for a proxy in front. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Timeout of an answer in milliseconds; 30,000 by default. Streams have none. */
  readonly timeoutMs?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** Options of one call. */
export type CallOptions = {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The request of an operation, if it has one. */
type Call<Request, Answer> = (request: Request, options?: CallOptions) => Promise<Answer>
type OptionalCall<Request, Answer> = (request?: Request, options?: CallOptions) => Promise<Answer>
type CallWithoutRequest<Answer> = (request?: undefined, options?: CallOptions) => Promise<Answer>

/** The answer to an element of a batch. */
type BatchAnswer<Element> = Element extends { readonly route: RouteRequest }
  ? RouteAnswer
  : SrouteAnswer

/** One request of a batch, under the name of its operation. */
export type BatchElement = { readonly route: RouteRequest } | { readonly sroute: SrouteRequest }

/** The quote that a stream sends at every block. */
export type StreamRequest =
  | ({ readonly operation?: 'route' } & RouteRequest)
  | ({ readonly operation: 'sroute' } & SrouteRequest)

/** The event of one height: a quote, or the problem that prevents one. */
export type StreamEvent<Answer> =
  | { readonly event: 'quote'; readonly height: number; readonly quote: Answer }
  | {
      readonly event: 'problem'
      readonly height: number
      /** With the members of its code. */
      readonly problem: ProblemAnswer & Readonly<Record<string, unknown>>
    }

/**
 * The operations of a service. Documents are those of its API: amounts are strings of atomics. Every call
 * throws a `ServiceError` if the service refuses or does not respond, and the reason of a signal that aborts.
 */
export type Client = {
  readonly tokens: CallWithoutRequest<TokensAnswer>
  readonly route: Call<RouteRequest, RouteAnswer>
  readonly sroute: Call<SrouteRequest, SrouteAnswer>
  readonly simulate: Call<SimulateRequest, SimulateAnswer>
  readonly arbs: OptionalCall<ArbsRequest, ArbsAnswer>
  readonly arbroute: Call<ArbrouteRequest, ArbrouteAnswer>
  readonly orders: Call<OrdersRequest, OrdersAnswer>
  readonly orderPreview: Call<OrderPreviewRequest, OrderPreviewAnswer>
  readonly history: OptionalCall<HistoryRequest, HistoryAnswer>
  readonly historyOrders: OptionalCall<HistoryOrdersRequest, HistoryOrdersAnswer>
  /**
   * The market as one document, for `readMarket` of the engine. `compact` leaves out what the engine computes
   * from the rest: an eighth of the size, and the same quotes.
   */
  readonly snapshot: (
    request?: { readonly compact?: boolean | undefined },
    options?: CallOptions,
  ) => Promise<object>
  readonly version: CallWithoutRequest<{
    readonly version: string
    readonly commit: string
    readonly node: string
  }>
  /** The readiness of the service, with reasons; does not throw if it is not ready. */
  readonly readyz: CallWithoutRequest<{
    readonly ready: boolean
    readonly reasons: readonly string[]
    readonly heights: Readonly<Record<'node' | 'served' | 'indexed', number | null>>
  }>
  /** Sends many requests at once, all answered from one height, in order. A refused one is a problem. */
  batch<const Elements extends readonly BatchElement[]>(
    requests: Elements,
    options?: CallOptions,
  ): Promise<{
    readonly height: number
    readonly results: {
      readonly [At in keyof Elements]: BatchAnswer<Elements[At]> | ProblemAnswer
    }
  }>
  /**
   * Quotes at every new block until the loop is left; blocks that arrive during a quote are skipped up to the
   * newest. A connection that is lost, or silent for half a minute, is reopened after half a second to thirty
   * seconds. Throws a `ServiceError` if the service refuses the request itself, and the reason of a signal that
   * aborts.
   */
  stream<Request extends StreamRequest>(
    request: Request,
    options?: CallOptions,
  ): AsyncIterableIterator<
    StreamEvent<Request extends { readonly operation: 'sroute' } ? SrouteAnswer : RouteAnswer>
  >
}

/**
 * Opens a client; nothing is sent before the first call.
 *
 * @throws TypeError for a `url` that is invalid, does not begin with `http://` or `https://`, or has a password, a
 * query or a fragment, for `headers` that cannot be sent, and for a `timeoutMs` that is no whole number above 0 and
 * below 2^31
 */
export function createClient(options: ClientOptions): Client {
  const { fetch: send = globalThis.fetch, timeoutMs = 30_000 } = options
  requireTimeout(timeoutMs)
  // With these every call would fail as if the service were down, and a stream would open it for ever.
  new Headers(options.headers)
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(options.url) || !URL.canParse(options.url))
    throw new TypeError(
      'url must be http:// or https:// without password or query, such as http://127.0.0.1:8555',
    )
  const base = options.url.replace(/\/$/, '')

  const call = async (
    route: string,
    request: unknown,
    { signal }: CallOptions = {},
    streamHeaders?: Readonly<Record<string, string>>,
  ) => {
    signal?.throwIfAborted()
    // Not AbortSignal.any: Node 20 may collect its timeout as garbage while a body is read.
    const limit = new AbortController()
    const abort = () => limit.abort()
    const ms = streamHeaders ? SILENT_MS : timeoutMs
    const timer = setTimeout(() => limit.abort(new Error(`timeout of ${ms} ms`)), ms)
    signal?.addEventListener('abort', abort)
    try {
      const [method, path] = route.split(' ')
      const isPost = method === 'POST'
      // A request that is not JSON, e.g. with a bigint, is the caller's error.
      const body = isPost ? JSON.stringify(request) : null
      const query = isPost || request === undefined ? '' : queryOf(request)
      const answer = send(`${base}${path}${query && `?${query}`}`, {
        method: method!,
        headers: {
          ...options.headers,
          ...streamHeaders,
          ...(isPost && { 'content-type': 'application/json' }),
        },
        body,
        signal: limit.signal,
      })
      const response = await answer.catch(throwNoAnswer(base))
      const type = response.headers.get('content-type')
      if (streamHeaders && response.ok && response.body && type?.startsWith('text/event-stream'))
        return response.body
      const document = await documentOf(response, base)
      if (!streamHeaders && (response.ok || (route === routes.readyz && 'ready' in document)))
        return document
      throw refusalOf(response, document, base)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  async function* stream(request: unknown, given: CallOptions = {}) {
    for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, 30_000)) {
      try {
        const body = await call('GET /swap/stream', request, given, {
          accept: 'text/event-stream',
        })
        for await (const { event, data, id } of eventsOf(body as ReadableStream, given.signal)) {
          if (event === 'end') break
          pauseMs = 500
          yield { event, height: Number(id), [event]: JSON.parse(data) }
        }
      } catch (error) {
        if (error instanceof ServiceError && !error.retryable) throw error
      }
      await pause(pauseMs, given.signal)
    }
  }

  const calls = Object.entries(routes).map(([name, route]) => [
    name,
    (request?: unknown, given?: CallOptions) => call(route, request, given),
  ])
  return {
    ...Object.fromEntries(calls),
    batch: (requests: unknown, given?: CallOptions) =>
      call('POST /swap/batch', { requests }, given),
    stream,
  }
}

/**
 * Members as parameters: a member of a member has a dot in its name. Elements of a list have commas, or their place
 * in the name where they have members.
 */
function queryOf(request: unknown): string {
  const parameters = new URLSearchParams()
  const add = (value: unknown, name: string): void => {
    if (value === undefined) return
    if (typeof value !== 'object' || value === null || isListOfTexts(value))
      parameters.append(name, String(value))
    else
      for (const [key, each] of Object.entries(value))
        add(each, name === '' ? key : `${name}.${key}`)
  }
  add(request, '')
  return parameters.toString()
}

const isListOfTexts = (value: object): boolean =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object')

/** Resolves after a time or at an abort, and throws the reason of a signal that has aborted before. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(stop, ms)
    signal?.addEventListener('abort', stop)
  })
