import type { NodeFault } from './faults.js'
import { type Surroundings, type Target, targetOf } from './http/target.js'

/** One URL and what is known of the node behind it. Times are the clock's. */
export type Endpoint = Target & {
  /** Most calls in one body; shrinks when the node says so, and stays. */
  batch: number
  /** The id that was given last. */
  lastId: number
  /** Faults since it last answered. */
  failures: number
  lastFault: NodeFault | undefined
  /** When it was last blamed. */
  blamedAt: number
  /** It is left alone until then. */
  restsUntil: number
  /** When it last said that it is of the right chain. */
  checkedAt: number | undefined
  /** Highest block it has shown. */
  height: number
  /** Why it is never asked again. */
  dropped: NodeFault | undefined
}

/** @throws SwapError INVALID_REQUEST for a text that is no URL */
export const endpointOf = (text: string, surroundings: Surroundings): Endpoint => ({
  ...targetOf(text, surroundings),
  batch: surroundings.limits.batch,
  lastId: 0,
  failures: 0,
  lastFault: undefined,
  blamedAt: Number.NEGATIVE_INFINITY,
  restsUntil: Number.NEGATIVE_INFINITY,
  checkedAt: undefined,
  height: 0,
  dropped: undefined,
})

/** Notes that the node did its part. What began before its last fault says nothing new. */
export function praise(endpoint: Endpoint, startedAt: number): void {
  if (startedAt < endpoint.blamedAt) return
  endpoint.failures = 0
  endpoint.restsUntil = Number.NEGATIVE_INFINITY
}

/**
 * Notes a fault of a request that began at `startedAt`. Many requests that fail together are one
 * fault; the pause that a node asks for counts in any case.
 */
export function blame(endpoint: Endpoint, fault: NodeFault, startedAt: number): void {
  const { limits, clock } = endpoint
  const now = clock.now()
  endpoint.lastFault = fault
  if (fault.kind === 'wrong_chain') {
    endpoint.dropped = fault
    return
  }
  if (fault.retryAfterMs !== undefined) {
    const told = Math.min(fault.retryAfterMs, limits.retryAfterMostMs)
    endpoint.restsUntil = Math.max(endpoint.restsUntil, now + told)
  }
  if (startedAt < endpoint.blamedAt) return
  endpoint.failures += 1
  endpoint.blamedAt = now
  const restMs = fault.passes ? jitter(endpoint, endpoint.failures) : limits.pauseMostMs
  endpoint.restsUntil = Math.max(endpoint.restsUntil, now + restMs)
}

/** Full jitter: anything from nothing to a pause that doubles with each failure up to its limit. */
export const jitter = ({ limits, random }: Surroundings, failures: number): number =>
  random() * Math.min(limits.pauseMostMs, limits.pauseMs * 2 ** Math.min(failures - 1, 30))
