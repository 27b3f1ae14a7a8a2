import { isSpent } from '../../routing/query.js'
import {
  type BookState,
  type Grid,
  moveUnits,
  newBookState,
  type Path,
  type Plan,
  planOutput,
  preview,
  reset,
  sell,
} from '../plan.js'
import type { ResidualNetwork } from '../residual-network.js'

/** A relative gain below this does not justify another leg or order. 0 gains at most 0.005 bps. */
const NOISE = 1e-10

/** A cap: no search of the measured set needs more than 3 sweeps. */
const MOST_SWEEPS = 30

/** A plan with what floats say that it pays. */
export type ScoredPlan = { readonly plan: Plan; readonly value: number }

/**
 * Local search on `planOutput`: moves units between legs or to a spare path, moves whole legs, and
 * swaps neighbours, until nothing pays more. `widest` is the largest move in units besides a whole
 * leg, a quarter of the grid by default.
 */
export function improve(
  network: ResidualNetwork,
  grid: Grid,
  start: Plan,
  spare: readonly Path[],
  mostLegs: number,
  widest = Math.ceil(grid.count / 4),
): ScoredPlan {
  const books = newBookState(network)
  const steps = sizes(grid.count, widest)
  let best = { plan: start, value: planOutput(books, grid, start) }
  if (best.value < 0) {
    const plan = repair(books, grid, start, { spare, mostLegs, sizes: steps })
    best = { plan, value: planOutput(books, grid, plan) }
    if (best.value < 0) return best
  }
  for (let round = 0; round < MOST_SWEEPS && !isSpent(books.budget); round += 1) {
    const next = sweep(books, grid, best, spare, mostLegs, steps)
    if (next.value <= best.value) break
    best = next
  }
  return best
}

function sweep(
  books: BookState,
  grid: Grid,
  start: ScoredPlan,
  spare: readonly Path[],
  mostLegs: number,
  steps: readonly number[],
): ScoredPlan {
  let best = start
  const attempt = (plan: Plan): boolean => {
    const value = planOutput(books, grid, plan)
    const floor = best.value + Math.abs(best.value) * NOISE
    if (!(value > floor || (value === best.value && plan.length < best.plan.length))) return false
    best = { plan, value }
    return true
  }
  for (const size of steps)
    for (let from = 0; from < best.plan.length; from += 1)
      for (let risen = true; risen && from < best.plan.length && !isSpent(books.budget); ) {
        const paths = promisingPaths(books, grid, best, { from, size, spare, mostLegs })
        risen = paths.some((path) => attempt(moveUnits(best.plan, from, path, size)))
      }
  for (let i = 0; i + 1 < best.plan.length; i += 1) attempt(swapped(best.plan, i))
  return best
}

type Move = {
  readonly from: number
  readonly size: number
  readonly spare: readonly Path[]
  readonly mostLegs: number
}

/**
 * Paths tried for one leg's units, those with the highest estimate first. 1 gives the same
 * divisions in the measured set.
 */
const MOST_TAKERS = 2

/**
 * Relative amount by which an estimate may be too low: legs in another order pay about the same. 0
 * gives the same divisions in the measured set.
 */
const OFF = 1e-6

/**
 * Paths that may pay more for units of one leg, the best first, estimated as if these units ran
 * last: one evaluation each instead of one of the whole plan.
 */
function promisingPaths(
  books: BookState,
  grid: Grid,
  { plan, value }: ScoredPlan,
  { from, size, spare, mostLegs }: Move,
): readonly Path[] {
  const leg = plan[from]!
  const units = Math.min(size, leg.units)
  const others = plan.filter((entry) => entry !== leg).map(({ path }) => path)
  const isRoom = others.length + (units < leg.units ? 1 : 0) < mostLegs
  const further = isRoom ? spare.filter((path) => path !== leg.path && !others.includes(path)) : []
  const paths = [...others, ...further]
  let base = 0
  for (let i = 0; i < plan.length; i += 1) {
    const entry = plan[i]!
    const left = entry.units - (i === from ? units : 0)
    const rest = i === plan.length - 1 ? grid.rest : 0
    if (left > 0 || rest > 0) base += sell(books, entry.path, left * grid.unit + rest)
  }
  const promising: { readonly path: Path; readonly value: number }[] = []
  for (const path of paths) {
    const estimate = base + preview(books, path, units * grid.unit)
    if (estimate > value * (1 - OFF)) promising.push({ path, value: estimate })
  }
  reset(books)
  return promising
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_TAKERS)
    .map(({ path }) => path)
}

/** Whole legs first, then at most so many units and ever less. */
function sizes(count: number, widest: number): readonly number[] {
  const list = [count]
  for (let size = widest; ; size = Math.ceil(size / 2)) {
    list.push(size)
    if (size === 1) return list
  }
}

const swapped = (plan: Plan, i: number): Plan => {
  const next = [...plan]
  ;[next[i], next[i + 1]] = [plan[i + 1]!, plan[i]!]
  return next
}

/**
 * Assigns each unit to the path that pays most for it on the books as the earlier units left them,
 * over at most `mostLegs` paths. A path's output per unit only falls, so its last value bounds it
 * and most paths are not evaluated again. Optimal where paths share no books. Units that fit
 * nowhere go to the first path.
 */
export function greedyPlan(
  network: ResidualNetwork,
  paths: readonly Path[],
  grid: Grid,
  mostLegs: number,
): Plan | undefined {
  const books = newBookState(network)
  const worth = paths.map((path) => preview(books, path, grid.unit))
  const fresh = worth.map(() => 0)
  const units = worth.map(() => 0)
  const order: number[] = []
  for (let given = 0; given < grid.count; given += 1) {
    const best = bestNextPath(worth, fresh, given, (i) =>
      order.length < mostLegs || units[i]! > 0 ? preview(books, paths[i]!, grid.unit) : Number.NaN,
    )
    if (best === undefined) {
      const first = order[0]
      if (first === undefined) return undefined
      units[first]! += grid.count - given
      break
    }
    if (units[best] === 0) order.push(best)
    units[best]! += 1
    sell(books, paths[best]!, grid.unit)
  }
  return order.map((i) => ({ path: paths[i]!, units: units[i]! }))
}

/** The path that pays most now. `fresh[i]`: the number of units after which `worth[i]` was computed. */
function bestNextPath(
  worth: number[],
  fresh: number[],
  given: number,
  compute: (index: number) => number,
): number | undefined {
  for (;;) {
    let best: number | undefined
    for (let i = 0; i < worth.length; i += 1)
      if (!Number.isNaN(worth[i]!) && (best === undefined || worth[i]! > worth[best]!)) best = i
    if (best === undefined || fresh[best] === given) return best
    worth[best] = compute(best)
    fresh[best] = given
  }
}

/**
 * A cap: one sweep repaired every plan of the measured set. No repair loses 7.7 bps of one demo
 * order in 25.
 */
const MOST_REPAIRS = 8

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
function repair(books: BookState, grid: Grid, start: Plan, terms: RepairTerms): Plan {
  const state = { plan: start, value: planOutput(books, grid, start) }
  const attempt = (plan: Plan): boolean => {
    const value = planOutput(books, grid, plan)
    if (!(value > state.value)) return false
    Object.assign(state, { plan, value })
    return true
  }
  for (let sweep = 0; sweep < MOST_REPAIRS; sweep += 1) {
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
