import type { Agent } from 'node:http'
import { SwapError } from '../../../engine/errors.js'
import type { Clock, Ending } from '../clock.js'
import type { Limits } from '../limits.js'
import { maskedUrl, secretsOf } from './mask.js'

/** What every exchange of a source goes by. */
export type Surroundings = {
  readonly limits: Limits
  readonly clock: Clock
  /** From 0 up to but without 1. */
  readonly random: () => number
  /** Aborted when answers are no longer wanted. */
  readonly ending: Ending
}

/** One URL that can be asked, and the connections to it. */
export type Target = Surroundings & {
  readonly url: URL
  /** The URL as texts may show it. */
  readonly shown: string
  readonly secrets: readonly string[]
  readonly agent: Agent
}

/**
 * Reads an endpoint from configuration. `tcp://` is what Cosmos programs write for `http://`.
 *
 * @throws SwapError INVALID_REQUEST, in which the text is not repeated: it may hold a key
 */
export function targetOf(text: string, surroundings: Surroundings): Target {
  const url = urlOf(text)
  return {
    ...surroundings,
    url,
    shown: maskedUrl(url),
    secrets: secretsOf(url),
    agent: agentFor(url, surroundings.limits, surroundings.clock),
  }
}

function urlOf(text: string): URL {
  const url = parsed(text.replace(/^tcp:/, 'http:'))
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new SwapError('INVALID_REQUEST', 'the address of a node cannot be used', {
    why: 'it is no URL that begins with http:// or https://',
    hint: 'write it like https://rpc.example.com:443',
    members: { errors: [{ pointer: '/rpc', detail: 'not an http or https URL' }] },
  })
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** An idle connection is closed after this long. */
const IDLE_MS = 30_000

/**
 * The modules are fetched when the first node is asked, and in this way because an `import` of
 * them loads undici on Node 22 and 24, which costs 35 ms.
 */
export const httpModule = () => process.getBuiltinModule('node:http')
export const httpsModule = () => process.getBuiltinModule('node:https')

/** A pool of connections to one endpoint that closes connections when they are old. */
function agentFor(url: URL, limits: Limits, clock: Clock): Agent {
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
