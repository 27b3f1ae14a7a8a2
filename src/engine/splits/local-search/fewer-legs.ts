import {
  type Grid,
  newTrial,
  type Plan,
  preview,
  reset,
  sell,
  type Trial,
  worthOf,
} from '../plan.js'
import type { Field } from '../residual-network.js'

/**
 * A plan with at most so many legs, as floats see it: again and again the leg that is missed least is
 * left out, and the leg that pays most for its units takes them. Which units go where in the end is
 * for a local search to say.
 */
export function withFewerLegs(field: Field, grid: Grid, start: Plan, most: number): Plan {
  const trial = newTrial(field)
  let plan = start
  while (plan.length > most) plan = withoutOne(trial, grid, plan)
  return plan
}

function withoutOne(trial: Trial, grid: Grid, plan: Plan): Plan {
  let best: { readonly left: number; readonly taker: number; readonly value: number } | undefined
  for (const left of plan.keys()) {
    const base = sellAllBut(trial, grid, plan, left)
    for (const [taker, { way }] of plan.entries()) {
      if (taker === left || trial.lost > 0) continue
      const value = base + preview(trial, way, plan[left]!.units * grid.unit)
      if (!Number.isNaN(value) && !(best && best.value >= value)) best = { left, taker, value }
    }
    reset(trial)
  }
  return best ? given(plan, best.left, best.taker) : leastLost(trial, grid, plan)
}

/** The smallest legs, which are left out where no leg can take all of another one's units. */
const SMALLEST = 4

/** What loses least of the input where every plan with one leg less loses some. */
function leastLost(trial: Trial, grid: Grid, plan: Plan): Plan {
  const bySize = [...plan.keys()].sort((a, b) => plan[a]!.units - plan[b]!.units)
  let best: { readonly plan: Plan; readonly value: number } | undefined
  for (const left of bySize.slice(0, SMALLEST))
    for (const taker of plan.keys()) {
      if (taker === left) continue
      const next = given(plan, left, taker)
      const value = worthOf(trial, grid, next)
      if (best === undefined || value > best.value) best = { plan: next, value }
    }
  return best!.plan
}

/** The plan with all units of one leg given to another. */
const given = (plan: Plan, left: number, taker: number): Plan =>
  plan
    .map((share, i) => (i === taker ? { ...share, units: share.units + plan[left]!.units } : share))
    .filter((_, i) => i !== left)

function sellAllBut(trial: Trial, grid: Grid, plan: Plan, left: number): number {
  let sum = 0
  for (const [i, { way, units }] of plan.entries())
    if (i !== left) sum += sell(trial, way, units * grid.unit)
  return sum
}
