import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { PIPELINED } from './limits.js'

/**
 * Bounds the requests that are sent ahead on one connection. Their answers wait in memory for a client
 * that may never read them, and a connection is only stopped from sending once a whole chunk of
 * requests is parsed: a few kilobytes would hold hundreds of megabytes of answers.
 */
export function boundPipelining(server: Server): void {
  const waiting = new WeakMap<Socket, number>()
  server.on('request', ({ socket }, response) => {
    // An answer has its socket at once unless another one is before it.
    if (response.socket !== null) return
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > PIPELINED) {
      socket.destroy()
      return
    }
    waiting.set(socket, count)
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
  })
}
