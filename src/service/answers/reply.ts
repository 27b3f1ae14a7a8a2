import type { FastifyReply, FastifyRequest } from 'fastify'
import { SwapError } from '../../engine/errors.js'
import { httpProblemOf } from '../../operations/problem.js'
import { sha256 } from '../../platform/encoding.js'
import type { MarketFeed, ServedMarket } from '../feed/market-feed.js'
import { SECURITY_HEADERS } from '../guards/headers.js'
import type { CachedAnswer } from './cache.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of a problem response, for the log and the metrics; otherwise empty. */
    problemCode: string
    /** The height of the answering market, or 0. */
    servedHeight: number
    /** Arrival time on a monotonic clock, in milliseconds. */
    cameAt: number
    /** The error behind an `INTERNAL` response, for the log. */
    bug: unknown
  }
}

export const JSON_HEADERS = {
  ...SECURITY_HEADERS,
  'content-type': 'application/json; charset=utf-8',
}
const PROBLEM_HEADERS = { ...SECURITY_HEADERS, 'content-type': 'application/problem+json' }

/** What an entity tag says of a content: the beginning of its hash. */
export const entityHash = (content: string | Buffer): string =>
  sha256(content).toString('base64url').slice(0, 22)

/** An entity tag by which equal contents are compared only weakly. */
export const weakTag = (content: string): string => `W/"${entityHash(content)}"`

/** Sends an answer. The age of the market is in the `Age` header, not in the body. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  from: { readonly feed: MarketFeed; readonly served: ServedMarket },
  kept: CachedAnswer,
): void {
  request.servedHeight = from.served.height
  reply.header('age', ageOf(from.feed, from.served))
  sendTagged(request, reply, kept)
}

/** Sends an answer with its entity tag, or 304 if the client has it. Without a tag it is always sent. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, tag, bytes }: CachedAnswer,
): void {
  if (tag !== '') {
    reply.header('etag', tag)
    if (isKnownTo(request.headers['if-none-match'], tag)) {
      // A 304 has no body, and none of the headers that protect one.
      reply.header('cache-control', 'no-cache').code(304).send()
      return
    }
  }
  reply.headers(JSON_HEADERS)
  if (tag !== '') reply.header('cache-control', 'no-cache')
  reply.send(bytes ?? text)
}

/** Age of a market in whole seconds, rounded down, counted from the beginning of its reading. */
export const ageOf = (feed: MarketFeed, served: ServedMarket): string =>
  `${Math.floor(feed.age(served) / 1_000)}`

/** Whether `If-None-Match` contains a tag, by weak comparison (RFC 9110, 13.1.2). */
export function isKnownTo(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag || header === '*') return true
  const strong = tag.replace(/^W\//, '')
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === strong)
}

/** Sends the problem document of a thrown value. `height` is that of the market, if known. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  height?: number,
): void {
  const problem = httpProblemOf(error, height)
  request.problemCode = problem.code
  if (problem.code === 'INTERNAL') request.bug = error
  request.servedHeight = height ?? 0
  const retry = error instanceof SwapError ? error.members['retry_after_ms'] : undefined
  if (typeof retry === 'number') reply.header('retry-after', `${Math.ceil(retry / 1_000)}`)
  reply
    .code(problem.status)
    .headers(PROBLEM_HEADERS)
    .send(JSON.stringify({ ...problem, instance: request.id }))
}

/** Sends a document that does not depend on the market. */
export function sendDocument(reply: FastifyReply, document: object, status = 200): void {
  sendText(reply.code(status), JSON.stringify(document))
}

/** Sends a JSON text unchanged. */
export const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.headers(JSON_HEADERS).send(text)
