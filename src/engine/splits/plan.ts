import type { NetworkEdge, ResidualNetwork } from './residual-network.js'
import { boughtBy } from './supply-curve.js'

/** One path through the network. Its number in the list of candidates names it. */
export type Path = readonly NetworkEdge[]

/** A division on a grid: how many units go along each path, in the order of execution. */
export type PlanEntry = { readonly path: Path; readonly units: number }
export type Plan = readonly PlanEntry[]

/** A grid over an amount: `count` equal units and a rest that the last leg takes too. */
export type Grid = { readonly count: number; readonly unit: number; readonly rest: number }

export const gridOf = (amount: number, stepPercent: number): Grid => {
  const count = Math.floor(100 / stepPercent)
  const unit = (amount * stepPercent) / 100
  return { count, unit, rest: amount - count * unit }
}

/** Books while a plan is tried on them: what each edge has taken and paid so far. */
export type BookState = {
  readonly taken: Float64Array
  readonly paid: Float64Array
  readonly touched: NetworkEdge[]
  /** Input that found no place, since some side on its path cannot take it. */
  lost: number
}

export const newBookState = (network: ResidualNetwork): BookState => ({
  taken: new Float64Array(network.edges.length),
  paid: new Float64Array(network.edges.length),
  touched: [],
  lost: 0,
})

/** Puts everything back. */
export function reset(books: BookState): void {
  for (const { id } of books.touched) {
    books.taken[id] = 0
    books.paid[id] = 0
  }
  books.touched.length = 0
  books.lost = 0
}

/** Sells an amount along a path as the books finds it. What a side cannot take is lost. */
export function sell(books: BookState, path: Path, amount: number): number {
  const { taken, paid, touched } = books
  let flow = amount
  let kept = 1
  for (const edge of path) {
    const { id, curve } = edge
    const before = taken[id]!
    if (before === 0) touched.push(edge)
    let after = before + flow
    let all = boughtBy(curve, after)
    if (Number.isNaN(all)) {
      after = curve.offered[curve.cost.length]!
      all = curve.received[curve.cost.length]!
      kept *= flow > 0 ? (after - before) / flow : 0
    }
    flow = all - paid[id]!
    taken[id] = after
    paid[id] = all
  }
  if (kept < 1) books.lost += amount * (1 - kept)
  return flow
}

/** As `sell`, leaving the books as it is. */
export function preview({ taken, paid }: BookState, path: Path, amount: number): number {
  let flow = amount
  for (const { id, curve } of path) flow = boughtBy(curve, taken[id]! + flow) - paid[id]!
  return flow
}

/**
 * What a plan pays if its legs run in order on shared books. Where some side cannot take it all, what
 * is lost of the input, below zero: a search then finds its path back to plans that work.
 */
export function planOutput(books: BookState, grid: Grid, plan: Plan): number {
  let sum = 0
  for (let i = 0; i < plan.length; i += 1) {
    const { path, units } = plan[i]!
    sum += sell(books, path, units * grid.unit + (i === plan.length - 1 ? grid.rest : 0))
  }
  const { lost } = books
  reset(books)
  return lost > 0 ? -lost : sum
}

/**
 * The plan with units of a leg moveUnits to a path; a leg that is left with nothing is gone. A path that the
 * plan does not use yet runs behind the leg they come from.
 */
export function moveUnits(plan: Plan, from: number, path: Path, size: number): Plan {
  const next: PlanEntry[] = []
  const units = Math.min(size, plan[from]!.units)
  const isNew = plan.every((entry) => entry.path !== path)
  for (const [i, entry] of plan.entries()) {
    if (entry.path === path) next.push({ path, units: entry.units + units })
    else if (i !== from) next.push(entry)
    else if (entry.units > units) next.push({ path: entry.path, units: entry.units - units })
    if (i === from && isNew) next.push({ path, units })
  }
  return next
}

/** A plan as text: the same plan has the same key. */
export const planKey = (plan: Plan): string =>
  plan.map(({ path, units }) => `${path.map((edge) => edge.id).join('.')}:${units}`).join(' ')
