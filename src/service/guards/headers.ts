import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyRequest } from 'fastify'

/** Headers of every answer with a body. The two pages have a `content-security-policy` of their own. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** Host names of the loopback address. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Number of cached host and port spellings. */
const REMEMBERED = 256

/**
 * Builds the check of `Host` headers against the allowed names. It prevents DNS rebinding, where a foreign
 * site's name resolves to this address. Ports are ignored.
 */
export function hostsOf(allowed: readonly string[]): (host: string) => boolean {
  const names = new Set([...LOOPBACK, ...allowed].map((name) => name.toLowerCase()))
  const known = new Set<string>()
  return (host) => {
    if (known.has(host)) return true
    if (!names.has(host.toLowerCase().replace(/:\d{1,5}$/, ''))) return false
    if (known.size < REMEMBERED) known.add(host)
    return true
  }
}

/** Whether an address is of the loopback interface. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined &&
  (address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.'))

/** Response headers exposed to pages of allowed origins. */
const readableHeaders = [
  'age',
  'etag',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-request-id',
]

/** Seconds that a browser keeps the answer to a preflight; without it 5, so that most quotes would need two requests. */
const PREFLIGHT_SECONDS = 600

/** The headers for pages of these origins. The service itself answers preflights, and refuses other OPTIONS. */
export const corsOptions = (origins: readonly string[]): FastifyCorsOptions => ({
  origin: [...origins],
  methods: ['GET', 'HEAD', 'POST'],
  exposedHeaders: readableHeaders,
  maxAge: PREFLIGHT_SECONDS,
  strictPreflight: false,
  preflightContinue: true,
})

/** Whether an OPTIONS request asks for a page of another origin what it may send. */
export const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined
