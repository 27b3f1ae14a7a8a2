import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { type Node, nodeShowing } from '../queries/node.js'
import { emptyReply, jsonReply, type Middleware, type Reply } from '../reply.js'
import { answerJson, failureJson, type Id, type RpcRequest, readRequest } from './jsonrpc.js'
import type { Args } from './method.js'
import { argsOf, methods, run, socketMethods } from './methods.js'
import { internalError, methodNotFound, RpcFailure } from './rpc-failure.js'
import { eventsOf, Subscriptions } from './subscriptions.js'

/** Largest message that a client may send, in bytes. */
const MOST = 1_000_000
/** Bytes that may wait for a client that does not read; then it is dropped. */
const WAITING = 8 * 1024 * 1024
/** Interval of pings; a client that does not answer one is dropped. */
const PING_MS = 27_000

/** The WebSocket endpoint of a node. */
export class SocketServer {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST })
  readonly #subscriptions = new Subscriptions<WebSocket>()
  readonly #stop: () => void
  readonly #pings: NodeJS.Timeout
  readonly #silent = new Set<WebSocket>()

  constructor(
    readonly node: Node,
    readonly middleware: Middleware,
    /** How many bytes may wait for one client. */
    readonly waiting: number = WAITING,
  ) {
    this.#stop = node.chain.subscribe((block) => {
      if (this.#subscriptions.size === 0) return
      this.#subscriptions.publish(eventsOf(node.chain, block), (socket, text) =>
        this.#send(socket, text),
      )
    })
    this.#pings = setInterval(() => this.#ping(), PING_MS)
    this.#pings.unref()
  }

  /** Clients that have subscribed to something. */
  get listening(): number {
    return this.#subscriptions.size
  }

  /** Takes over a connection that asks for a WebSocket. */
  accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      // Calls are answered one by one, in order, as a node does; until then no more are read.
      let last = Promise.resolve()
      let open = 0
      socket.on('message', (data: Buffer) => {
        if (++open === 1) socket.pause()
        last = last
          .then(() => this.#answer(socket, request, data))
          .catch(() => socket.terminate())
          .finally(() => {
            if (--open === 0) socket.resume()
          })
      })
      socket.on('pong', () => this.#silent.delete(socket))
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        this.#silent.delete(socket)
        this.#subscriptions.forget(socket)
      })
    })
  }

  close(): void {
    this.#stop()
    clearInterval(this.#pings)
    for (const socket of this.#server.clients) socket.terminate()
    this.#server.close()
  }

  #ping(): void {
    for (const socket of this.#server.clients) {
      if (this.#silent.has(socket)) socket.terminate()
      else {
        this.#silent.add(socket)
        socket.ping()
      }
    }
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
    // A message goes out in one piece or not at all.
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

  #run(node: Node, socket: WebSocket, id: Id, { method, params }: RpcRequest): unknown {
    const own = socketMethods.get(method)
    if (own)
      return this.#listen(
        socket,
        id,
        method,
        over(() => argsOf(own, params)),
      )
    const found = methods.get(method)
    if (!found) throw methodNotFound()
    return run(
      node,
      found,
      over(() => argsOf(found.parameters, params)),
    )
  }

  #listen(socket: WebSocket, id: Id, method: string, args: Args): unknown {
    const query = args.text('query')
    if (method === 'subscribe') this.#subscriptions.subscribe(socket, id, query)
    else if (method === 'unsubscribe') this.#subscriptions.unsubscribe(socket, query)
    else this.#subscriptions.unsubscribeAll(socket)
    return {}
  }
}

/** Over a WebSocket bad arguments are an internal error. */
function over(read: () => Args): Args {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RpcFailure) || error.data === undefined) throw error
    throw internalError(error.data)
  }
}
