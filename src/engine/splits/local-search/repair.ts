import { isSpent } from '../../routing/query.js'
import { type BookState, type Grid, moveUnits, type Path, type Plan, planOutput } from '../plan.js'

/**
 * A cap: one sweep repaired every plan of the measured set. No repair loses 7.7 bps of one demo
 * order in 25.
 */
const MOST_SWEEPS = 8

/** What a repair may use. */
export type RepairTerms = {
  readonly spare: readonly Path[]
  readonly mostLegs: number
  /** Units that are moveUnits at once, the most first. */
  readonly sizes: readonly number[]
}

/**
 * A plan that loses no input, from one that offers some side more than it takes: units move to
 * other legs, then to spare paths, as long as less is lost. Returns the first plan that works, or
 * the best that no move improves.
 */
export function repair(books: BookState, grid: Grid, start: Plan, terms: RepairTerms): Plan {
  const state = { plan: start, value: planOutput(books, grid, start) }
  const attempt = (plan: Plan): boolean => {
    const value = planOutput(books, grid, plan)
    if (!(value > state.value)) return false
    Object.assign(state, { plan, value })
    return true
  }
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep += 1) {
    const { value } = state
    for (const size of terms.sizes)
      for (let from = 0; from < state.plan.length; from += 1) {
        moveOn(state, from, size, attempt)
        if (state.value > 0 || isSpent(books.budget)) return state.plan
        tryFurther(state, from, size, terms, attempt)
        if (state.value > 0) return state.plan
      }
    if (state.value <= value) break
  }
  return state.plan
}

type State = { readonly plan: Plan; readonly value: number }
type Attempt = (plan: Plan) => boolean

/** From one leg to each other one, for as long as it helps. */
function moveOn(state: State, from: number, size: number, attempt: Attempt): void {
  for (let to = 0; to < state.plan.length && from < state.plan.length; to += 1)
    while (state.value < 0 && from !== to && from < state.plan.length && to < state.plan.length)
      if (!attempt(moveUnits(state.plan, from, state.plan[to]!.path, size))) break
}

function tryFurther(
  state: State,
  from: number,
  size: number,
  { spare, mostLegs }: RepairTerms,
  attempt: Attempt,
): void {
  for (const path of spare) {
    const leg = state.plan[from]
    if (leg === undefined || state.value > 0) return
    if (state.plan.some((entry) => entry.path === path)) continue
    if (state.plan.length - (size >= leg.units ? 1 : 0) < mostLegs)
      attempt(moveUnits(state.plan, from, path, size))
  }
}
