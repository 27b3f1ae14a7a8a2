import type { WorkBudget } from '../routing/query.js'
import type { NetworkEdge, ResidualNetwork } from './residual-network.js'
import { boughtBy } from './supply-curve.js'

/** A path through the network, in order of execution. Compared by identity within one search. */
export type Path = readonly NetworkEdge[]

/** One leg of a plan: how many units of the grid go along a path. */
export type PlanEntry = { readonly path: Path; readonly units: number }
export type Plan = readonly PlanEntry[]

/** A grid over an amount: `count` equal units and a rest that the last leg takes too. */
export type Grid = { readonly count: number; readonly unit: number; readonly rest: number }

export const gridOf = (amount: number, stepPercent: number): Grid => {
  const count = Math.floor(100 / stepPercent)
  const unit = (amount * stepPercent) / 100
  return { count, unit, rest: amount - count * unit }
}

/**
 * What each edge has sold and paid so far while a plan is evaluated, by edge id, in atomics as
 * floats.
 */
export type BookState = {
  readonly taken: Float64Array
  readonly paid: Float64Array
  readonly touched: NetworkEdge[]
  /** Unplaced input, because some side on its path cannot take it. */
  lost: number
  readonly budget: WorkBudget
}

/** Untouched books of a network. */
export const newBookState = (network: ResidualNetwork): BookState => ({
  taken: new Float64Array(network.edges.length),
  paid: new Float64Array(network.edges.length),
  touched: [],
  lost: 0,
  budget: network.query.budget,
})

/** Restores the untouched books. */
export function reset(books: BookState): void {
  for (const { id } of books.touched) {
    books.taken[id] = 0
    books.paid[id] = 0
  }
  books.touched.length = 0
  books.lost = 0
}

/** Units of work of one hop computed in floats. */
const HOP = 0.1

/**
 * Sells an input amount along a path and returns the output, both in atomics as floats. What an
 * edge cannot take is added to `lost`.
 */
export const sell = (books: BookState, path: Path, amount: number): number =>
  sendAlong(books, path, amount, true)

/** As `sell`, without changing the state. Where an edge cannot take its offer, minus the input lost. */
export function preview(books: BookState, path: Path, amount: number): number {
  const { lost } = books
  books.lost = 0
  const output = sendAlong(books, path, amount, false)
  const added = books.lost
  books.lost = lost
  return added > 0 ? -added : output
}

/**
 * What a plan pays whose last units go along a path and whose others, sold before, paid `base`. Minus the input lost,
 * where some is.
 */
export function outputWithLast(books: BookState, base: number, path: Path, amount: number): number {
  const { lost } = books
  const added = preview(books, path, amount)
  return lost > 0 || added < 0 ? Math.min(added, 0) - lost : base + added
}

function sendAlong(books: BookState, path: Path, amount: number, isSale: boolean): number {
  const { taken, paid, touched, budget } = books
  budget.spent += path.length * HOP
  let flow = amount
  let placedShare = 1
  for (const edge of path) {
    const { id, curve } = edge
    const before = taken[id]!
    let after = before + flow
    let boughtInAll = boughtBy(curve, after)
    if (Number.isNaN(boughtInAll)) {
      after = curve.offered[curve.cost.length]!
      boughtInAll = curve.received[curve.cost.length]!
      placedShare *= flow > 0 ? (after - before) / flow : 0
    }
    flow = boughtInAll - paid[id]!
    if (!isSale) continue
    if (before === 0) touched.push(edge)
    taken[id] = after
    paid[id] = boughtInAll
  }
  if (placedShare < 1) books.lost += amount * (1 - placedShare)
  return flow
}

/**
 * The output of a plan whose legs run in order on shared books, before the router's fees. Negative
 * where part of the input finds no place: minus the input lost, which leads a search back to plans
 * that work.
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
 * The plan with up to `size` units of leg `from` moved to a path. A leg without units is dropped; a
 * path that is new to the plan runs directly after leg `from`.
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

/** The plan with the leg at `i` and the one before it in the other order. */
export const withSwap = (plan: Plan, i: number): Plan =>
  plan.with(i - 1, plan[i]!).with(i, plan[i - 1]!)

/** A key that paths over the same edges share. */
export const pathKey = (path: Path): string => path.map(({ id }) => id).join('.')

/** A key that equal plans share. */
export const planKey = (plan: Plan): string =>
  plan.map(({ path, units }) => `${pathKey(path)}:${units}`).join(' ')

/** The path of a plan with the fewest units among those that share a book with one of them, itself included. */
export function smallestBeside(plan: Plan, refused: Path): Path {
  const books = new Set(refused.map(({ book }) => book))
  return plan
    .filter(({ path }) => path.some(({ book }) => books.has(book)))
    .reduce((a, b) => (b.units < a.units ? b : a)).path
}

/** The path with the most units. */
export const largestOf = (plan: Plan): Path =>
  plan.reduce((a, b) => (b.units > a.units ? b : a)).path

/** Whether two legs use the same maker, which requotes after the first: ignored by floats. */
export function meetsMakersAgain(plan: Plan): boolean {
  const books = plan.flatMap(({ path }) => path.map(({ book }) => book))
  return books.some((book, i) => book.state.makers.length > 0 && books.indexOf(book) < i)
}
