import type { FastifyReply, FastifyRequest } from 'fastify'
import { snapshotOperation } from '../../operations/operations.js'
import { keptWith } from '../../platform/memoize.js'
import { type CompressedBody, compressedBody, sendCompressed } from '../answers/compressed.js'
import { queryStringOf, type RequestContext } from '../answers/handler.js'
import { ageOf, JSON_HEADERS } from '../answers/reply.js'
import type { ServedMarket } from '../feed/market-feed.js'
import { readQuery } from '../query.js'
import type { Pool } from '../workers/worker-pool.js'

/**
 * Sends the market's document. A worker serializes it once for each block and form, since that would block
 * the serving thread for 100 ms.
 */
export function snapshotHandler({ feed, quotes }: RequestContext, pool: Pool) {
  const bodiesOf = keptWith((_: ServedMarket) => new Map<string, Promise<CompressedBody>>())
  const { name, request: schema, deadline, prepare } = snapshotOperation

  const bodyOf = (served: ServedMarket, query: string): Promise<CompressedBody> => {
    const { key, request } = prepare(readQuery(query, schema))
    const bodies = bodiesOf(served)
    let body = bodies.get(key)
    if (body === undefined) {
      body = pool
        .run({ operation: name, request, served, deadline })
        .then((text) => compressedBody(Buffer.from(`${text}\n`), 'fast'))
      body.catch(() => bodies.delete(key))
      bodies.set(key, body)
    }
    return body
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const served = quotes.market()
    request.servedHeight = served.height
    const body = await bodyOf(served, queryStringOf(request.url))
    reply.header('age', ageOf(feed, served))
    return sendCompressed(request, reply, body, JSON_HEADERS)
  }
}
