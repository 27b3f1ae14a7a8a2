import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { responseOn } from './http-errors.js'

/** Maximum milliseconds to accept waiting connections before the port closes, while more of them arrive. */
const ACCEPT_MS = 500

/**
 * Makes a server that closes answer the requests that have arrived. Closing the port resets connections that are
 * not accepted yet, and Node's `closeIdleConnections` those whose next request is unread; it also cuts off
 * answers that are not sent completely, and leaves connections open that have sent nothing.
 */
export function closeAfterReading(service: FastifyInstance): void {
  const { server } = service
  const open = new Set<Socket>()
  let connections = 0
  let requests = 0
  server.on('connection', (socket) => {
    connections += 1
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', () => {
    requests += 1
  })
  let accepting: Promise<void> | undefined
  service.addHook('preClose', () => {
    accepting = silence(() => connections, ACCEPT_MS)
    return accepting
  })
  // Clients that are answered connect again: requests wait until the port closes, so that the arrivals end.
  service.addHook('onRequest', (request, reply, done) => {
    if (accepting === undefined) done()
    else void accepting.then(() => (request.socket.destroyed ? reply.hijack() : done()))
  })
  server.closeIdleConnections = async () => {
    // For connections whose last answer is still being sent.
    server.keepAliveTimeout = 1
    await silence(() => requests)
    for (const socket of open) if (responseOn(socket) === undefined) socket.destroy()
  }
}

/**
 * Waits until the event loop has looked at all sockets without an arrival: between two immediates it accepts one
 * connection, and reads every socket once.
 */
async function silence(arrived: () => number, most = Number.POSITIVE_INFINITY): Promise<void> {
  const until = performance.now() + most
  await setImmediate()
  let seen = -1
  while (seen !== arrived() && performance.now() < until) {
    seen = arrived()
    await setImmediate()
  }
}
