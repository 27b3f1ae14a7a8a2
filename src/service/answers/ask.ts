import type { FastifyReply, FastifyRequest } from 'fastify'
import { readJson } from '../../operations/body/read-json.js'
import type { Operation } from '../endpoint.js'
import type { MarketFeed } from '../feed/market-feed.js'
import { readQuery } from '../query.js'
import type { Answerer, Asked } from './answerer.js'
import type { Kept } from './cache.js'
import { sendAnswer, sendProblem } from './reply.js'

/** What answering a request needs. */
export type Desk = {
  readonly feed: MarketFeed
  readonly answerer: Answerer
  /** Counts a request that asks the chain as a heavy one. @throws SwapError RATE_LIMITED */
  weigh(request: FastifyRequest): void
  /** Writes down an error that nobody expected, and that nobody outside is told. */
  bug(error: unknown, requestId?: string): void
}

/** Handles requests of an operation, for a path of the server. */
export const handlerOf =
  (desk: Desk, operation: Operation) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const spelled = operation.method === 'POST' ? spelledBody : spelledQuery
    // Heavy operations were admitted as such.
    const weigh = () => (operation.weight === 'heavy' ? undefined : desk.weigh(request))
    answer(desk, { operation, ...spelled(operation, request), weigh }, request, reply)
    return reply
  }

type Spelled = Pick<Asked, 'spelling' | 'prepare'>

const spelledBody = (operation: Operation, { body }: FastifyRequest): Spelled => {
  const spelling = typeof body === 'string' ? body : ''
  return { spelling, prepare: () => operation.prepare(readJson(spelling)) }
}

const spelledQuery = (operation: Operation, { url }: FastifyRequest): Spelled => {
  const spelling = queryOf(url)
  return {
    spelling,
    prepare: () => operation.prepare(readQuery(spelling, operation.request)),
  }
}

/** What stands behind the `?` of a URL. */
export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

/** Answers from the market of this moment. What is known is sent before anything is read or awaited. */
function answer(
  { feed, answerer }: Desk,
  asked: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const served = answerer.market()
  const known = answerer.known(served, asked)
  const send = (kept: Kept) => sendAnswer(request, reply, { feed, served }, kept)
  if (known !== undefined) send(known)
  else
    answerer
      .answer(served, asked)
      .then(send, (error: unknown) => sendProblem(request, reply, error, served.height))
}
