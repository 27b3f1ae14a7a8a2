import type { IncomingMessage, RequestListener } from 'node:http'
import { bytesUpTo } from '../../platform/file-stream.js'
import type { Chain } from '../blocks/chain.js'
import { type Node, nodeShowing } from './queries/node.js'
import {
  deliver,
  emptyReply,
  jsonReply,
  type Middleware,
  type NodeRequest,
  type Reply,
  withHeaders,
} from './reply.js'
import { answerRest } from './rest.js'
import { answerRpc, failureJson, internalErrorJson } from './rpc/jsonrpc.js'
import { invalidRequest } from './rpc/rpc-failure.js'

const METHODS = ['HEAD', 'GET', 'POST']
/** Headers that a page may send. The one of a height is not among them: nodes do not allow it either. */
const HEADERS = ['origin', 'accept', 'content-type', 'x-requested-with', 'x-server-time']

/** Allows pages of other sites to read everything, as a public node does. */
const corsHeaders = ({ headers }: NodeRequest): Record<string, string> =>
  headers.origin === undefined ? {} : { vary: 'Origin', 'access-control-allow-origin': '*' }

/** Answers a preflight request; `undefined` when the request is not one. */
function preflight({ method, headers }: NodeRequest): Reply | undefined {
  const asked = headers['access-control-request-method']
  if (method !== 'OPTIONS' || asked === undefined) return undefined
  const vary = {
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  }
  const wanted = headers['access-control-request-headers'] ?? ''
  const names = wanted.split(',').flatMap((name) => name.trim().toLowerCase() || [])
  const allowed = METHODS.includes(asked) && names.every((name) => HEADERS.includes(name))
  if (!allowed || headers.origin === undefined) return emptyReply(204, vary)
  return emptyReply(204, {
    ...vary,
    'access-control-allow-origin': '*',
    'access-control-allow-methods': asked,
    ...(wanted && { 'access-control-allow-headers': wanted }),
  })
}

/** Largest request body in bytes: CometBFT's default. */
const BODY = 1_000_000

/** Answers one request of an endpoint, from another view of the chain where one is given. */
export type Answer = (request: NodeRequest, view?: Chain) => Promise<Reply>

export const answersOf =
  (node: Node): Answer =>
  async (request, view) => {
    const shown = nodeShowing(node, view)
    return request.endpoint === 'rest' ? answerRest(shown, request) : answerRpc(shown, request)
  }

const TOO_LARGE = failureJson(
  undefined,
  invalidRequest('error reading request body: http: request body too large'),
)

/** Answers the HTTP requests of one endpoint: reads the body, runs the middleware, sends the reply. */
export function listener(
  endpoint: 'rpc' | 'rest',
  answer: Answer,
  middleware: Middleware,
): RequestListener {
  const reply = async (incoming: IncomingMessage): Promise<Reply> => {
    const { method = 'GET', url = '/', headers } = incoming
    try {
      const body = await bytesUpTo(BODY, incoming)
      if (body === undefined) return jsonReply(400, TOO_LARGE, { connection: 'close' })
      const request = { endpoint, method, url, headers, body }
      return await middleware(
        request,
        async (view) =>
          preflight(request) ?? withHeaders(await answer(request, view), corsHeaders(request)),
      )
    } catch (error) {
      return jsonReply(500, internalErrorJson(error))
    }
  }
  return (incoming, response) => {
    response.on('error', () => response.destroy())
    reply(incoming)
      .then((made) => deliver(response, made, incoming.method === 'HEAD'))
      .catch(() => response.destroy())
  }
}
