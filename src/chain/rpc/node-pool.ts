import type { ReadStatus } from './check.js'
import { pause } from './clock.js'
import { type Endpoint, recordFault, recordSuccess } from './endpoint.js'
import { NodeFault } from './faults.js'
import type { TransportContext } from './http/target.js'
import { checkChain } from './node-status.js'

/** The endpoints of one kind of a chain. */
export type Pool = TransportContext & {
  readonly chainId: string
  readonly endpoints: readonly Endpoint[]
  readonly readStatus: ReadStatus
} & ReturnType<typeof newHeights>

const newHeights = () => ({
  /** The greatest height that any of them has reported. */
  best: 0,
  /** A lower height that the last survey found, until a second survey confirms it. */
  lower: undefined as number | undefined,
  /** The time of the last survey. */
  surveyedAt: undefined as number | undefined,
  /** The pending survey. */
  surveying: undefined as Promise<number> | undefined,
})

export const poolOf = (
  chainId: string,
  endpoints: readonly Endpoint[],
  readStatus: ReadStatus,
  context: TransportContext,
): Pool => ({ ...context, chainId, endpoints, readStatus, ...newHeights() })

const isRecent = ({ clock, limits }: TransportContext, at: number | undefined): boolean =>
  at !== undefined && clock.now() - at < limits.checkMs

/**
 * The greatest height that two nodes have, of those that made a block within `withinMs`: a node that is ahead of all the
 * others can be compared with none. The newest one if fewer nodes make blocks.
 *
 * @returns `undefined` if there are only two, which answer and are more than `most` blocks apart: either may be wrong
 */
export function sharedHeight(
  { endpoints, clock }: Pool,
  newest: number,
  { withinMs, most }: { readonly withinMs: number; readonly most: number },
): number | undefined {
  const [first, second, third] = endpoints
    .filter(
      ({ dropped, risenAt }) =>
        dropped === undefined && risenAt !== undefined && clock.now() - risenAt < withinMs,
    )
    .sort((a, b) => b.height - a.height)
  if (first === undefined || second === undefined) return newest
  const isAnswering = second.failures === 0 || isOnlyBehind(second.lastFault)
  if (third === undefined && isAnswering && first.height - second.height > most) return undefined
  return Math.min(newest, second.height)
}

/** Whether the heights of all endpoints were compared recently. */
export const isSurveyed = (pool: Pool): boolean => isRecent(pool, pool.surveyedAt)

const isBehind = ({ best, limits }: Pool, { height }: Endpoint): boolean =>
  height > 0 && height + limits.behind < best

/** Whether a node's last fault was its height alone: it answers. */
export const isOnlyBehind = (fault: NodeFault | undefined): boolean => fault?.kind === 'behind'

/**
 * Whether a node is compared with the others: it is not paused, or only as it is behind. One that has failed gets one
 * request at a time, so that others do not wait for it again while it hangs.
 */
export const isCompared = (endpoint: Endpoint): boolean => {
  const { dropped, pausedUntil, clock, lastFault, failures, pending } = endpoint
  const isReady = pausedUntil <= clock.now() && (failures === 0 || pending === 0)
  return dropped === undefined && (isReady || isOnlyBehind(lastFault))
}

/** Whether a node may be used without checking its status first. */
export const isTrusted = (pool: Pool, endpoint: Endpoint): boolean =>
  isRecent(pool, endpoint.checkedAt) && !isBehind(pool, endpoint)

/**
 * Checks the chain and the height of a node. A node that fails is not used until it passes.
 *
 * @returns its height
 * @throws NodeFault for another chain, and for a node too far behind the greatest known height
 */
export async function check(pool: Pool, endpoint: Endpoint, deadlineAt: number): Promise<number> {
  try {
    const { chainId, height = 0 } = await pool.readStatus(endpoint, deadlineAt)
    checkChain(endpoint, pool.chainId, chainId)
    endpoint.dropped = undefined
    if (height > endpoint.height) endpoint.risenAt = pool.clock.now()
    endpoint.height = height
    endpoint.reportedAt = pool.clock.now()
    endpoint.highest = Math.max(endpoint.highest, height)
    pool.best = Math.max(pool.best, height)
    checkHeight(pool, endpoint)
    endpoint.checkedAt = pool.clock.now()
    return height
  } catch (error) {
    endpoint.checkedAt = undefined
    throw error
  }
}

function checkHeight(pool: Pool, endpoint: Endpoint): void {
  const { height, shown } = endpoint
  if (!isBehind(pool, endpoint)) return
  const distance = `${pool.best - height} behind the best node known`
  throw new NodeFault('behind', shown, `is at block ${height}, ${distance}`)
}

/**
 * Whether a failed survey shows that the greatest known height is none of the chain's: a node reports a lower height
 * than before or has recently made a block, or two nodes share one, and none has recently reported the greatest known
 * one. Accepted when two surveys in a row agree; the lower height then becomes the greatest known one.
 *
 * @param since the time at which the survey began
 */
export function acceptsLower(pool: Pool, since: number): boolean {
  const { endpoints, limits, clock } = pool
  const reporting = endpoints.filter(
    ({ reportedAt = Number.NEGATIVE_INFINITY }) => reportedAt >= since,
  )
  const isBackOrRising = ({ height, highest, risenAt }: Endpoint): boolean =>
    height + limits.behind < highest || isRecent(pool, risenAt)
  const isAtBest = (endpoint: Endpoint): boolean =>
    endpoint.dropped === undefined &&
    endpoint.height > 0 &&
    !isBehind(pool, endpoint) &&
    isRecent(pool, endpoint.reportedAt)
  const before = pool.lower
  const newest = Math.max(...reporting.map(({ height }) => height))
  const isShared = reporting.filter(({ height }) => height + limits.behind >= newest).length > 1
  pool.lower =
    (isShared || reporting.some(isBackOrRising)) && !endpoints.some(isAtBest) ? newest : undefined
  if (before === undefined || pool.lower === undefined || pool.lower < before) return false
  pool.best = pool.lower
  pool.lower = undefined
  for (const endpoint of reporting) {
    endpoint.highest = endpoint.height
    endpoint.checkedAt = isBehind(pool, endpoint) ? undefined : clock.now()
  }
  return true
}

/** Runs a request to an endpoint and records its success or fault. @throws NodeFault */
export async function trackHealth<T>(endpoint: Endpoint, work: () => Promise<T>): Promise<T> {
  const startedAt = endpoint.clock.now()
  endpoint.pending += 1
  try {
    const value = await work()
    recordSuccess(endpoint, startedAt)
    return value
  } catch (error) {
    if (error instanceof NodeFault && isCounted(error)) recordFault(endpoint, error, startedAt)
    throw error
  } finally {
    endpoint.pending -= 1
  }
}

/** Faults that say nothing about the node's health are not counted. */
const isCounted = ({ kind }: NodeFault): boolean =>
  kind !== 'closed' && kind !== 'height_unavailable'

/**
 * The answer of a node, for callers that wait for other nodes as well: one whose last request failed has only a moment.
 * A later answer still counts for its health.
 *
 * @throws NodeFault
 */
export const soonFrom = <T>(endpoint: Endpoint, answer: Promise<T>): Promise<T> => {
  const { failures, lastFault, shown, clock, limits, ending } = endpoint
  if (failures === 0 || isOnlyBehind(lastFault)) return answer
  const late = pause(clock, limits.graceMs, ending).then(() => {
    throw new NodeFault('timeout', shown, 'failed before, and did not answer at once')
  })
  return Promise.race([answer, late])
}

/** The result of work at an endpoint, whose health is recorded, as far as `soonFrom` waits for it. */
export const soonDone = <T>(endpoint: Endpoint, work: () => Promise<T>): Promise<T> =>
  soonFrom(endpoint, trackHealth(endpoint, work))

/** The fault of an endpoint that is not used because it is of another chain; `undefined` if there is none. */
export const faultOfDropped = (endpoints: readonly Endpoint[]): NodeFault | undefined =>
  endpoints.find(({ dropped }) => dropped !== undefined)?.dropped

/**
 * The results of all endpoints that answer, queried at once. Their chain is not checked.
 *
 * @param waited the answer of an endpoint as far as it is waited for beside others; by default until the deadline
 * @throws NodeFault if none answers
 */
export async function fromEach<T>(
  { endpoints }: Pool,
  deadlineAt: number,
  work: (endpoint: Endpoint, deadlineAt: number) => Promise<T>,
  waited: (endpoint: Endpoint, answer: Promise<T>) => Promise<T> = (_, answer) => answer,
): Promise<readonly T[]> {
  let lastFault =
    faultOfDropped(endpoints) ??
    new NodeFault('no_endpoint', 'the chain', 'has no node that can be queried')
  const given = async (results: readonly Promise<T>[]): Promise<readonly T[]> => {
    const answers = await Promise.all(
      results.map(async (result) => {
        try {
          return [await result]
        } catch (error) {
          if (!(error instanceof NodeFault)) throw error
          lastFault = error
          return []
        }
      }),
    )
    return answers.flat()
  }
  const asked = endpoints.filter(({ dropped }) => dropped === undefined)
  const results = asked.map((endpoint) => trackHealth(endpoint, () => work(endpoint, deadlineAt)))
  const soon = await given(asked.map((endpoint, i) => waited(endpoint, results[i]!)))
  const answers = soon.length > 0 ? soon : await given(results)
  if (answers.length === 0) throw lastFault
  return answers
}
