import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from './headers.js'
import { CONNECTIONS, CONNECTIONS_PER_ADDRESS, PIPELINED } from './limits.js'
import { addressGroup } from './rate-limiter.js'

/**
 * Bounds connections. The bound on all of them alone would let one address take the place of everyone
 * else, so there is one for each address too; this machine, where a proxy may be, has none.
 */
export function boundConnections(server: Server): void {
  server.maxConnections = CONNECTIONS
  const places = new PerAddress(CONNECTIONS_PER_ADDRESS)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isLoopback(address)) return
    const close = places.open(address)
    if (close === undefined) socket.destroy()
    else socket.once('close', close)
  })
}

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

/** Counts what each address holds open, up to a limit. */
export class PerAddress {
  readonly #open = new Map<string, number>()

  constructor(readonly limit: number) {}

  /** Counts one more. @returns what counts it as closed, or `undefined` beyond the limit */
  open(address: string): (() => void) | undefined {
    const group = addressGroup(address)
    const count = (this.#open.get(group) ?? 0) + 1
    if (count > this.limit) return undefined
    this.#open.set(group, count)
    return () => {
      const left = (this.#open.get(group) ?? 1) - 1
      if (left > 0) this.#open.set(group, left)
      else this.#open.delete(group)
    }
  }
}
