import type { Rate } from './rate-limiter.js'

/** Bytes of a body at most; a request is a few hundred. */
export const BODY_BYTES = 16 * 1024

/** Bytes of a batch of a hundred requests at most. */
export const BATCH_BYTES = 128 * 1024

/** Characters of a path with its parameters at most. */
export const URL_LENGTH = 2_048

/** Bytes of all headers together at most. */
export const HEADER_BYTES = 8 * 1024

/** Milliseconds that a client may take for its headers, for a whole request, and without a byte moving. */
export const HEADERS_MS = 5_000
export const REQUEST_MS = 10_000
export const SOCKET_MS = 15_000

/** How often Node looks for connections that are over their time, in milliseconds. */
export const CHECK_MS = 1_000

/**
 * Requests on one connection, after which the client has to open another: high enough that load
 * generators, which ignore `Connection: close`, do not run into refusals.
 */
export const REQUESTS_PER_SOCKET = 1_000_000

/** Connections at most, together and of one address. */
export const CONNECTIONS = 12_000
export const CONNECTIONS_PER_ADDRESS = 256

/** Requests that one connection may send ahead of the answer it waits for. */
export const PIPELINED = 10

/** Streams that may be open. */
export const STREAMS = 256

/** The same of one address. */
export const STREAMS_PER_ADDRESS = 16

/** What the requests of one batch may weigh together: a hundred splits, or twenty explanations. */
export const BATCH_WEIGHT = 400

/** Requests that may ask the chain at once, and milliseconds that each of them may wait for it. */
export const ASKING = 16
export const ASKING_MS = 4_000

/** What answers of one height may take together, in bytes. */
export const CACHE_BYTES = 64 * 1024 * 1024

/** How often one address may ask, by what is asked for. */
const RATES = {
  get: { perSecond: 50, burst: 100 },
  light: { perSecond: 20, burst: 40 },
  heavy: { perSecond: 5, burst: 10 },
  metrics: { perSecond: 1, burst: 20 },
  snapshot: { perSecond: 10, burst: 20 },
} as const satisfies Readonly<Record<string, Rate>>

export type RateKind = keyof typeof RATES

/** The rates when light requests may come so often; the others keep their proportion to it. */
export function ratesOf(light: number): Readonly<Record<RateKind, Rate>> {
  const scaled = ({ perSecond, burst }: Rate): Rate => ({
    perSecond: (perSecond * light) / RATES.light.perSecond,
    burst: Math.max(1, Math.round((burst * light) / RATES.light.perSecond)),
  })
  const { get, heavy, metrics, snapshot } = RATES
  return {
    get: scaled(get),
    light: scaled(RATES.light),
    heavy: scaled(heavy),
    metrics,
    snapshot: scaled(snapshot),
  }
}
