import type { Node } from '../queries/node.js'
import {
  emptyReply,
  jsonReply,
  type NodeRequest,
  notFoundReply,
  type Reply,
  targetOf,
} from '../reply.js'
import { ArgumentError, argOfUri } from './arguments.js'
import { answerJson, answerPost, failureJson, NO_ID } from './jsonrpc.js'
import { Args, invalidParams, type Method, methodNotFound, RpcFailure } from './method.js'
import { methods, run, socketMethods } from './methods.js'

/** @throws RpcFailure */
function argsOf({ parameters }: Method, query: URLSearchParams): Args {
  try {
    return new Args(
      new Map(parameters.map(([name, type]) => [name, argOfUri(type, query.get(name) ?? '')])),
    )
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw invalidParams(`error converting http params to arguments: ${error.message}`)
  }
}

/** Answers `/method?name=value`, whatever the HTTP method. */
async function answerUri(node: Node, path: string, query: URLSearchParams): Promise<Reply> {
  const name = path.slice(1)
  if (socketMethods.has(name)) return jsonReply(404, failureJson(NO_ID, methodNotFound()))
  const found = methods.get(name)
  if (!found) return notFoundReply
  try {
    const args = argsOf(found, query)
    return jsonReply(200, answerJson(NO_ID, await run(node, found, args)))
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
