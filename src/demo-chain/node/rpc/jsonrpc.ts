import { errorText } from '../../../engine/errors.js'
import type { Node } from '../queries/node.js'
import {
  emptyReply,
  goJson,
  jsonReply,
  type NodeRequest,
  notFoundReply,
  type Reply,
  targetOf,
} from '../reply.js'
import { QuerySyntaxError } from '../search/search.js'
import { type Args, jsonArgs, type Method, uriArgs } from './arguments.js'
import { blockMethods, infoMethods } from './chain-methods.js'
import {
  internalError,
  invalidRequest,
  methodNotFound,
  parseError,
  RpcFailure,
} from './rpc-failure.js'
import { txMethods } from './tx-methods.js'

/** The methods of the RPC, except those of subscriptions. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...infoMethods, ...blockMethods, ...txMethods }),
)

/** The methods that need a WebSocket; their one argument is `query`. */
export const socketMethods: ReadonlySet<string> = new Set(['subscribe', 'unsubscribe'])

/**
 * Runs a method.
 *
 * @throws RpcFailure
 */
export async function run(node: Node, found: Method, args: Args): Promise<unknown> {
  try {
    return await found.run(node, args)
  } catch (error) {
    throw error instanceof QuerySyntaxError ? internalError(error.message) : error
  }
}

export type Id = string | number

/** A JSON-RPC request; without an id it is a notification and has no answer. */
export type RpcRequest = {
  readonly id: Id | undefined
  readonly method: string
  /** `undefined` when there are none. */
  readonly params: unknown
}

/** The id of answers without a request id: GET, and internal errors. */
const NO_ID = -1

/** Most requests of one batch. */
const BATCH = 10

const unreadable = (text: string): RpcFailure => parseError(`error unmarshaling request: ${text}`)

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable((error as Error).message)
  }
}

/** @throws RpcFailure */
function requestOf(value: unknown): RpcRequest {
  if (value === null) return { id: undefined, method: '', params: undefined }
  if (typeof value !== 'object' || Array.isArray(value)) throw unreadable('a request is an object')
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  for (const [name, field] of Object.entries({ jsonrpc, method }))
    if (field !== undefined && field !== null && typeof field !== 'string')
      throw unreadable(`${name} is a string`)
  return { id: idOf(id), method: typeof method === 'string' ? method : '', params }
}

function idOf(id: unknown): Id | undefined {
  if (id === undefined || id === null) return undefined
  if (typeof id === 'string') return id
  if (typeof id === 'number') return Math.trunc(id)
  throw unreadable('an id is a number or a string')
}

/** One request, as a WebSocket's message has it. @throws RpcFailure */
export const readRequest = (text: string): RpcRequest => requestOf(parseBody(text))

/** One request or a batch; an invalid request fails the whole batch. @throws RpcFailure */
function readRequests(text: string): readonly RpcRequest[] {
  const value = parseBody(text)
  if (value === null) return []
  return Array.isArray(value) ? value.map(requestOf) : [requestOf(value)]
}

export const answerJson = (id: Id, result: unknown): string =>
  goJson({ jsonrpc: '2.0', id, result })

export const failureJson = (id: Id | undefined, { code, message, data }: RpcFailure): string =>
  goJson({ jsonrpc: '2.0', id, error: { code, message, data } })

/** The answer to a request on which the node itself failed. */
export const internalErrorJson = (error: unknown): string =>
  failureJson(NO_ID, internalError(errorText(error)))

/** The result of the method that a request names. @throws RpcFailure */
export function call(node: Node, { method, params }: RpcRequest): Promise<unknown> {
  const found = methods.get(method)
  if (!found) throw methodNotFound()
  return run(node, found, jsonArgs(found.names, params))
}

async function outcome(node: Node, id: Id, request: RpcRequest): Promise<string> {
  try {
    return answerJson(id, await call(node, request))
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    return failureJson(id, error)
  }
}

/** Answers a POST body: one request, a batch, or notifications. */
async function answerPost(node: Node, body: Buffer): Promise<Reply> {
  let requests: readonly RpcRequest[]
  try {
    requests = readRequests(body.toString())
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    return jsonReply(500, failureJson(undefined, error))
  }
  if (requests.length > BATCH)
    return jsonReply(
      200,
      failureJson(
        undefined,
        invalidRequest(`batch request exceeds maximum (${BATCH}) allowed number of requests`),
      ),
    )
  const answers: string[] = []
  for (const request of requests)
    if (request.id !== undefined) answers.push(await outcome(node, request.id, request))
  const [only] = answers
  if (only === undefined) return emptyReply(200)
  return jsonReply(200, answers.length === 1 ? only : `[${answers.join(',')}]`)
}

/** Answers `/method?name=value`, whatever the HTTP method. */
async function answerUri(node: Node, path: string, query: URLSearchParams): Promise<Reply> {
  const name = path.slice(1)
  if (socketMethods.has(name)) return jsonReply(404, failureJson(NO_ID, methodNotFound()))
  const found = methods.get(name)
  if (!found) return notFoundReply
  try {
    return jsonReply(200, answerJson(NO_ID, await run(node, found, uriArgs(query))))
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    return jsonReply(500, failureJson(NO_ID, error))
  }
}

/** Answers an HTTP request of the RPC endpoint. */
export async function answerRpc(node: Node, { url, body }: NodeRequest): Promise<Reply> {
  const { path, query } = targetOf(url)
  if (path !== '/') return answerUri(node, path, query)
  return body.length === 0 ? emptyReply(200) : answerPost(node, body)
}
