import { readRestStatus, readRpcStatus } from './check.js'
import { type Clock, newEnding, systemClock } from './clock.js'
import { type Endpoint, endpointOf } from './endpoint.js'
import type { Surroundings } from './http/target.js'
import { defaultLimits, type Limits } from './limits.js'
import { type Pool, poolOf } from './pool.js'

/** Where a chain is read from, and how long that may take. */
export type NodesOptions = {
  readonly chainId: string
  /** URLs of JSON-RPC doors, the preferred one first. */
  readonly rpc: readonly string[]
  /** URLs of REST endpoints. */
  readonly rest?: readonly string[]
  /** For one call as a whole: every endpoint, every attempt, every pause. Milliseconds. */
  readonly deadlineMs: number
  readonly limits?: Partial<Limits>
  readonly clock?: Clock
  /** From 0 up to but without 1. */
  readonly random?: () => number
}

/** The endpoints of one chain, with their connections and what is known of them. */
export type Nodes = {
  readonly rpc: Pool
  readonly rest: Pool
  /** The moment at which a call that begins now is over. */
  deadline(): number
  /** Lets go of connections; what is under way fails. */
  close(): void
}

/**
 * Nothing is asked before the first call.
 *
 * @throws SwapError INVALID_REQUEST for a text that is no URL
 */
export function openNodes(options: NodesOptions): Nodes {
  const { chainId, deadlineMs, clock = systemClock, random = Math.random } = options
  const ending = newEnding()
  const surroundings: Surroundings = {
    limits: { ...defaultLimits, ...options.limits },
    clock,
    random,
    ending,
  }
  const endpoints = (urls: readonly string[]) =>
    withOwnNames(urls.map((url) => endpointOf(url, surroundings)))
  const rpc = poolOf(chainId, endpoints(options.rpc), readRpcStatus, surroundings)
  const rest = poolOf(chainId, endpoints(options.rest ?? []), readRestStatus, surroundings)
  return {
    rpc,
    rest,
    deadline: () => clock.now() + deadlineMs,
    close() {
      ending.end()
      for (const { agent } of [...rpc.endpoints, ...rest.endpoints]) agent.destroy()
    },
  }
}

/** Two endpoints may differ only in what is masked. */
const withOwnNames = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.map((endpoint, at) => {
    const before = endpoints.slice(0, at).filter(({ shown }) => shown === endpoint.shown).length
    return before === 0 ? endpoint : { ...endpoint, shown: `${endpoint.shown} (${before + 1})` }
  })
