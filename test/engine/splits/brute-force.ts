import type { Query } from '../../../src/engine/routing/query.js'
import { isFailed, replayer } from '../../../src/engine/splits/execute-legs.js'
import type { Way } from '../../../src/engine/splits/plan.js'
import { fieldOf } from '../../../src/engine/splits/residual-network.js'

/** Every way of a query within its limits, found without the search under test. */
export function allWays(query: Query): readonly Way[] {
  const { arcs } = fieldOf(query)
  const ways: Way[] = []
  const visit = (way: Way, at: number, seen: readonly number[]): void => {
    for (const arc of arcs) {
      if (arc.edge.from !== at || seen.includes(arc.edge.to)) continue
      const longer = [...way, arc]
      if (arc.edge.to === query.to) {
        if (query.complete(longer.map(({ edge }) => edge))) ways.push(longer)
      } else if (longer.length < query.limits.maxHops)
        visit(longer, arc.edge.to, [...seen, arc.edge.to])
    }
  }
  visit([], query.from, [query.from])
  return ways
}

/**
 * The most that any division on a grid pays: every choice of at most `mostLegs` ways, in every order,
 * with every shares, executed in integers.
 */
export function bruteForce(
  query: Query,
  amount: bigint,
  stepPercent: number,
  mostLegs: number,
): bigint {
  const ways = allWays(query)
  const run = replayer(query)
  let best = 0n
  const visit = (
    legs: readonly { readonly way: Way; readonly percent: number }[],
    left: number,
  ): void => {
    if (left === 0) {
      const amounts = legs.slice(0, -1).map(({ percent }) => (amount * BigInt(percent)) / 100n)
      const rest = amount - amounts.reduce((a, b) => a + b, 0n)
      const portions = legs.map(({ way }, i) => ({ way, amount: amounts[i] ?? rest }))
      const outcome = run(portions.filter((portion) => portion.amount > 0n))
      if (!isFailed(outcome) && outcome.total > best) best = outcome.total
      return
    }
    if (legs.length === mostLegs) return
    const last = legs.length === mostLegs - 1
    for (const way of ways)
      if (legs.every((leg) => leg.way !== way))
        for (let percent = last ? left : stepPercent; percent <= left; percent += stepPercent)
          visit([...legs, { way, percent }], left - percent)
  }
  visit([], 100)
  return best
}
