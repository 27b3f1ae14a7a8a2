import type { Node } from '../queries/node.js'
import { corsHeaders, preflight } from './cors.js'
import { answerPost } from './jsonrpc.js'
import { type DoorRequest, type Reply, targetOf, withHeaders } from './reply.js'
import { answerUri, listing } from './uri.js'

/** Answers an HTTP request at the RPC door. */
export async function answerRpc(node: Node, request: DoorRequest): Promise<Reply> {
  const early = preflight(request)
  if (early) return early
  return withHeaders(await answer(node, request), corsHeaders(request))
}

/** Characters that would break out of the listing's links. */
const UNSAFE = /[^\w.:[\]-]/g

async function answer(node: Node, { url, headers, body }: DoorRequest): Promise<Reply> {
  const { path, query } = targetOf(url)
  if (path === '/websocket')
    return {
      status: 400,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
      body: Buffer.from('Bad Request\n'),
    }
  if (path !== '/') return answerUri(node, path, query)
  if (body.length === 0) return listing((headers.host ?? '').replace(UNSAFE, ''))
  return answerPost(node, body)
}
