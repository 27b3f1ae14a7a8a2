import type { SwapError } from '../../engine/errors.js'
import { type WorkBudget, workBudget } from '../../engine/routing/query.js'
import { NeedsWorker } from '../context.js'

/**
 * Units of work of one request, and of each split that a search for the largest size tries. Of 60 splits
 * of 0.2 to 20 million dollars on the demo market it cuts one, and none pays less than without a limit. With a tenth
 * of it the largest sizes of two demo markets that an impact of 5 % nearly uses up are 6 and 18 % too small.
 */
export const REQUEST_UNITS = 160_000

/** Work limit for the sizes in a refusal: of any tokens and sizes one refusal in a hundred needs more. */
export const REFUSAL_UNITS = 6_000

/** Work limit on the serving thread: about two milliseconds. */
const INLINE_UNITS = 4_000

/**
 * The work limit of a request's searches, the same on every machine; on the serving thread it is lower, so
 * that other requests are not delayed.
 */
export const requestBudget = (inline = false): WorkBudget =>
  workBudget(inline ? INLINE_UNITS : REQUEST_UNITS)

/**
 * The result of a search on the serving thread, if it finished within its budget.
 *
 * @throws NeedsWorker if it was cut off
 */
export async function completeInline<T>(budget: WorkBudget, search: () => Promise<T>): Promise<T> {
  try {
    const found = await search()
    if (!budget.isCut) return found
  } catch (error) {
    if (!budget.isCut) throw error
  }
  throw new NeedsWorker()
}

/** The answer's member for a search that ended at its budget: how to get a complete one. */
export const cutMember = (budget: WorkBudget, advice: string) =>
  budget.isCut ? { search_cut: advice } : undefined

/** Marks a refusal whose search ended at its budget: its sizes are bounds, and a path may have been missed. */
export function markCut(error: SwapError, budget: WorkBudget): SwapError {
  if (!budget.isCut) return error
  const { why, members } = error
  return error.with({
    why: `${why === undefined ? '' : `${why}; `}the search ended at its budget of work, so the sizes are bounds`,
    members: { ...members, search_cut: 'sizes are bounds: lower max_hops for exact ones' },
  })
}
