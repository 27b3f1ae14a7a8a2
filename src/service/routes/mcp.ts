import type { FastifyReply, FastifyRequest } from 'fastify'
import * as Type from 'typebox'
import { SwapError } from '../../engine/errors.js'
import type { HttpAnswer } from '../../mcp/http.js'
import type { Reading } from '../../mcp/reading-tools.js'
import { onlyMarket } from '../../operations/context.js'
import type { Endpoint } from '../../operations/operation.js'
import { agentProblemOf } from '../../operations/problem.js'
import { loadOnce } from '../../platform/memoize.js'
import type { RequestContext } from '../answers/handler.js'
import { sendText } from '../answers/reply.js'
import { hostsOf, SECURITY_HEADERS } from '../guards/headers.js'
import type { ServedHistory } from './history.js'

const Message = Type.Object(
  { jsonrpc: Type.Literal('2.0', { description: 'Version of JSON-RPC.' }) },
  { additionalProperties: true },
)

const RefusedMessage = Type.Object({
  jsonrpc: Type.Literal('2.0', { description: 'Version of JSON-RPC.' }),
  id: Type.Union([Type.String(), Type.Number(), Type.Null()], {
    description: 'Id of the message; null where it cannot be read.',
  }),
  error: Type.Object(
    {
      code: Type.Integer({ description: 'Code of JSON-RPC.' }),
      message: Type.String({ description: 'What is wrong with the message.' }),
    },
    { description: 'The error of JSON-RPC.' },
  ),
})

export const mcpEndpoint: Endpoint = {
  name: 'mcp',
  method: 'POST',
  path: '/mcp',
  tag: 'service',
  summary: 'The operations as tools for agents: Model Context Protocol, one message a request',
  description:
    'Revisions up to 2025-11-25 and 2026-07-28, without sessions. `tools/list` has the tools, `tools/call` answers with the documents of the other paths as `structuredContent`. A body that is not a message gets 400 with an error of JSON-RPC.',
  request: Message,
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  response: Message,
  answer: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
  invalid: {
    response: RefusedMessage,
    answer: {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'this is not JSON; send one JSON-RPC message' },
    },
  },
  codes: ['RATE_LIMITED', 'OVERLOADED', 'ORIGIN_NOT_ALLOWED'],
}

export type McpOptions = {
  readonly version: string
  readonly context: RequestContext
  /** The history of the markets' chain; absent for a saved market. */
  readonly history?: ServedHistory | undefined
  /** Allowed host names beside those of the loopback address. */
  readonly hosts: readonly string[]
  /** Allowed origins of pages. */
  readonly cors: readonly string[]
}

/** Handles MCP messages. The SDK is loaded with the first one. */
export function mcpHandler(options: McpOptions) {
  const { context } = options
  const isHost = hostsOf(options.hosts)
  const answers = loadOnce(() => answersOf(options))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    requireOwnOrigin(request, options.cors, isHost)
    const body = typeof request.body === 'string' ? request.body : ''
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const message = new Request(`http://localhost${mcpEndpoint.path}`, {
      method: 'POST',
      headers: headersOf(request),
      body,
      signal: gone.signal,
    })
    const answer = await answers.get()
    const response = await answer(message, body, () => context.chargeHeavy(request))
    return send(reply, response)
  }
}

/** Refuses tool calls from pages of other sites, which send an `Origin` header: the protocol requires status 403. */
function requireOwnOrigin(
  { headers: { origin } }: FastifyRequest,
  cors: readonly string[],
  isHost: (host: string) => boolean,
): void {
  if (origin === undefined || cors.includes(origin)) return
  if (URL.canParse(origin) && isHost(new URL(origin).host)) return
  throw new SwapError('ORIGIN_NOT_ALLOWED', 'pages of this origin may not call tools', {
    why: 'the service was not started with it',
    hint: {
      cli: 'name it when the service is started: swap serve --cors ORIGIN',
      http: 'its operator can allow the origin',
    },
  })
}

/** The headers that the protocol uses. `Accept` is replaced: a stream is sent only if a client requests progress. */
function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const own = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('mcp-') && typeof value === 'string' ? [[name, value] as const] : [],
  )
  return {
    ...Object.fromEntries(own),
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status)
  const type = response.headers.get('content-type') ?? ''
  if (response.body === null) return reply.headers(SECURITY_HEADERS).send()
  if (!type.startsWith('text/event-stream')) return sendText(reply, await response.text())
  return reply
    .headers({ ...SECURITY_HEADERS, 'content-type': 'text/event-stream' })
    .send(response.body)
}

async function answersOf({ version, context, history }: McpOptions): Promise<HttpAnswer> {
  const [{ httpAnswers }, { agentWords, readingTools, resourcesOf }] = await Promise.all([
    import('../../mcp/http.js'),
    import('../../mcp/reading-tools.js'),
  ])
  const reading = readingOf(context, history)
  const tools = readingTools(reading)
  return httpAnswers({
    version,
    tools,
    resources: resourcesOf(tools, reading),
    templates: [],
    problem: (error, height) =>
      agentProblemOf(error, height, { words: agentWords, isLocal: false }),
    bug: (error) => context.bug(error),
  })
}

/** Tools read the served market through the same cache and workers as other endpoints. */
const readingOf = ({ quotes }: RequestContext, history: ServedHistory | undefined): Reading => ({
  async answer(operation, input, call) {
    const served = quotes.market()
    call.answersAt(served.height)
    const prepared = operation.prepare(input)
    if (operation.weight === 'heavy') call.charge()
    const chargeHeavy = () => (operation.weight === 'heavy' ? undefined : call.charge())
    return quotes.textOf(served, { operation, prepared }, chargeHeavy)
  },
  async market(call) {
    call.charge()
    const { height, patient } = quotes.market()
    call.answersAt(height)
    return patient
  },
  async history(work) {
    if (history !== undefined) return work(history.port)
    throw onlyMarket('the history')
  },
})
