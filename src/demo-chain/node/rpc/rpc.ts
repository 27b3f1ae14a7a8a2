import type { Node } from '../queries/node.js'
import {
  emptyReply,
  jsonReply,
  type NodeRequest,
  notFoundReply,
  type Reply,
  targetOf,
} from '../reply.js'
import { uriArgs } from './arguments.js'
import { methodNotFound, RpcFailure } from './failure.js'
import { answerJson, answerPost, failureJson, NO_ID } from './jsonrpc.js'
import { methods, run, socketMethods } from './methods.js'

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
