import type { Server } from 'node:http'
import { isLoopback } from './hosts.js'
import { CONNECTIONS, CONNECTIONS_PER_ADDRESS } from './limits.js'
import { groupOf } from './rate.js'

/**
 * Bounds connections. The bound on all of them alone would let one address take the place of everyone
 * else, so there is one for each address too; this machine, where a proxy may be, has none.
 */
export function boundConnections(server: Server): void {
  server.maxConnections = CONNECTIONS
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isLoopback(address)) return
    const group = groupOf(address)
    const count = (open.get(group) ?? 0) + 1
    if (count > CONNECTIONS_PER_ADDRESS) {
      socket.destroy()
      return
    }
    open.set(group, count)
    socket.once('close', () => {
      const left = (open.get(group) ?? 1) - 1
      if (left > 0) open.set(group, left)
      else open.delete(group)
    })
  })
}
