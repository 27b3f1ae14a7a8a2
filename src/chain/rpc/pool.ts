import { checkChain, type Inquire } from './check.js'
import { blame, type Endpoint, praise } from './endpoint.js'
import { NodeFault } from './faults.js'
import type { Surroundings } from './http/target.js'

/** Several endpoints of one chain. */
export type Pool = Surroundings & {
  readonly chainId: string
  readonly endpoints: readonly Endpoint[]
  readonly inquire: Inquire
  /** Highest block that any of them has shown. */
  best: number
  /** When all of them were last asked for their height. */
  surveyedAt: number | undefined
  /** The survey that is under way. */
  surveying: Promise<number> | undefined
}

export const poolOf = (
  chainId: string,
  endpoints: readonly Endpoint[],
  inquire: Inquire,
  surroundings: Surroundings,
): Pool => ({
  ...surroundings,
  chainId,
  endpoints,
  inquire,
  best: 0,
  surveyedAt: undefined,
  surveying: undefined,
})

const isRecent = ({ clock, limits }: Surroundings, at: number | undefined): boolean =>
  at !== undefined && clock.now() - at < limits.checkMs

/** Whether all endpoints have been compared not long ago. */
export const isSurveyed = (pool: Pool): boolean => isRecent(pool, pool.surveyedAt)

const isBehind = ({ best, limits }: Pool, { height }: Endpoint): boolean =>
  height > 0 && height + limits.behind < best

/** Whether a node may be asked without asking for its standing first. */
export const isTrusted = (pool: Pool, endpoint: Endpoint): boolean =>
  isRecent(pool, endpoint.checkedAt) && !isBehind(pool, endpoint)

/**
 * Asks a node which chain it is of and how high it stands; gives its height. Whoever fails this is
 * not trusted until it passes.
 *
 * @throws NodeFault for another chain, and for a node too far behind the best one known
 */
export async function check(pool: Pool, endpoint: Endpoint, until: number): Promise<number> {
  try {
    const { chainId, height = 0 } = await pool.inquire(endpoint, until)
    checkChain(endpoint, pool.chainId, chainId)
    endpoint.height = height
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
  const behind = `${pool.best - height} behind the best node known`
  throw new NodeFault('behind', shown, `stands at block ${height}, ${behind}`)
}

/** Does something with one endpoint and notes how that went. @throws NodeFault */
export async function noted<T>(endpoint: Endpoint, work: () => Promise<T>): Promise<T> {
  const startedAt = endpoint.clock.now()
  try {
    const value = await work()
    praise(endpoint, startedAt)
    return value
  } catch (error) {
    if (error instanceof NodeFault && isBlamed(error)) blame(endpoint, error, startedAt)
    throw error
  }
}

/** What a node cannot help, or nobody hears of. */
const isBlamed = ({ kind, isStaleConnection }: NodeFault): boolean =>
  kind !== 'closed' && kind !== 'height_unavailable' && !isStaleConnection
