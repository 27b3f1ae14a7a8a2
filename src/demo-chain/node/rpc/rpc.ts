import { corsHeaders, preflight } from '../cors.js'
import type { Node } from '../queries/node.js'
import {
  jsonReply,
  type NodeRequest,
  notFoundReply,
  type Reply,
  targetOf,
  withHeaders,
} from '../reply.js'
import { ArgumentError, argOfUri } from './arguments.js'
import { answerJson, answerPost, CACHE, failureJson, NO_ID } from './jsonrpc.js'
import { Args, cacheable, type Method, type Parameter } from './method.js'
import { methods, run, socketMethods } from './methods.js'
import { invalidParams, methodNotFound, RpcFailure } from './rpc-failure.js'

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
    const text = answerJson(NO_ID, await run(node, found, args))
    return jsonReply(200, text, cacheable(found, args) ? CACHE : {})
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    return jsonReply(500, failureJson(NO_ID, error))
  }
}

/** The page that lists the methods. */
export function listing(host: string): Reply {
  const all: [string, readonly Parameter[]][] = [
    ...[...methods].map(([name, { parameters }]): [string, readonly Parameter[]] => [
      name,
      parameters,
    ]),
    ...socketMethods,
  ]
  const links = all
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, parameters]) => {
      const link = `//${host}/${name}?${parameters.map(([each]) => `${each}=_`).join('&')}`
      return `<a href="${link}">${link}</a></br>`
    })
  const html = `<html><body><br>Available endpoints:<br><br>Endpoints that require arguments:<br>${links.join('')}</body></html>`
  return { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(html) }
}

/** Answers an HTTP request of the RPC endpoint. */
export async function answerRpc(node: Node, request: NodeRequest): Promise<Reply> {
  const early = preflight(request)
  if (early) return early
  return withHeaders(await answer(node, request), corsHeaders(request))
}

/** Characters that would break out of the listing's links. */
const UNSAFE = /[^\w.:[\]-]/g

async function answer(node: Node, { url, headers, body }: NodeRequest): Promise<Reply> {
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
