/**
 * The work that the searches of one request may do, counted in steps and never in time: the same request
 * ends at the same place on every machine. A unit is about a microsecond. Mutated by the searches.
 */
export type WorkBudget = {
  spent: number
  /** Units at which the part of the search that runs now has to end. */
  limit: number
  /** Whether some part ended for this reason before it was complete. */
  isCut: boolean
}

/** A budget of so many units; unlimited where none are given. */
export const workBudget = (units = Number.POSITIVE_INFINITY): WorkBudget => ({
  spent: 0,
  limit: units,
  isCut: false,
})

/** Whether a search has to end here with what it has found. */
export function isSpent(budget: WorkBudget): boolean {
  if (budget.spent < budget.limit) return false
  budget.isCut = true
  return true
}

/** Runs a part of a search that may use this share of what is left of the budget. */
export const withShare = <T>(budget: WorkBudget, share: number, search: () => T): T =>
  withUnits(budget, Math.max(0, budget.limit - budget.spent) * share, search)

/** Runs a part of a search that may use so many units of the budget. */
export function withUnits<T>(budget: WorkBudget, units: number, search: () => T): T {
  const { limit, spent } = budget
  budget.limit = Math.min(limit, spent + units)
  try {
    return search()
  } finally {
    budget.limit = limit
  }
}
