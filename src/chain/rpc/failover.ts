import { type Ending, newEnding, pause } from './clock.js'
import { type Endpoint, jitter } from './endpoint.js'
import { type Failure, NodeFault, NodesFailed } from './faults.js'
import { acceptsLower, check, isSurveyed, isTrusted, type Pool, trackHealth } from './pool.js'

/** Asks one endpoint, until `until` at most. @throws NodeFault; any other error is an answer and ends the call */
type Attempt<T> = (endpoint: Endpoint, until: number) => Promise<T>

/** The state of one call that goes from endpoint to endpoint. */
type FailoverState = {
  readonly pool: Pool
  readonly startedAt: number
  readonly deadlineAt: number
  readonly failures: Failure[]
  /** Attempts per endpoint. */
  readonly tries: Map<Endpoint, number>
  /** This call does not ask an endpoint again before then; never, where it is infinite. */
  readonly notBefore: Map<Endpoint, number>
}

function failoverStateOf(pool: Pool, deadlineAt: number): FailoverState {
  const startedAt = pool.clock.now()
  const maps = { tries: new Map(), notBefore: new Map() }
  return { pool, startedAt, deadlineAt, failures: [], ...maps }
}

function note({ pool, startedAt, failures }: FailoverState, fault: NodeFault): void {
  failures.push({ fault, atMs: Math.round(pool.clock.now() - startedAt) })
}

/**
 * Asks the endpoints until one of them answers: the healthiest first, the others when it fails, each
 * a few times if its fault may pass, all before one deadline. Only for what may be asked twice.
 *
 * @param height the block that is asked for: nodes that have shown it go first
 * @throws NodeFault that says how each of them failed
 */
export async function read<T>(
  pool: Pool,
  deadlineAt: number,
  attempt: Attempt<T>,
  height = 0,
): Promise<T> {
  if (!isSurveyed(pool)) await survey(pool, deadlineAt)
  const checked: Attempt<T> = async (endpoint, until) => {
    if (!isTrusted(pool, endpoint)) await check(pool, endpoint, until)
    return attempt(endpoint, until)
  }
  return follow(failoverStateOf(pool, deadlineAt), checked, height)
}

async function follow<T>(state: FailoverState, attempt: Attempt<T>, height: number): Promise<T> {
  const { pool, deadlineAt, tries } = state
  for (;;) {
    const endpoint = await nextOf(state, height)
    tries.set(endpoint, (tries.get(endpoint) ?? 0) + 1)
    try {
      const until = pool.clock.now() + shareOf(state, deadlineAt - pool.clock.now())
      return await trackHealth(endpoint, () => attempt(endpoint, until))
    } catch (error) {
      if (!(error instanceof NodeFault)) throw error
      note(state, error)
      postpone(state, endpoint, error)
    }
  }
}

/** The time for one attempt: what is left, shared with those that have not been asked. */
function shareOf({ pool, tries }: FailoverState, leftMs: number): number {
  const now = pool.clock.now()
  const waiting = pool.endpoints.filter(
    (each) => each.dropped === undefined && !tries.has(each) && each.pausedUntil <= now,
  )
  return leftMs / (waiting.length + 1)
}

/** Decides when this call may ask an endpoint again that has failed it, if at all. */
function postpone(
  { pool, tries, notBefore }: FailoverState,
  endpoint: Endpoint,
  fault: NodeFault,
): void {
  const { limits, clock } = pool
  const count = tries.get(endpoint) ?? 1
  const most = fault.kind === 'height_unavailable' ? limits.heightTries : limits.tries
  if (!fault.passes || count >= most) notBefore.set(endpoint, Number.POSITIVE_INFINITY)
  else if (!fault.isStaleConnection) notBefore.set(endpoint, clock.now() + jitter(pool, count))
}

/** Waits for the next endpoint. @throws NodesFailed when none is ready before the deadline */
async function nextOf(state: FailoverState, height: number): Promise<Endpoint> {
  const { pool, deadlineAt } = state
  const [next] = candidatesOf(state, height)
  if (next === undefined || pool.ending.isOver()) throw failed(state)
  await pause(pool.clock, readyOf(state, next) - pool.clock.now(), pool.ending)
  if (pool.clock.now() >= deadlineAt - leastOf(state, next)) throw failed(state)
  return next
}

/** A retry with less time than this, in milliseconds, would hide the earlier fault behind a timeout. */
const LEAST_RETRY_MS = 50

const leastOf = ({ tries }: FailoverState, endpoint: Endpoint): number =>
  tries.has(endpoint) ? LEAST_RETRY_MS : 0

const readyOf = ({ notBefore }: FailoverState, endpoint: Endpoint): number =>
  Math.max(endpoint.pausedUntil, notBefore.get(endpoint) ?? 0)

/** Endpoints that may still be asked: those that are ready first, then by health. */
function candidatesOf(state: FailoverState, height: number): readonly Endpoint[] {
  const { pool, tries } = state
  const now = pool.clock.now()
  const ranks = (endpoint: Endpoint): readonly number[] => [
    Math.max(0, readyOf(state, endpoint) - now),
    tries.get(endpoint) ?? 0,
    isTrusted(pool, endpoint) ? 0 : 1,
    endpoint.height < height ? 1 : 0,
    endpoint.failures,
    pool.endpoints.indexOf(endpoint),
  ]
  return pool.endpoints
    .filter(
      (each) =>
        each.dropped === undefined &&
        readyOf(state, each) < state.deadlineAt - leastOf(state, each),
    )
    .sort((a, b) => compare(ranks(a), ranks(b)))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** The faults of all endpoints, including those that were not asked because of earlier faults. */
function failed({ pool, startedAt, deadlineAt, failures }: FailoverState): NodeFault {
  const asked = new Set(failures.map(({ fault }) => fault.endpoint))
  const before = pool.endpoints
    .filter(({ shown }) => !asked.has(shown))
    .map(({ shown, dropped, lastFault }) => {
      const fault =
        dropped ?? lastFault ?? new NodeFault('timeout', shown, 'could not be asked in time')
      return { fault, atMs: undefined }
    })
  if (pool.ending.isOver()) return new NodeFault('closed', 'the chain', 'is not asked any more')
  if (pool.endpoints.length === 0)
    return new NodeFault('no_endpoint', 'the chain', 'has no endpoint of this kind configured')
  return new NodesFailed([...failures, ...before], Math.round(deadlineAt - startedAt))
}

/**
 * Asks every endpoint that is not paused for its height, and returns the greatest one: as
 * soon as all have answered, or a moment after the first one did. Concurrent calls share one survey. A chain that
 * went back is reported by the second survey in a row that finds it there.
 *
 * @throws NodeFault when none answers before the deadline
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
  const ready = pool.endpoints.filter(
    (each) => each.dropped === undefined && each.pausedUntil <= pool.clock.now(),
  )
  const over = newEnding()
  const checks = ready.map(async (endpoint) => {
    try {
      heights.push(await trackHealth(endpoint, () => check(pool, endpoint, deadlineAt)))
      void pause(pool.clock, pool.limits.graceMs, over).then(() => over.end())
    } catch (error) {
      if (!(error instanceof NodeFault)) throw error
      state.tries.set(endpoint, 1)
      note(state, error)
      postpone(state, endpoint, error)
    }
  })
  await Promise.race([Promise.all(checks), ended(over)])
  over.end()
  const attempt: Attempt<number> = (endpoint, until) => check(pool, endpoint, until)
  const height = heights.length > 0 ? Math.max(...heights) : await follow(state, attempt, 0)
  pool.surveyedAt = pool.clock.now()
  return height
}

const ended = (ending: Ending): Promise<void> => new Promise((resolve) => ending.whenOver(resolve))
