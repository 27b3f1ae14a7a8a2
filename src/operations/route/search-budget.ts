import { SwapError } from '../../engine/errors.js'
import { type WorkBudget, workBudget } from '../../engine/routing/work-budget.js'

/**
 * Units of work of one request. 150,000 lose 12 % of a division of 1.5 million dollars that uses the demo
 * market up; of requests of any size with every option the dearest would take 1,700,000.
 */
const REQUEST_UNITS = 250_000

/** Units of work that finding the sizes of a refusal may take: two requests of any size in a hundred need more. */
export const REFUSAL_UNITS = 6_000

/** The work that the searches of one request may do, the same on every machine. */
export const requestBudget = (): WorkBudget => workBudget(REQUEST_UNITS)

/** The member of an answer whose search ended at its budget: what to do for a complete one. */
export const cutMember = (budget: WorkBudget, advice: string) =>
  budget.isCut ? { search_cut: advice } : undefined

/** A refusal whose search ended at its budget: its sizes are bounds, and a path may have been missed. */
export function markCut(error: SwapError, budget: WorkBudget): SwapError {
  if (!budget.isCut) return error
  const { code, message, why, hint, httpHint, members } = error
  return new SwapError(code, message, {
    why: `${why === undefined ? '' : `${why}; `}the search ended at its budget of work, so the sizes are bounds`,
    hint: { cli: hint, http: httpHint },
    members: { ...members, search_cut: 'sizes are bounds: lower max_hops for exact ones' },
  })
}
