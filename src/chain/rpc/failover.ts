import { newEnding, pause } from './clock.js'
import { type Endpoint, jitter } from './endpoint.js'
import { type Failure, NodeFault, NodesFailed } from './faults.js'
import { acceptsLower, check, isSurveyed, isTrusted, type Pool, trackHealth } from './node-pool.js'

/** Queries one endpoint, before the time `deadlineAt`. @throws NodeFault; any other error counts as an answer */
type Attempt<T> = (endpoint: Endpoint, deadlineAt: number) => Promise<T>

/** The state of one call with failover. */
type FailoverState = ReturnType<typeof failoverStateOf>

const failoverStateOf = (pool: Pool, deadlineAt: number) => ({
  pool,
  startedAt: pool.clock.now(),
  deadlineAt,
  failures: [] as Failure[],
  /** Attempts per endpoint. */
  tries: new Map<Endpoint, number>(),
  /** Earliest time of the next attempt of this call at an endpoint; infinite for never. */
  notBefore: new Map<Endpoint, number>(),
})

function recordFailure({ pool, startedAt, failures }: FailoverState, fault: NodeFault): void {
  failures.push({ fault, atMs: Math.round(pool.clock.now() - startedAt) })
}

/**
 * Tries the endpoints until one of them answers, before one deadline: the healthiest first, and each a few times while
 * its faults are temporary. Only for idempotent requests.
 *
 * @param height the requested block: nodes that have reported it are tried first
 * @throws NodeFault with the fault of each endpoint
 */
export async function readFromAny<T>(
  pool: Pool,
  deadlineAt: number,
  attempt: Attempt<T>,
  height = 0,
): Promise<T> {
  if (!isSurveyed(pool)) await survey(pool, deadlineAt)
  const checked: Attempt<T> = async (endpoint, deadlineAt) => {
    if (!isTrusted(pool, endpoint)) await check(pool, endpoint, deadlineAt)
    return attempt(endpoint, deadlineAt)
  }
  return follow(failoverStateOf(pool, deadlineAt), checked, height)
}

async function follow<T>(state: FailoverState, attempt: Attempt<T>, height: number): Promise<T> {
  const { pool, deadlineAt, tries } = state
  for (;;) {
    const endpoint = await nextOf(state, height)
    tries.set(endpoint, (tries.get(endpoint) ?? 0) + 1)
    try {
      const now = pool.clock.now()
      const attemptEnd = now + shareOf(state, deadlineAt - now)
      return await trackHealth(endpoint, () => attempt(endpoint, attemptEnd))
    } catch (error) {
      if (!(error instanceof NodeFault)) throw error
      recordFailure(state, error)
      postpone(state, endpoint, error)
    }
  }
}

/** The time for one attempt: the remaining time divided by the number of endpoints that are not tried yet. */
function shareOf({ pool, tries }: FailoverState, leftMs: number): number {
  const now = pool.clock.now()
  const waiting = pool.endpoints.filter(
    (endpoint) =>
      endpoint.dropped === undefined && !tries.has(endpoint) && endpoint.pausedUntil <= now,
  )
  return leftMs / (waiting.length + 1)
}

/** Sets when this call may try an endpoint again after a fault, if at all. */
function postpone(
  { pool, tries, notBefore }: FailoverState,
  endpoint: Endpoint,
  fault: NodeFault,
): void {
  const { limits, clock } = pool
  const count = tries.get(endpoint) ?? 1
  const most = fault.kind === 'height_unavailable' ? limits.heightTries : limits.tries
  if (!fault.passes || count >= most) notBefore.set(endpoint, Number.POSITIVE_INFINITY)
  else notBefore.set(endpoint, clock.now() + jitter(pool, count))
}

/** Waits for the next endpoint. @throws NodesFailed if none is ready before the deadline */
async function nextOf(state: FailoverState, height: number): Promise<Endpoint> {
  const { pool, deadlineAt } = state
  const [next] = candidatesOf(state, height)
  if (next === undefined || pool.ending.aborted) throw allFailed(state)
  await pause(pool.clock, readyAt(state, next) - pool.clock.now(), pool.ending)
  if (pool.clock.now() >= deadlineAt - minimumShareOf(state, next)) throw allFailed(state)
  return next
}

/** A retry with less time than this, in milliseconds, would hide the earlier fault behind a timeout. */
const LEAST_RETRY_MS = 50

const minimumShareOf = ({ tries }: FailoverState, endpoint: Endpoint): number =>
  tries.has(endpoint) ? LEAST_RETRY_MS : 0

const readyAt = ({ notBefore }: FailoverState, endpoint: Endpoint): number =>
  Math.max(endpoint.pausedUntil, notBefore.get(endpoint) ?? 0)

/** Endpoints that may still be tried: those that are ready first, then by health. */
function candidatesOf(state: FailoverState, height: number): readonly Endpoint[] {
  const { pool, tries } = state
  const now = pool.clock.now()
  const ranks = (endpoint: Endpoint): readonly number[] => [
    Math.max(0, readyAt(state, endpoint) - now),
    tries.get(endpoint) ?? 0,
    isTrusted(pool, endpoint) ? 0 : 1,
    endpoint.height < height ? 1 : 0,
    endpoint.failures,
    pool.endpoints.indexOf(endpoint),
  ]
  return pool.endpoints
    .filter(
      (endpoint) =>
        endpoint.dropped === undefined &&
        readyAt(state, endpoint) < state.deadlineAt - minimumShareOf(state, endpoint),
    )
    .sort((a, b) => compare(ranks(a), ranks(b)))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** The faults of all endpoints, including those that were not tried because of earlier faults. */
function allFailed({ pool, startedAt, deadlineAt, failures }: FailoverState): NodeFault {
  const triedEndpoints = new Set(failures.map(({ fault }) => fault.endpoint))
  const before = pool.endpoints
    .filter(({ shown }) => !triedEndpoints.has(shown))
    .map(({ shown, dropped, lastFault }) => {
      const fault =
        dropped ?? lastFault ?? new NodeFault('timeout', shown, 'could not be queried in time')
      return { fault, atMs: undefined }
    })
  if (pool.ending.aborted) return new NodeFault('closed', 'the chain', 'is no longer queried')
  if (pool.endpoints.length === 0)
    return new NodeFault('no_endpoint', 'the chain', 'has no endpoint of this kind configured')
  return new NodesFailed([...failures, ...before], Math.round(deadlineAt - startedAt))
}

/**
 * Queries the heights of all endpoints that are not paused, and returns the greatest: as soon as all have answered, or
 * `graceMs` after the first answer. Concurrent calls share one survey. A lower height than before is returned only if
 * two surveys in a row find it.
 *
 * @throws NodeFault if none answers before the deadline
 */
export function survey(pool: Pool, deadlineAt: number): Promise<number> {
  pool.surveying ??= currentHeight(pool, deadlineAt).finally(() => {
    pool.surveying = undefined
  })
  return pool.surveying
}

/** The greatest height; a lower one than before if the chain was reset or rolled back. */
async function currentHeight(pool: Pool, deadlineAt: number): Promise<number> {
  const startedAt = pool.clock.now()
  try {
    const height = await surveyHeights(pool, deadlineAt)
    pool.lower = undefined
    return height
  } catch (error) {
    if (error instanceof NodeFault && acceptsLower(pool, startedAt)) return pool.best
    throw error
  }
}

async function surveyHeights(pool: Pool, deadlineAt: number): Promise<number> {
  const state = failoverStateOf(pool, deadlineAt)
  const heights: number[] = []
  const ready = pool.endpoints.filter(({ pausedUntil }) => pausedUntil <= pool.clock.now())
  const grace = newEnding()
  const graceEnded = new Promise((resolve) => grace.signal.addEventListener('abort', resolve))
  const checks = ready.map(async (endpoint) => {
    try {
      heights.push(await trackHealth(endpoint, () => check(pool, endpoint, deadlineAt)))
      void pause(pool.clock, pool.limits.graceMs, grace.signal).then(() => grace.abort())
    } catch (error) {
      if (!(error instanceof NodeFault)) throw error
      state.tries.set(endpoint, 1)
      recordFailure(state, error)
      postpone(state, endpoint, error)
    }
  })
  await Promise.race([Promise.all(checks), graceEnded])
  grace.abort()
  const attempt: Attempt<number> = (endpoint, deadlineAt) => check(pool, endpoint, deadlineAt)
  const height = heights.length > 0 ? Math.max(...heights) : await follow(state, attempt, 0)
  pool.surveyedAt = pool.clock.now()
  return height
}
