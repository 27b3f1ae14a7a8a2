import type { FastifyReply, FastifyRequest } from 'fastify'
import { SwapError } from '../../engine/errors.js'
import { readJson } from '../../operations/body/read-json.js'
import type { Operation } from '../../operations/operation.js'
import type { MarketFeed } from '../feed/market-feed.js'
import { readQuery } from '../query.js'
import type { CachedAnswer } from './cache.js'
import type { QuoteRequest, QuoteService } from './quote-service.js'
import { sendAnswer, sendProblem } from './reply.js'

/** Dependencies shared by the request handlers. */
export type RequestContext = {
  readonly feed: MarketFeed
  readonly quotes: QuoteService
  /** Charges a request that queries the chain at the heavy rate. @throws SwapError RATE_LIMITED */
  chargeHeavy(request: FastifyRequest): void
  /** Logs an unexpected error, whose text is not shown to clients. */
  bug(error: unknown, requestId?: string): void
}

export const handlerOf =
  (context: RequestContext, operation: Operation) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const spelled = operation.method === 'POST' ? requestOfBody : requestOfQuery
    // Heavy operations are charged on admission.
    const chargeHeavy = () =>
      operation.weight === 'heavy' ? undefined : context.chargeHeavy(request)
    const { rawKey, prepare } = spelled(operation, request)
    answer(context, { operation, rawKey, prepare, chargeHeavy }, request, reply)
  }

type KeyedRequest = Pick<QuoteRequest, 'rawKey' | 'prepare'>

const requestOfBody = (operation: Operation, request: FastifyRequest): KeyedRequest => {
  const rawKey = bodyOf(request)
  return { rawKey, prepare: () => operation.prepare(readJson(rawKey)) }
}

const requestOfQuery = (operation: Operation, { url }: FastifyRequest): KeyedRequest => {
  const rawKey = queryStringOf(url)
  return {
    rawKey,
    prepare: () => operation.prepare(readQuery(rawKey, operation.request)),
  }
}

/** The body of a POST request. @throws SwapError INVALID_REQUEST for parameters, which would have no effect */
export function bodyOf({ body, url }: FastifyRequest): string {
  if (queryStringOf(url) !== '')
    throw new SwapError('INVALID_REQUEST', 'a POST request has no parameters in its URL', {
      hint: 'send them as members of the body',
      members: { errors: [] },
    })
  return typeof body === 'string' ? body : ''
}

/** The query string of a URL, without the `?`. */
export function queryStringOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

/** Answers from the current market. A cached answer is sent without parsing the request. */
function answer(
  { feed, quotes }: RequestContext,
  asked: QuoteRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const served = quotes.market()
  const known = quotes.known(served, asked)
  const send = (kept: CachedAnswer) => sendAnswer(request, reply, { feed, served }, kept)
  if (known !== undefined) send(known)
  else
    quotes
      .answer(served, asked)
      .then(send, (error: unknown) => sendProblem(request, reply, error, served.height))
}
