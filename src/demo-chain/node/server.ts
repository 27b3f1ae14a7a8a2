import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chain } from '../blocks/chain.js'
import { type Answer, answersOf, listener } from './listener.js'
import { type NodeOptions, nodeOf } from './queries/node.js'
import { type Middleware, type Reply, targetOf } from './reply.js'
import { SocketServer } from './rpc/socket.js'

/** Time for requests under way when the server closes. */
const GRACE_MS = 500

export type ServeOptions = NodeOptions & {
  /** 0 takes any free port. */
  readonly rpcPort: number
  readonly restPort: number
  readonly middleware?: Middleware
  /** Answers POST requests below `/demo/` of the RPC, which no real node has; `undefined` for an unknown path. */
  readonly control?: (path: string, body: Buffer) => Promise<Reply> | undefined
}

export type NodeServer = {
  /** `http://127.0.0.1:26657` */
  readonly rpc: string
  readonly rest: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'

async function listen(server: Server, port: number): Promise<string> {
  await once(server.listen(port, HOST), 'listening')
  const { port: taken } = server.address() as AddressInfo
  return `http://${HOST}:${taken}`
}

/** Stops listening; requests under way may finish within `GRACE_MS`. */
function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Serves a chain as one node does: JSON-RPC over HTTP and WebSocket at one port, REST at another.
 *
 * @throws Error when a port is taken
 */
export async function serveChain(chain: Chain, options: ServeOptions): Promise<NodeServer> {
  const { middleware = (_request, next) => next() } = options
  const node = nodeOf(chain, options)
  const answers = answersOf(node)
  const controlled: Answer = (request, view) => {
    const { method, url, body } = request
    const isControl = method === 'POST' && url.startsWith('/demo/')
    const controlReply = isControl ? options.control?.(url, body) : undefined
    return controlReply ?? answers(request, view)
  }
  const rpcServer = createServer(listener('rpc', controlled, middleware))
  const restServer = createServer(listener('rest', answers, middleware))
  for (const server of [rpcServer, restServer]) {
    server.headersTimeout = 10_000
    server.requestTimeout = 30_000
    // Longer than clients keep idle connections, so that none is closed while it is reused.
    server.keepAliveTimeout = 60_000
    server.on('clientError', (_error, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    })
  }
  const rpc = await listen(rpcServer, options.rpcPort)
  let rest: string
  try {
    rest = await listen(restServer, options.restPort)
  } catch (error) {
    await shut(rpcServer)
    throw error
  }
  const sockets = new SocketServer(node, middleware)
  rpcServer.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy())
    if (targetOf(request.url ?? '/').path === '/websocket') sockets.accept(request, stream, head)
    else stream.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
  })
  restServer.on('upgrade', (_request, stream) => stream.destroy())
  return {
    rpc,
    rest,
    close: async () => {
      sockets.close()
      await Promise.all([shut(rpcServer), shut(restServer)])
    },
  }
}
