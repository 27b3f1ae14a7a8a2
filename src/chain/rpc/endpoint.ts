import { jitteredPause } from '../../platform/back-off.js'
import type { NodeFault } from './faults.js'
import { type Surroundings, type Target, targetOf } from './http/target.js'

/** A URL and the health of the node behind it. Times are the clock's. */
export type Endpoint = Target & {
  /** Most calls in one body; shrinks when the node says so, and stays. */
  batch: number
  /** The last id of a JSON-RPC request. */
  lastId: number
  /** Requests under way. */
  pending: number
  /** Faults since it last answered. */
  failures: number
  lastFault: NodeFault | undefined
  /** When its last fault was recorded. */
  lastFaultAt: number
  /** It is not asked before then. */
  pausedUntil: number
  /** When its chain was last checked. */
  checkedAt: number | undefined
  /** The block that it was last seen at, and when. */
  height: number
  reportedAt: number | undefined
  /** Highest block it has shown. */
  highest: number
  /** The fault for which it is never asked again. */
  dropped: NodeFault | undefined
}

/** @throws SwapError INVALID_REQUEST for a text that is no URL */
export const endpointOf = (text: string, surroundings: Surroundings): Endpoint => ({
  ...targetOf(text, surroundings),
  batch: surroundings.limits.batch,
  lastId: 0,
  pending: 0,
  failures: 0,
  lastFault: undefined,
  lastFaultAt: Number.NEGATIVE_INFINITY,
  pausedUntil: Number.NEGATIVE_INFINITY,
  checkedAt: undefined,
  height: 0,
  reportedAt: undefined,
  highest: 0,
  dropped: undefined,
})

/** Records a success; one that began before the last fault does not count. */
export function recordSuccess(endpoint: Endpoint, startedAt: number): void {
  if (startedAt < endpoint.lastFaultAt) return
  endpoint.failures = 0
  endpoint.pausedUntil = Number.NEGATIVE_INFINITY
}

/**
 * Records a fault of a request that began at `startedAt`. Many requests that fail together are one
 * fault; the pause that a node asks for counts in any case.
 */
export function recordFault(endpoint: Endpoint, fault: NodeFault, startedAt: number): void {
  const { limits, clock } = endpoint
  const now = clock.now()
  endpoint.lastFault = fault
  if (fault.kind === 'wrong_chain') {
    endpoint.dropped = fault
    return
  }
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
export const jitter = ({ limits, random }: Surroundings, failures: number): number =>
  jitteredPause({ firstMs: limits.pauseMs, longestMs: limits.pauseMostMs }, failures, random)
