import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyRequest } from 'fastify'

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
