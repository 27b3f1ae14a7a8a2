import type { PathQuery } from '../../../src/engine/routing/query.js'
import { isFailed, legExecutor } from '../../../src/engine/splits/execute-legs.js'
import type { Path } from '../../../src/engine/splits/plan.js'
import { residualNetwork } from '../../../src/engine/splits/residual-network.js'

/** Every path of a query within its limits, found without the search under test. */
export function allPaths(query: PathQuery): readonly Path[] {
  const { edges } = residualNetwork(query)
  const paths: Path[] = []
  const visit = (path: Path, at: number, seen: readonly number[]): void => {
    for (const edge of edges) {
      if (edge.from !== at || seen.includes(edge.to)) continue
      const longer = [...path, edge]
      if (edge.to === query.to) {
        if (query.isComplete(longer)) paths.push(longer)
      } else if (longer.length < query.limits.maxHops) visit(longer, edge.to, [...seen, edge.to])
    }
  }
  visit([], query.from, [query.from])
  return paths
}

/**
 * The largest output of any split on a grid: every choice of at most `mostLegs` paths, in every order, with
 * every combination of shares, executed in integers.
 */
export function bruteForce(
  query: PathQuery,
  amount: bigint,
  stepPercent: number,
  mostLegs: number,
): bigint {
  const paths = allPaths(query)
  const run = legExecutor(query)
  let best = 0n
  const visit = (
    legs: readonly { readonly path: Path; readonly percent: number }[],
    left: number,
  ): void => {
    if (left === 0) {
      const amounts = legs.slice(0, -1).map(({ percent }) => (amount * BigInt(percent)) / 100n)
      const rest = amount - amounts.reduce((a, b) => a + b, 0n)
      const legAmounts = legs.map(({ path }, i) => ({ path, amount: amounts[i] ?? rest }))
      const outcome = run(legAmounts.filter((legAmount) => legAmount.amount > 0n))
      if (!isFailed(outcome) && outcome.total > best) best = outcome.total
      return
    }
    if (legs.length === mostLegs) return
    const last = legs.length === mostLegs - 1
    for (const path of paths)
      if (legs.every((leg) => leg.path !== path))
        for (let percent = last ? left : stepPercent; percent <= left; percent += stepPercent)
          visit([...legs, { path, percent }], left - percent)
  }
  visit([], 100)
  return best
}
