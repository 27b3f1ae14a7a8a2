import type { Agent } from 'node:http'
import { invalidRequest } from '../../../engine/errors.js'
import type { Clock } from '../clock.js'
import type { Limits } from '../limits.js'
import { maskedUrl, nodeUrl, secretsOf } from './mask.js'

/** The dependencies of all exchanges of a source. */
export type TransportContext = {
  readonly limits: Limits
  readonly clock: Clock
  /** Uniform in [0, 1). */
  readonly random: () => number
  /** Aborted when the source is closed. */
  readonly ending: AbortSignal
}

/** One URL and the connections to it. */
export type Target = TransportContext & {
  readonly url: URL
  /** The masked URL, for display. */
  readonly shown: string
  readonly secrets: readonly string[]
  readonly agent: Agent
}

/**
 * Parses an endpoint of the configuration.
 *
 * @throws SwapError INVALID_REQUEST without the text, which may contain a key
 */
export function targetOf(text: string, context: TransportContext): Target {
  const url = nodeUrl(text)
  if (url === undefined) throw noUrl()
  return {
    ...context,
    url,
    shown: maskedUrl(url),
    secrets: secretsOf(url),
    agent: agentFor(url, context.limits, context.clock),
  }
}

const noUrl = () =>
  invalidRequest('the address of a node cannot be used', '/rpc', {
    why: 'it is no URL that begins with http:// or https://',
    hint: 'write it like https://rpc.example.com:443',
  })

/** Idle connections are closed after this time. */
const IDLE_MS = 30_000

/**
 * Loads the module at the first request. An `import` of it would load undici on Node 22 and 24, which takes 35 ms.
 */
export const httpModule = () => process.getBuiltinModule('node:http')
export const httpsModule = () => process.getBuiltinModule('node:https')

/** A connection pool of one endpoint that replaces old connections. */
function agentFor(url: URL, limits: Limits, clock: Clock): Agent {
  const { Agent } = url.protocol === 'https:' ? httpsModule() : httpModule()
  const agent = new Agent({
    keepAlive: true,
    maxSockets: limits.sockets,
    maxFreeSockets: limits.sockets,
    timeout: IDLE_MS,
  })
  const openedAt = new WeakMap<object, number>()
  const keepAlive = agent.keepSocketAlive.bind(agent) as (socket: never) => unknown
  const isOld = (socket: object): boolean => {
    const now = clock.now()
    const opened = openedAt.get(socket) ?? now
    openedAt.set(socket, opened)
    return now - opened > limits.socketAgeMs
  }
  return Object.assign(agent, {
    keepSocketAlive: (socket: object) => !isOld(socket) && keepAlive(socket as never),
  })
}
