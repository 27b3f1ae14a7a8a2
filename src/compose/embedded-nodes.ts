import { Agent, createServer } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { type Nodes, type NodesOptions, openNodes } from '../chain/rpc/nodes.js'
import type { EmbeddedDemo } from '../demo-chain/index.js'

/** The display name of a chain inside this process. */
const EMBEDDED = 'the demo chain'

/** A URL that is never resolved: connections to it end in this process. */
const NOWHERE = 'http://demo.invalid'

/**
 * The nodes of a demo chain inside this process. Requests travel over in-memory pipes instead of sockets,
 * through the same code as real ones: batches, deadlines, retries and injected faults. No port is opened.
 */
export function embeddedNodes(demo: EmbeddedDemo, options: Omit<NodesOptions, 'rpc'>): Nodes {
  const nodes = openNodes({ ...options, rpc: [NOWHERE], rest: [NOWHERE] })
  return {
    ...nodes,
    rpc: withAgent(nodes.rpc, agentTo(demo, 'rpc')),
    rest: withAgent(nodes.rest, agentTo(demo, 'rest')),
  }
}

const withAgent = (pool: Nodes['rpc'], agent: Agent): Nodes['rpc'] => ({
  ...pool,
  endpoints: pool.endpoints.map((endpoint) => ({ ...endpoint, agent, shown: EMBEDDED })),
})

/** Opens pipes to one listener of the chain. */
function agentTo(demo: EmbeddedDemo, endpoint: 'rpc' | 'rest'): Agent {
  const server = createServer(demo.listener(endpoint))
  const agent = new Agent({ keepAlive: false })
  return Object.assign(agent, {
    createConnection() {
      const [clientEnd, serverEnd] = duplexPair()
      server.emit('connection', withReset(serverEnd, clientEnd))
      // After a disconnect the rest is not sent.
      clientEnd.once('close', () => serverEnd.destroy())
      return clientEnd
    },
  })
}

/** A pipe with a socket's `resetAndDestroy`, which resets the other end. */
const withReset = (serverEnd: Duplex, clientEnd: Duplex): Duplex =>
  Object.assign(serverEnd, {
    resetAndDestroy() {
      clientEnd.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    },
  })
