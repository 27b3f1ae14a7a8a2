import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { SwapError } from '../../engine/errors.js'
import { stringify } from '../../operations/json.js'
import { problemOf } from '../../operations/problem.js'
import type { Asked } from '../answers/answerer.js'
import { type Desk, queryOf } from '../answers/ask.js'
import type { Endpoint } from '../endpoint.js'
import type { Served } from '../feed/market-feed.js'
import { SECURITY_HEADERS } from '../guards/headers.js'
import { STREAMS } from '../guards/limits.js'
import { readQuery } from '../query.js'
import { overloaded } from '../workers/pool.js'
import { operations } from './index.js'

/** Milliseconds between two signs of life where no block comes. */
const HEARTBEAT_MS = 10_000

/** Bytes that a reader may be behind; one that does not read is let go. */
const BEHIND_BYTES = 1024 * 1024

const kinds = operations.filter(({ inStream }) => inStream)

export const streamEndpoint: Endpoint = {
  name: 'stream',
  method: 'GET',
  path: '/swap/stream',
  tag: 'swap',
  summary: 'One quote a block, as server-sent events',
  description: `The parameters are the members of the request of \`operation\` (${kinds.map(({ name }) => name).join(' or ')}), a member of a member with a dot. Events: \`quote\` with the body that the operation answers, \`problem\` with a problem document, \`end\` before the service closes. The id of an event is its height.`,
  request: Type.Object({
    operation: Type.Optional(
      Type.Union(
        kinds.map(({ name }) => Type.Literal(name)),
        { default: kinds[0]!.name },
      ),
    ),
    ...Object.assign(
      {},
      ...kinds.map(({ request }) => (request as { properties?: object }).properties),
    ),
  }),
  example: { 'input.denom': 'btc-btc', 'input.amount': '150000000', 'output.denom': 'rune' },
  response: Type.String(),
  media: 'text/event-stream',
  answer: 'id: 120\nevent: quote\ndata: {"network":"demo","height":120}\n\n',
  codes: [...new Set(kinds.flatMap(({ codes }) => codes))],
}

/** The streams that are open. */
export type Streams = {
  readonly open: number
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** Ends all of them. @returns how many there were */
  end(): number
}

export function streamsOf(desk: Desk): Streams {
  const ends = new Set<() => void>()
  return {
    get open() {
      return ends.size
    },
    async handle(request, reply) {
      if (ends.size >= STREAMS) throw overloaded(`${STREAMS} streams are open already`)
      const subject = subjectOf(queryOf(request.url), () => desk.weigh(request))
      const served = desk.answerer.market()
      await refuseWhatIsWrong(desk, subject, served)
      if (reply.raw.destroyed) return reply
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        ...SECURITY_HEADERS,
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        connection: 'close',
      })
      raw.flushHeaders()
      const end = follow(desk, subject, raw, Number(request.headers['last-event-id']), served)
      ends.add(end)
      raw.once('close', () => {
        end()
        ends.delete(end)
      })
      return reply
    },
    end() {
      const count = ends.size
      for (const end of ends) end()
      return count
    },
  }
}

/** What is wrong with the request itself is told as for any other; what is only so at this height is an event. */
async function refuseWhatIsWrong(
  { answerer }: Desk,
  subject: Asked,
  served: Served,
): Promise<void> {
  try {
    await answerer.answer(served, subject)
  } catch (error) {
    if (problemOf(error).status < 422) throw error
  }
}

function subjectOf(query: string, weigh: () => void): Asked {
  const parameters = new URLSearchParams(query)
  const name = parameters.get('operation') ?? kinds[0]!.name
  parameters.delete('operation')
  const operation = kinds.find((each) => each.name === name)
  if (operation === undefined)
    throw new SwapError('INVALID_REQUEST', 'there is no stream of this operation', {
      why: `operation is one of ${kinds.map((each) => each.name).join(', ')}`,
      hint: 'name one of them, or leave it out',
      members: { errors: [{ pointer: '/operation', detail: 'is not an operation of streams' }] },
    })
  const request = readQuery(parameters.toString(), operation.request)
  return { operation, spelling: JSON.stringify(request), read: () => request, weigh }
}

/** Writes an event for every height from now on, the newest where several have come. @returns what ends it */
function follow(
  { feed, answerer, bug }: Desk,
  subject: Asked,
  raw: ServerResponse,
  lastHeight: number,
  first: Served,
): () => void {
  let [newest, told, writing, ended] = [first, lastHeight, false, false]
  const write = (text: string): void => {
    if (ended) return
    raw.write(text)
    if (raw.writableLength > BEHIND_BYTES) raw.destroy()
  }
  const advance = async (): Promise<void> => {
    if (writing) return
    writing = true
    while (!ended && told !== newest.height) {
      const served = newest
      const event = await eventOf(served)
      told = served.height
      write(`id: ${served.height}\n${event}\n\n`)
    }
    writing = false
  }
  const eventOf = async (served: Served): Promise<string> => {
    try {
      const known = answerer.known(served, subject)
      const { text } = known ?? (await answerer.answer(served, subject))
      return `event: quote\ndata: ${text}`
    } catch (error) {
      if (!(error instanceof SwapError)) bug(error)
      return `event: problem\ndata: ${stringify(problemOf(error, served.height))}`
    }
  }
  const unsubscribe = feed.subscribe((served) => {
    newest = served
    void advance()
  })
  const heartbeat = setInterval(() => write(': the stream lives\n\n'), HEARTBEAT_MS)
  void advance()
  return () => {
    if (ended) return
    unsubscribe()
    clearInterval(heartbeat)
    write('event: end\ndata: {}\n\n')
    ended = true
    raw.end()
  }
}
