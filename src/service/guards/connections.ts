import type { Server } from 'node:http'
import { isLoopback } from './hosts.js'
import { CONNECTIONS, CONNECTIONS_PER_ADDRESS } from './limits.js'
import { PerAddress } from './per-address.js'

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
