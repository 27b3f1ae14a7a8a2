import type { Arc, Field } from './residual-network.js'
import { boughtBy } from './supply-curve.js'

/** One way through the field. Its number in the list of candidates names it. */
export type Way = readonly Arc[]

/** A division on a grid: how many units go along each way, in the order of execution. */
export type Share = { readonly way: Way; readonly units: number }
export type Plan = readonly Share[]

/** A grid over an amount: `count` equal units and a rest that the last leg takes too. */
export type Grid = { readonly count: number; readonly unit: number; readonly rest: number }

export const gridOf = (amount: number, stepPercent: number): Grid => {
  const count = Math.floor(100 / stepPercent)
  const unit = (amount * stepPercent) / 100
  return { count, unit, rest: amount - count * unit }
}

/** Books while a plan is tried on them: what each arc has taken and paid so far. */
export type Trial = {
  readonly taken: Float64Array
  readonly paid: Float64Array
  readonly touched: Arc[]
  /** Input that found no place, since some side on its way cannot take it. */
  lost: number
}

export const newTrial = (field: Field): Trial => ({
  taken: new Float64Array(field.arcs.length),
  paid: new Float64Array(field.arcs.length),
  touched: [],
  lost: 0,
})

/** Puts everything back. */
export function reset(trial: Trial): void {
  for (const { id } of trial.touched) {
    trial.taken[id] = 0
    trial.paid[id] = 0
  }
  trial.touched.length = 0
  trial.lost = 0
}

/** Sells an amount along a way as the trial finds it. What a side cannot take is lost. */
export function sell(trial: Trial, way: Way, amount: number): number {
  const { taken, paid, touched } = trial
  let flow = amount
  let kept = 1
  for (const arc of way) {
    const { id, lane } = arc
    const before = taken[id]!
    if (before === 0) touched.push(arc)
    let after = before + flow
    let all = boughtBy(lane, after)
    if (Number.isNaN(all)) {
      after = lane.offered[lane.cost.length]!
      all = lane.received[lane.cost.length]!
      kept *= flow > 0 ? (after - before) / flow : 0
    }
    flow = all - paid[id]!
    taken[id] = after
    paid[id] = all
  }
  if (kept < 1) trial.lost += amount * (1 - kept)
  return flow
}

/** As `sell`, leaving the trial as it is. */
export function preview({ taken, paid }: Trial, way: Way, amount: number): number {
  let flow = amount
  for (const { id, lane } of way) flow = boughtBy(lane, taken[id]! + flow) - paid[id]!
  return flow
}

/**
 * What a plan pays if its legs run in order on shared books. Where some side cannot take it all, what
 * is lost of the input, below zero: a search then finds its way back to plans that work.
 */
export function worthOf(trial: Trial, grid: Grid, plan: Plan): number {
  let sum = 0
  for (let i = 0; i < plan.length; i += 1) {
    const { way, units } = plan[i]!
    sum += sell(trial, way, units * grid.unit + (i === plan.length - 1 ? grid.rest : 0))
  }
  const { lost } = trial
  reset(trial)
  return lost > 0 ? -lost : sum
}

/**
 * The plan with units of a leg moved to a way; a leg that is left with nothing is gone. A way that the
 * plan does not use yet runs behind the leg they come from.
 */
export function moved(plan: Plan, from: number, way: Way, size: number): Plan {
  const next: Share[] = []
  const units = Math.min(size, plan[from]!.units)
  const isNew = plan.every((share) => share.way !== way)
  for (const [i, share] of plan.entries()) {
    if (share.way === way) next.push({ way, units: share.units + units })
    else if (i !== from) next.push(share)
    else if (share.units > units) next.push({ way: share.way, units: share.units - units })
    if (i === from && isNew) next.push({ way, units })
  }
  return next
}

/** A plan as text: the same plan has the same key. */
export const keyOf = (plan: Plan): string =>
  plan.map(({ way, units }) => `${way.map((arc) => arc.id).join('.')}:${units}`).join(' ')
