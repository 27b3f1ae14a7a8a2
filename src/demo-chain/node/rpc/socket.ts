import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { toBase64 } from '../../../platform/encoding.js'
import type { Block, Chain } from '../../blocks/chain.js'
import type { ChainEvent } from '../../modules/contract.js'
import { type Node, nodeShowing } from '../queries/node.js'
import { emptyReply, goJson, jsonReply, type Middleware, type Reply } from '../reply.js'
import {
  type Condition,
  parseQuery,
  QuerySyntaxError,
  type Tags,
  tagsMeet,
  tagsOf,
} from '../search/search.js'
import { jsonArgs } from './arguments.js'
import {
  answerJson,
  call,
  failureJson,
  type Id,
  type RpcRequest,
  readRequest,
  socketMethods,
} from './jsonrpc.js'
import { internalError, RpcFailure } from './rpc-failure.js'
import { headerJson, sparseResultJson, wholeBlockJson } from './rpc-json.js'

/** An event of the chain as subscriptions match it. */
type NodeEvent = {
  readonly tags: Tags
  /** JSON text of `data` and of `events`, made once for all subscribers. */
  readonly json: () => string
}

const event = (
  type: string,
  value: () => unknown,
  events: readonly ChainEvent[] = [],
  more: readonly [string, string][] = [],
): NodeEvent => {
  const tags = tagsOf(events, [['tm.event', type], ...more])
  let text: string | undefined
  return {
    tags,
    json: () => {
      text ??= `"data":${goJson({ type: `tendermint/event/${type}`, value: value() })},"events":${goJson(Object.fromEntries(tags))}`
      return text
    },
  }
}

/** The events of a new block, in the order in which a node sends them. */
function eventsOf(chain: Chain, block: Block): readonly NodeEvent[] {
  const height = String(block.header.height)
  return [
    event('NewBlock', () => wholeBlockJson(chain, block)),
    event('NewBlockHeader', () => ({ header: headerJson(block.header) })),
    ...block.txs.map(({ bytes, hash, result }, index) => {
      const value = () => ({
        TxResult: {
          height,
          ...(index > 0 && { index }),
          tx: toBase64(bytes),
          result: sparseResultJson(result),
        },
      })
      return event('Tx', value, result.events, [
        ['tx.hash', hash],
        ['tx.height', height],
      ])
    }),
  ]
}

type Subscription = { readonly id: Id; readonly conditions: readonly Condition[] }

/** Subscriptions by client and query. */
class Subscriptions {
  readonly #clients = new Map<WebSocket, Map<string, Subscription>>()

  get size(): number {
    return this.#clients.size
  }

  /** @throws RpcFailure */
  subscribe(client: WebSocket, id: Id, query: string): void {
    const conditions = readQuery(query)
    const own = this.#clients.get(client) ?? new Map<string, Subscription>()
    if (own.has(query)) throw internalError('already subscribed')
    this.#clients.set(client, own.set(query, { id, conditions }))
  }

  /** @throws RpcFailure */
  unsubscribe(client: WebSocket, query: string): void {
    const own = this.#clients.get(client)
    if (!own?.delete(query)) throw internalError('subscription not found')
    if (own.size === 0) this.#clients.delete(client)
  }

  /** Removes a client that has disconnected. */
  forget(client: WebSocket): void {
    this.#clients.delete(client)
  }

  /** Sends each event to its subscribers; `send` takes the text of a whole message. */
  publish(events: readonly NodeEvent[], send: (client: WebSocket, text: string) => void): void {
    for (const [client, own] of [...this.#clients])
      for (const event of events)
        for (const [query, { id, conditions }] of own)
          if (tagsMeet(event.tags, conditions))
            send(
              client,
              `{"jsonrpc":"2.0","id":${goJson(id)},"result":{"query":${goJson(query)},${event.json()}}}`,
            )
  }
}

function readQuery(query: string): readonly Condition[] {
  try {
    return parseQuery(query)
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    throw internalError(`failed to parse query: ${error.message}`)
  }
}

/** Largest message that a client may send, in bytes. */
const MOST = 1_000_000
/** Most buffered bytes of a slow client, which is dropped above that. */
const WAITING = 8 * 1024 * 1024

/** The WebSocket endpoint of a node. */
export class SocketServer {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST })
  readonly #subscriptions = new Subscriptions()
  readonly #stop: () => void

  constructor(
    readonly node: Node,
    readonly middleware: Middleware,
    /** Most buffered bytes of one client. */
    readonly waiting: number = WAITING,
  ) {
    this.#stop = node.chain.subscribe((block) => {
      if (this.#subscriptions.size === 0) return
      this.#subscriptions.publish(eventsOf(node.chain, block), (socket, text) =>
        this.#send(socket, text),
      )
    })
  }

  /** Takes over a connection that requests a WebSocket. */
  accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      // Calls are answered one by one, in order, as a node does.
      let last = Promise.resolve()
      socket.on('message', (data: Buffer) => {
        last = last.then(() => this.#answer(socket, request, data)).catch(() => socket.terminate())
      })
      socket.on('error', () => socket.terminate())
      socket.on('close', () => this.#subscriptions.forget(socket))
    })
  }

  close(): void {
    this.#stop()
    for (const socket of this.#server.clients) socket.terminate()
    this.#server.close()
  }

  #send(socket: WebSocket, text: string): void {
    if (socket.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount + text.length > this.waiting) socket.terminate()
    else socket.send(text)
  }

  async #answer(socket: WebSocket, { url = '', headers }: IncomingMessage, data: Buffer) {
    const request = { endpoint: 'ws' as const, method: 'MESSAGE', url, headers, body: data }
    const reply = await this.middleware(request, (view) =>
      this.#reply(nodeShowing(this.node, view), socket, data.toString()),
    )
    // A message is sent as a whole or not at all.
    if (reply.send === 'reset') socket.terminate()
    else if (reply.send !== 'hang' && reply.body.length > 0)
      this.#send(socket, reply.body.toString())
  }

  async #reply(node: Node, socket: WebSocket, text: string): Promise<Reply> {
    let id: Id | undefined
    try {
      const request = readRequest(text)
      id = request.id
      if (id === undefined) return emptyReply(200)
      return jsonReply(200, answerJson(id, await this.#run(node, socket, id, request)))
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error
      return jsonReply(200, failureJson(id, error))
    }
  }

  #run(node: Node, socket: WebSocket, id: Id, request: RpcRequest): unknown {
    const { method, params } = request
    if (!socketMethods.has(method)) return call(node, request)
    const query = jsonArgs(['query'], params).text('query')
    if (method === 'subscribe') this.#subscriptions.subscribe(socket, id, query)
    else this.#subscriptions.unsubscribe(socket, query)
    return {}
  }
}
