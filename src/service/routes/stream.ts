import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as Type from 'typebox'
import { SwapError } from '../../engine/errors.js'
import type { Endpoint } from '../../operations/operation.js'
import { quoteOperations } from '../../operations/operations.js'
import { httpProblemOf } from '../../operations/problem.js'
import { queryStringOf, type RequestContext } from '../answers/handler.js'
import { liveQuotes, type QuoteClient } from '../answers/live-quotes.js'
import type { ValidRequest } from '../answers/quote-service.js'
import type { Admission } from '../guards/admission.js'
import { SECURITY_HEADERS } from '../guards/headers.js'
import { STREAMS } from '../guards/limits.js'
import { duplicateParameter, parametersOf, readQuery } from '../query.js'
import { overloaded, type Pool } from '../workers/worker-pool.js'

/** Interval of heartbeats, in milliseconds. */
const HEARTBEAT_MS = 10_000

/** Buffered bytes of a client beyond which the next event closes the connection. */
const BEHIND_BYTES = 1024 * 1024

export const streamEndpoint: Endpoint = {
  name: 'stream',
  method: 'GET',
  path: '/swap/stream',
  tag: 'swap',
  summary: 'One quote a block, as server-sent events',
  description: `The parameters are the members of the request of \`operation\` (${quoteOperations.map(({ name }) => name).join(' or ')}), a member of a member with a dot, as \`legs.0.amount\`. Events: \`quote\` with the body that the operation answers, \`problem\` with a problem document, \`end\` before the service closes. The id of an event is its height.`,
  request: Type.Object({
    operation: Type.Optional(
      Type.Union(
        quoteOperations.map(({ name }) => Type.Literal(name)),
        { default: quoteOperations[0]!.name, description: 'The operation that is quoted.' },
      ),
    ),
    ...Object.assign(
      {},
      ...quoteOperations.map(({ request }) => (request as { properties?: object }).properties),
    ),
  }),
  example: { 'input.denom': 'btc-btc', 'input.amount': '150000000', 'output.denom': 'rune' },
  response: Type.String(),
  media: 'text/event-stream',
  answer: 'id: 120\nevent: quote\ndata: {"network":"demo","height":120}\n\n',
  codes: [...new Set(quoteOperations.flatMap(({ codes = [] }) => codes))],
}

export type Streams = {
  readonly open: number
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** Ends all of them, and each that is still being opened after its first event. @returns the number of open ones */
  end(): number
}

/**
 * @param pool computes the heavy quotes of streams, separate from that of requests
 * @param opened called for every request that is answered with a stream
 */
export function streamsOf(
  context: RequestContext,
  admission: Admission,
  pool: Pool,
  opened: (request: FastifyRequest) => void,
): Streams {
  const quotes = liveQuotes(context, pool)
  const ends = new Set<() => void>()
  let opening = 0
  let isEnding = false

  /** Opens a stream with its first quote. @returns whether it was opened */
  const open = async (
    request: FastifyRequest,
    reply: FastifyReply,
    close: () => void,
  ): Promise<boolean> => {
    // A market that cannot be quoted from now opens a stream too.
    request.servedHeight = (context.feed.current() ?? context.quotes.market()).height
    const question = questionOf(queryStringOf(request.url))
    const { raw } = reply
    const client: QuoteClient = {
      chargeHeavy: () => context.chargeHeavy(request),
      isGone: () => raw.destroyed,
    }
    const first = await quotes.now(question, client)
    // An invalid request gets a problem response; an error of this height only becomes an event.
    if (first?.error !== undefined && httpProblemOf(first.error).status < 422) throw first.error
    if (first === undefined || raw.destroyed) return false
    reply.hijack()
    raw.writeHead(200, {
      ...SECURITY_HEADERS,
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      connection: 'close',
    })
    opened(request)
    if (request.method === 'HEAD') {
      raw.end()
      return false
    }
    raw.flushHeaders()
    const write = writerOf(raw)
    // Also for a client that has an event of this height: it may have been a problem.
    write(first.text)
    const unfollow = quotes.follow(question, { ...client, send: write }, first)
    const heartbeat = setInterval(() => write(': the stream lives\n\n'), HEARTBEAT_MS)
    const end = () => {
      if (!ends.delete(end)) return
      unfollow()
      clearInterval(heartbeat)
      close()
      write('event: end\ndata: {}\n\n')
      raw.end()
    }
    ends.add(end)
    raw.once('close', end)
    if (isEnding) end()
    return true
  }

  return {
    get open() {
      return ends.size
    },
    async handle(request, reply) {
      if (ends.size + opening >= STREAMS) throw overloaded(`${STREAMS} streams are open already`)
      const close = admission.openStream(request)
      opening += 1
      let isOpen = false
      try {
        isOpen = await open(request, reply, close)
      } finally {
        opening -= 1
        if (!isOpen) close()
      }
      return reply
    },
    end() {
      isEnding = true
      const count = ends.size
      for (const end of ends) end()
      return count
    },
  }
}

/** Writes events, or closes the connection if the client does not read them. */
const writerOf =
  (raw: ServerResponse) =>
  (text: string): void => {
    if (raw.writableEnded || raw.destroyed) return
    // A single event may be larger, such as one with an explanation.
    if (raw.writableLength > BEHIND_BYTES) raw.destroy()
    else raw.write(text)
  }

function questionOf(query: string): ValidRequest {
  const parameters = parametersOf(query)
  const [name = quoteOperations[0]!.name, ...others] = parameters.getAll('operation')
  if (others.length > 0) throw duplicateParameter('operation')
  parameters.delete('operation')
  const operation = quoteOperations.find((each) => each.name === name)
  if (operation === undefined)
    throw new SwapError('INVALID_REQUEST', 'there is no stream of this operation', {
      why: `operation is one of ${quoteOperations.map((each) => each.name).join(', ')}`,
      hint: 'name one of them, or leave it out',
      members: { errors: [{ pointer: '/operation', detail: 'is not an operation of streams' }] },
    })
  const request = readQuery(parameters.toString(), operation.request)
  return { operation, prepared: operation.prepare(request) }
}
