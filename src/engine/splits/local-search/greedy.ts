import { type Grid, newBookState, type Path, type Plan, preview, sell } from '../plan.js'
import type { ResidualNetwork } from '../residual-network.js'

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
