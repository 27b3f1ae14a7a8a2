import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Chain } from '../blocks/chain.js'

/** The reply of an endpoint, and how it is sent. */
export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** How to send the body: whole (default), never, cut off, or one byte every `drip` milliseconds. */
  readonly send?: 'whole' | 'hang' | 'reset' | { readonly drip: number }
}

/** A request to one of the node's endpoints with its body, or a WebSocket message. */
export type NodeRequest = {
  readonly endpoint: 'rpc' | 'rest' | 'ws'
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The node's own answer: from its chain, or from another view of it. */
export type NodeHandler = (view?: Chain) => Promise<Reply>

/** Runs before an endpoint: answers instead of it, or changes its reply. */
export type Middleware = (request: NodeRequest, next: NodeHandler) => Promise<Reply>

/** A request's path and query, whatever was sent as its target. */
export function targetOf(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const [, path, query] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i.exec(url) ?? []
  return { path: path || '/', query: new URLSearchParams(query) }
}

/** JSON text as Go writes it: safe inside HTML. */
export const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const JSON_TYPE = { 'content-type': 'application/json' }

export const jsonReply = (
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({ status, headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(text) })

export const emptyReply = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  status,
  headers,
  body: Buffer.alloc(0),
})

/** Go's answer to an unknown path. */
export const notFoundReply: Reply = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: Buffer.from('404 page not found\n'),
}

export const withHeaders = (reply: Reply, headers: Readonly<Record<string, string>>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})

export function deliver(response: ServerResponse, reply: Reply, headOnly: boolean): void {
  const { status, headers, body, send = 'whole' } = reply
  if (response.destroyed || send === 'hang') return
  if (send === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  const length = status === 204 ? {} : { 'content-length': body.length }
  response.writeHead(status, { ...headers, ...length })
  if (headOnly) response.end()
  else if (send === 'whole') response.end(body)
  else drip(response, body, send.drip)
}

function drip(response: ServerResponse, body: Buffer, everyMs: number): void {
  let at = 0
  const timer = setInterval(() => {
    if (at < body.length) response.write(body.subarray(at, ++at))
    else {
      clearInterval(timer)
      response.end()
    }
  }, everyMs)
  response.once('close', () => clearInterval(timer))
}
