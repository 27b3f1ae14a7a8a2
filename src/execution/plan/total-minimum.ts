import { type Intent, legsLeft } from '../journal/intent.js'
import type { RequestedSwap, SwapTerms, Task } from '../task.js'

/** The minimum total output that the caller requests; 0 if none. */
export function requestedMinimum(
  { legs }: Pick<RequestedSwap, 'legs'>,
  { minOut, minProfit }: Pick<SwapTerms, 'minOut' | 'minProfit'>,
): bigint {
  const paid = legs.reduce((sum, { funds }) => sum + funds.amount, 0n)
  const requested = minProfit === undefined ? 0n : paid + minProfit
  return minOut !== undefined && minOut > requested ? minOut : requested
}

/**
 * The minimum total output of all legs of an execution in several transactions; 0 if none. One that is
 * resumed keeps what it was begun with; a request of the resumption counts for the remaining legs.
 */
export function totalMinimum(task: Task, resumed: Intent | undefined): bigint {
  if ('plan' in task) return 0n
  if (resumed === undefined) return requestedMinimum(task.requested, task.terms)
  const kept = BigInt(resumed.min_out ?? 0)
  const left = legsLeft(resumed)
  const legs = left.map((i) => task.requested.legs[i]!)
  const asked = requestedMinimum({ legs }, task.terms)
  const total = asked > 0n ? asked + minimumBeside(resumed, left) : 0n
  return total > kept ? total : kept
}

/**
 * The task with what some of its legs have to give, so that all legs together give the total minimum.
 * Only minimums count that the chain enforces: what a node says of the amounts received proves nothing.
 *
 * @param total of `totalMinimum`
 * @param legs indexes of the legs that are prepared
 */
export function withRest(
  task: Task,
  intent: Intent | undefined,
  { total, legs }: { readonly total: bigint; readonly legs: readonly number[] },
): Task {
  if ('plan' in task || intent === undefined) return task
  const minOut = total - minimumBeside(intent, legs)
  return { ...task, terms: { ...task.terms, minOut, minProfit: undefined } }
}

/** What the other legs of an intent give at least: the executed ones, and those that come later. */
const minimumBeside = ({ legs }: Intent, places: readonly number[]): bigint =>
  legs.reduce((sum, leg, i) => (places.includes(i) ? sum : sum + BigInt(leg.min_return)), 0n)
