import type { Agent } from 'node:http'
import type { Clock } from '../clock.js'
import type { Limits } from '../limits.js'

/** An idle connection is closed after this long. */
const IDLE_MS = 30_000

/**
 * The modules are fetched when the first node is asked, and in this way because an `import` of
 * them loads undici on Node 22 and 24, which costs 35 ms.
 */
export const httpModule = () => process.getBuiltinModule('node:http')
export const httpsModule = () => process.getBuiltinModule('node:https')

/** A pool of connections to one endpoint that closes connections when they are old. */
export function agentFor(url: URL, limits: Limits, clock: Clock): Agent {
  const { Agent } = url.protocol === 'https:' ? httpsModule() : httpModule()
  const agent = new Agent({
    keepAlive: true,
    maxSockets: limits.sockets,
    maxFreeSockets: limits.sockets,
    timeout: IDLE_MS,
  })
  const births = new WeakMap<object, number>()
  const keep = agent.keepSocketAlive.bind(agent) as (socket: never) => unknown
  const isOld = (socket: object): boolean => {
    const now = clock.now()
    const birth = births.get(socket) ?? now
    births.set(socket, birth)
    return now - birth > limits.socketAgeMs
  }
  return Object.assign(agent, {
    keepSocketAlive: (socket: object) => !isOld(socket) && keep(socket as never),
  })
}
