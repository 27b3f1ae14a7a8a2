import { jitteredPause } from '../../platform/clock.js'
import type { NodeFault } from './faults.js'
import { type Target, type TransportContext, targetOf } from './http/target.js'

/** A URL and the health of the node behind it. */
export type Endpoint = Target & ReturnType<typeof newHealth>

/** The health of a node that was not queried yet. Times are the clock's. */
const newHealth = ({ limits }: TransportContext) => ({
  /** Most calls of a batch; halved when the node refuses one. */
  batch: limits.batch,
  /** The last id of a JSON-RPC request. */
  lastId: 0,
  /** Requests under way. */
  pending: 0,
  /** Faults since its last success. */
  failures: 0,
  lastFault: undefined as NodeFault | undefined,
  /** When its last fault was recorded. */
  lastFaultAt: Number.NEGATIVE_INFINITY,
  /** It gets no requests before this time. */
  pausedUntil: Number.NEGATIVE_INFINITY,
  /** When its chain was last checked. */
  checkedAt: undefined as number | undefined,
  /** The height that it last reported, and when. */
  height: 0,
  reportedAt: undefined as number | undefined,
  /** When it last reported a greater height than before. */
  risenAt: undefined as number | undefined,
  /** The greatest height that it ever reported. */
  highest: 0,
  /** It is of another chain: not used until a survey finds the right one there. */
  dropped: undefined as NodeFault | undefined,
})

/** @throws SwapError INVALID_REQUEST for an invalid URL */
export const endpointOf = (text: string, context: TransportContext): Endpoint => ({
  ...targetOf(text, context),
  ...newHealth(context),
})

/** Records a success; ignored if the request began before the last fault. */
export function recordSuccess(endpoint: Endpoint, startedAt: number): void {
  if (startedAt < endpoint.lastFaultAt) return
  endpoint.failures = 0
  endpoint.pausedUntil = Number.NEGATIVE_INFINITY
}

/**
 * Records a fault of a request that began at `startedAt`. Concurrent requests that fail count as one fault; a
 * requested pause (`Retry-After`) always applies.
 */
export function recordFault(endpoint: Endpoint, fault: NodeFault, startedAt: number): void {
  const { limits, clock } = endpoint
  const now = clock.now()
  endpoint.lastFault = fault
  if (fault.kind === 'wrong_chain') endpoint.dropped = fault
  if (fault.retryAfterMs !== undefined) {
    const requested = Math.min(fault.retryAfterMs, limits.retryAfterMostMs)
    endpoint.pausedUntil = Math.max(endpoint.pausedUntil, now + requested)
  }
  if (startedAt < endpoint.lastFaultAt) return
  endpoint.failures += 1
  endpoint.lastFaultAt = now
  const restMs = fault.passes ? jitter(endpoint, endpoint.failures) : limits.pauseMostMs
  endpoint.pausedUntil = Math.max(endpoint.pausedUntil, now + restMs)
}

/** A pause with full jitter within the limits. */
export const jitter = ({ limits, random }: TransportContext, failures: number): number =>
  jitteredPause({ firstMs: limits.pauseMs, longestMs: limits.pauseMostMs }, failures, random)
