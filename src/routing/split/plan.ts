import type { Arc, Field } from './field.js'
import { boughtBy } from './lane.js'

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

/** Books while a plan is tried on them: the offer that each arc has taken so far. */
export type Trial = {
  readonly taken: Float64Array
  readonly touched: Arc[]
  /** Input that found no place, since some side on its way cannot take it. */
  lost: number
}

export const newTrial = (field: Field): Trial => ({
  taken: new Float64Array(field.arcs.length),
  touched: [],
  lost: 0,
})

/** Puts everything back. */
export function reset(trial: Trial): void {
  for (const { id } of trial.touched) trial.taken[id] = 0
  trial.touched.length = 0
  trial.lost = 0
}

/** Sells an amount along a way as the trial finds it. What a side cannot take is lost. */
export function sell(trial: Trial, way: Way, amount: number): number {
  const { taken, touched } = trial
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
    flow = before === 0 ? all : all - boughtBy(lane, before)
    taken[id] = after
  }
  if (kept < 1) trial.lost += amount * (1 - kept)
  return flow
}

/** As `sell`, leaving the trial as it is. */
export function preview({ taken }: Trial, way: Way, amount: number): number {
  let flow = amount
  for (const { id, lane } of way) {
    const before = taken[id]!
    flow =
      before === 0 ? boughtBy(lane, flow) : boughtBy(lane, before + flow) - boughtBy(lane, before)
  }
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

/** A plan as text: the same plan has the same key. */
export const keyOf = (plan: Plan): string =>
  plan.map(({ way, units }) => `${way.map((arc) => arc.id).join('.')}:${units}`).join(' ')
