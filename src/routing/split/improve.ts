import type { Field } from './field.js'
import {
  type Grid,
  newTrial,
  type Plan,
  type Share,
  type Trial,
  type Way,
  worthOf,
} from './plan.js'

/** A gain below this, relative, is not worth another leg or another order. */
const NOISE = 1e-10

/** Sweeps after which a search ends even if it still finds something. */
const MOST_SWEEPS = 30

/** A plan with what floats say that it pays. */
export type Valued = { readonly plan: Plan; readonly value: number }

/**
 * Local search on what a plan pays when its legs run in order: moves units from leg to leg or to a
 * further way, whole legs too, and swaps neighbours, until nothing pays more. Parts of legs are moved in
 * at most `widest` units, a quarter of the grid where that is not given.
 */
export function improve(
  field: Field,
  grid: Grid,
  start: Plan,
  spare: readonly Way[],
  mostLegs: number,
  widest = Math.ceil(grid.count / 4),
): Valued {
  const trial = newTrial(field)
  let best = { plan: start, value: worthOf(trial, grid, start) }
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep += 1) {
    const next = swept(trial, grid, best, spare, mostLegs, sizes(grid.count, widest))
    if (next.value <= best.value) break
    best = next
  }
  return best
}

function swept(
  trial: Trial,
  grid: Grid,
  start: Valued,
  spare: readonly Way[],
  mostLegs: number,
  steps: readonly number[],
): Valued {
  let best = start
  const attempt = (plan: Plan): boolean => {
    const value = worthOf(trial, grid, plan)
    const floor = best.value + Math.abs(best.value) * NOISE
    if (!(value > floor || (value === best.value && plan.length < best.plan.length))) return false
    best = { plan, value }
    return true
  }
  for (const size of steps) {
    for (let from = 0; from < best.plan.length; from += 1) {
      for (let to = 0; to < best.plan.length; to += 1)
        while (from < best.plan.length && to < best.plan.length && from !== to)
          if (!attempt(moved(best.plan, from, to, size))) break
      for (const way of spare) {
        const { plan } = best
        if (from >= plan.length || plan.some((share) => share.way === way)) continue
        const units = Math.min(size, plan[from]!.units)
        if (plan.length - (units === plan[from]!.units ? 1 : 0) < mostLegs)
          attempt(withLeg(plan, from, way, units))
      }
    }
  }
  for (let i = 0; i + 1 < best.plan.length; i += 1) attempt(swapped(best.plan, i))
  return best
}

/** Whole legs first, then at most so many units and ever less. */
function sizes(count: number, widest: number): readonly number[] {
  const list = [count]
  for (let size = widest; ; size = Math.ceil(size / 2)) {
    list.push(size)
    if (size === 1) return list
  }
}

/** The plan with units moved between two of its legs; a leg that is left with nothing is gone. */
function moved(plan: Plan, from: number, to: number, size: number): Plan {
  const next: Share[] = []
  const units = Math.min(size, plan[from]!.units)
  for (let i = 0; i < plan.length; i += 1) {
    const share = plan[i]!
    if (i === to) next.push({ way: share.way, units: share.units + units })
    else if (i !== from) next.push(share)
    else if (share.units > units) next.push({ way: share.way, units: share.units - units })
  }
  return next
}

/** The plan with units moved to a way that it does not use, which runs behind the leg they come from. */
function withLeg(plan: Plan, from: number, way: Way, units: number): Plan {
  const next: Share[] = []
  for (let i = 0; i < plan.length; i += 1) {
    const share = plan[i]!
    if (i !== from) next.push(share)
    else {
      if (share.units > units) next.push({ way: share.way, units: share.units - units })
      next.push({ way, units })
    }
  }
  return next
}

const swapped = (plan: Plan, i: number): Plan => {
  const next = [...plan]
  ;[next[i], next[i + 1]] = [plan[i + 1]!, plan[i]!]
  return next
}
