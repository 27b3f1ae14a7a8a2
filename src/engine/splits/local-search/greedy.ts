import { type Grid, newTrial, type Plan, preview, sell, type Way } from '../plan.js'
import type { Field } from '../residual-network.js'

/**
 * Gives unit after unit to the way that pays most for it on the books as the earlier units left them,
 * over at most `mostLegs` ways. What a way pays only falls, so what it paid last bounds it and most
 * ways are not tried again. Exact where ways share no books; a start for the search where they do.
 * Units that no way takes are left on the first one.
 */
export function greedyPlan(
  field: Field,
  ways: readonly Way[],
  grid: Grid,
  mostLegs: number,
): Plan | undefined {
  const trial = newTrial(field)
  const worth = ways.map((way) => preview(trial, way, grid.unit))
  const fresh = worth.map(() => 0)
  const units = worth.map(() => 0)
  const order: number[] = []
  for (let given = 0; given < grid.count; given += 1) {
    const best = bestWay(worth, fresh, given, (i) =>
      order.length < mostLegs || units[i]! > 0 ? preview(trial, ways[i]!, grid.unit) : Number.NaN,
    )
    if (best === undefined) {
      const first = order[0]
      if (first === undefined) return undefined
      units[first]! += grid.count - given
      break
    }
    if (units[best] === 0) order.push(best)
    units[best]! += 1
    sell(trial, ways[best]!, grid.unit)
  }
  return order.map((i) => ({ way: ways[i]!, units: units[i]! }))
}

/** The way that pays most now. `fresh[i]` tells after how many units `worth[i]` was computed. */
function bestWay(
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
