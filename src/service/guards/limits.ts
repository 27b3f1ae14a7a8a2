import { readFileSync } from 'node:fs'
import { attempt } from '../../platform/attempt.js'
import type { Rate } from './rate-limiter.js'

/** Maximum bytes of a body; a request has a few hundred. */
export const BODY_BYTES = 16 * 1024

/** Maximum bytes of a batch of a hundred requests. */
export const BATCH_BYTES = 128 * 1024

/** Maximum characters of a path with its query. */
export const URL_LENGTH = 2_048

/** Maximum bytes of all headers together. */
export const HEADER_BYTES = 8 * 1024

/** Timeouts in milliseconds for the headers, for a whole request, and for an idle socket. */
export const HEADERS_MS = 5_000
export const REQUEST_MS = 10_000
export const SOCKET_MS = 15_000

/** Interval of Node's check for connections over these timeouts, in milliseconds. */
export const CHECK_MS = 1_000

/**
 * Requests after which a connection is closed. High enough that load generators, which ignore `Connection:
 * close`, never reach it.
 */
export const REQUESTS_PER_SOCKET = 1_000_000

/** Maximum connections, in total and per address. */
const CONNECTIONS = 12_000
export const CONNECTIONS_PER_ADDRESS = 256

/** Files that connections leave to nodes, databases and threads: without one, these fail. */
const OTHER_FILES = 256

/** Maximum connections of a process that may have so many files open. */
export const connectionsWithin = (files: number): number =>
  Math.min(CONNECTIONS, Math.floor(Math.max(files - OTHER_FILES, files / 2)))

/** The files, sockets among them, that this process may have open; infinite where the system does not tell. */
export function mostOpenFiles(): number {
  const limits = attempt(() => readFileSync('/proc/self/limits', 'utf8')) ?? ''
  const [, most] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return Number(most ?? Number.POSITIVE_INFINITY)
}

/** Maximum pipelined requests of a connection. */
export const PIPELINED = 10

/** Maximum open streams. */
export const STREAMS = 256

/** The same per address. */
export const STREAMS_PER_ADDRESS = 16

/** Maximum total cost of a batch: a hundred splits, or twenty explanations. */
export const BATCH_WEIGHT = 400

/** Requests that may query the chain at once, and their timeout in milliseconds. */
export const CHAIN_REQUESTS = 16
export const CHAIN_REQUEST_MS = 4_000

/** Maximum size of one height's answer cache, in bytes. */
export const CACHE_BYTES = 64 * 1024 * 1024

/** Request rates per address, by kind. */
const RATES = {
  get: { perSecond: 50, burst: 100 },
  light: { perSecond: 20, burst: 40 },
  heavy: { perSecond: 5, burst: 10 },
  metrics: { perSecond: 1, burst: 20 },
  snapshot: { perSecond: 10, burst: 20 },
} as const satisfies Readonly<Record<string, Rate>>

export type RateKind = keyof typeof RATES

export const RATE_KINDS = Object.keys(RATES) as readonly RateKind[]

/** The rate of a kind; all but that of metrics are scaled to a given rate of light requests. */
export function rateOf(kind: RateKind, light: number = RATES.light.perSecond): Rate {
  const { perSecond, burst } = RATES[kind]
  if (kind === 'metrics') return { perSecond, burst }
  return {
    perSecond: (perSecond * light) / RATES.light.perSecond,
    burst: Math.max(1, Math.round((burst * light) / RATES.light.perSecond)),
  }
}
