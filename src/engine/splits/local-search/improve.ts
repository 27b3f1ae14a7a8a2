import { isSpent } from '../../routing/query.js'
import { insertBest } from '../../routing/rank-paths.js'
import {
  type BookState,
  type Grid,
  moveUnits,
  newBookState,
  outputWithLast,
  type Path,
  type Plan,
  planOutput,
  preview,
  reset,
  sell,
  withSwap,
} from '../plan.js'
import type { ResidualNetwork } from '../residual-network.js'

/** A relative gain below this does not justify another leg or order. 0 gains at most 0.005 bps. */
const NOISE = 1e-10

/** A cap: no search of the measured set needs more than 3 sweeps. */
const MOST_SWEEPS = 30

/** A plan with its output, computed in floats. */
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
  let best: ScoredPlan = { plan: start, value: planOutput(books, grid, start) }
  // Later sweeps move whole legs and single units only: all sizes again gain 0.07 bps of one order in 700.
  const again = [steps[0]!, 1]
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep += 1) {
    const before = best
    for (const size of sweep === 0 ? steps : again) {
      if (isSpent(books.budget)) return best
      best = tryMoves(books, grid, best, { size, spare, mostLegs })
    }
    if (best === before) break
  }
  return best
}

/** Moves of one size from each leg in turn, each for as long as it pays; with the least size swaps as well. */
function tryMoves(books: BookState, grid: Grid, start: ScoredPlan, move: Move): ScoredPlan {
  let best = start
  const attempt = (plan: Plan): boolean => {
    const value = planOutput(books, grid, plan)
    const floor = best.value + Math.abs(best.value) * NOISE
    if (!(value > floor || (value === best.value && plan.length < best.plan.length))) return false
    best = { plan, value }
    return true
  }
  const { size } = move
  for (let from = 0; from < best.plan.length; from += 1)
    for (let risen = true; risen && from < best.plan.length && !isSpent(books.budget); ) {
      // The largest size has moved the leg as a whole.
      if (size > best.plan[from]!.units && size < grid.count) break
      const paths = promisingPaths(books, grid, best, from, move)
      risen = paths.some((path) => attempt(moveUnits(best.plan, from, path, size)))
    }
  if (size === 1) for (let i = 1; i < best.plan.length; i += 1) attempt(withSwap(best.plan, i))
  return best
}

type Move = {
  /** Units, or the whole leg where it has less. */
  readonly size: number
  readonly spare: readonly Path[]
  readonly mostLegs: number
}

/**
 * Paths tried for one leg's units, those with the highest estimate first. 1 loses up to 105 bps of one
 * demo order in 100.
 */
const MOST_TAKERS = 2

/**
 * Relative amount by which an estimate may be too low: legs in another order pay about the same. 0
 * gives the same splits in the measured set.
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
  from: number,
  { size, spare, mostLegs }: Move,
): readonly Path[] {
  const leg = plan[from]!
  const units = Math.min(size, leg.units)
  let base = 0
  for (let i = 0; i < plan.length; i += 1) {
    const entry = plan[i]!
    const left = entry.units - (i === from ? units : 0)
    const rest = i === plan.length - 1 ? grid.rest : 0
    if (left > 0 || rest > 0) base += sell(books, entry.path, left * grid.unit + rest)
  }
  const least = value - Math.abs(value) * OFF
  const promising: { readonly path: Path; readonly output: number }[] = []
  const consider = (path: Path): void => {
    const output = outputWithLast(books, base, path, units * grid.unit)
    if (output > least) insertBest(promising, { path, output }, MOST_TAKERS)
  }
  for (const entry of plan) if (entry !== leg) consider(entry.path)
  if (plan.length - (units < leg.units ? 0 : 1) < mostLegs)
    for (const path of spare) if (plan.every((entry) => entry.path !== path)) consider(path)
  reset(books)
  return promising.map(({ path }) => path)
}

/** Whole legs first, then at most so many units and ever less. */
function sizes(count: number, widest: number): readonly number[] {
  const list = [count]
  for (let size = widest; ; size = Math.ceil(size / 2)) {
    list.push(size)
    if (size === 1) return list
  }
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
      order.length < mostLegs || units[i]! > 0 ? preview(books, paths[i]!, grid.unit) : -1,
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
      if (worth[i]! >= 0 && (best === undefined || worth[i]! > worth[best]!)) best = i
    if (best === undefined || fresh[best] === given) return best
    worth[best] = compute(best)
    fresh[best] = given
  }
}
