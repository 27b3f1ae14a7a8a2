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
import { repair } from './repair.js'

/** A gain below this, relative, is not worth another leg or another order. */
const NOISE = 1e-10

/** Sweeps after which a search ends even if it still finds something. */
const MOST_SWEEPS = 30

/** A plan with what floats say that it pays. */
export type ScoredPlan = { readonly plan: Plan; readonly value: number }

/**
 * Local search on what a plan pays when its legs run in order: moves units from leg to leg or to a
 * further path, whole legs too, and swaps neighbours, until nothing pays more. Parts of legs are moveUnits in
 * at most `widest` units, a quarter of the grid where that is not given.
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
  for (let round = 0; round < MOST_SWEEPS; round += 1) {
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
      for (let risen = true; risen && from < best.plan.length; ) {
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

/** Takers of one leg's units that are tried out, of those that promise most. */
const MOST_TAKERS = 2

/** An estimate may be so much too low, relative: legs that run in another order pay about the same. */
const OFF = 1e-6

/**
 * The paths that may pay more for units of one leg than it does, the best first: estimated as if they
 * ran last, which takes one leg each instead of the whole plan.
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
  for (const [i, entry] of plan.entries()) {
    const left = entry.units - (i === from ? units : 0)
    const rest = i === plan.length - 1 ? grid.rest : 0
    if (left > 0 || rest > 0) base += sell(books, entry.path, left * grid.unit + rest)
  }
  const promising = paths
    .map((path) => ({ path, value: base + preview(books, path, units * grid.unit) }))
    .filter((each) => each.value > value * (1 - OFF))
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
