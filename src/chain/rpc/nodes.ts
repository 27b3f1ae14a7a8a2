import { readRestStatus, readRpcStatus } from './check.js'
import { type Clock, newEnding, systemClock } from './clock.js'
import { type Endpoint, endpointOf } from './endpoint.js'
import type { TransportContext } from './http/target.js'
import { defaultLimits, type Limits } from './limits.js'
import { type Pool, poolOf } from './node-pool.js'

/** The endpoints of a chain, and the time limit of calls. */
export type NodesOptions = {
  readonly chainId: string
  /** URLs of JSON-RPC endpoints, the preferred one first. */
  readonly rpc: readonly string[]
  /** URLs of REST endpoints. */
  readonly rest?: readonly string[]
  /** Time limit of one call in milliseconds, including all endpoints, attempts and pauses. */
  readonly deadlineMs: number
  readonly limits?: Partial<Limits>
  readonly clock?: Clock
  /** Uniform in [0, 1). */
  readonly random?: () => number
}

/** The endpoints of one chain, with their connections and health. */
export type Nodes = {
  readonly rpc: Pool
  readonly rest: Pool
  /** The deadline of a call that begins now. */
  deadline(): number
  /** Closes the connections; pending requests fail. */
  close(): void
}

/**
 * Opens the endpoints of a chain; connects at the first call.
 *
 * @throws SwapError INVALID_REQUEST for an invalid URL
 */
export function openNodes(options: NodesOptions): Nodes {
  const { chainId, deadlineMs, clock = systemClock, random = Math.random } = options
  const ending = newEnding()
  const context: TransportContext = {
    limits: { ...defaultLimits, ...options.limits },
    clock,
    random,
    ending: ending.signal,
  }
  const endpoints = (urls: readonly string[]) =>
    withOwnNames(urls.map((url) => endpointOf(url, context)))
  const rpc = poolOf(chainId, endpoints(options.rpc), readRpcStatus, context)
  const rest = poolOf(chainId, endpoints(options.rest ?? []), readRestStatus, context)
  return {
    rpc,
    rest,
    deadline: () => clock.now() + deadlineMs,
    close() {
      ending.abort()
      for (const { agent } of [...rpc.endpoints, ...rest.endpoints]) agent.destroy()
    },
  }
}

/** Numbers endpoints whose masked URLs are equal. */
const withOwnNames = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.map((endpoint, at) => {
    const before = endpoints.slice(0, at).filter(({ shown }) => shown === endpoint.shown).length
    return before === 0 ? endpoint : { ...endpoint, shown: `${endpoint.shown} (${before + 1})` }
  })
