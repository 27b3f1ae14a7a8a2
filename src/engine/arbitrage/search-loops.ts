import type { Edge, Graph } from '../routing/graph.js'
import { isSpent, type WorkBudget } from '../routing/query.js'

/** The beginning of a loop in a search, with what its edges come to. */
type Beginning<T> = Step<T> & { readonly edges: readonly Edge[] }

/** What one more edge comes to, and the most that a loop with this beginning can return. */
type Step<T> = { readonly value: T; readonly bound: number }

/** A search for loops from one denom. */
export type LoopSearch<T> = {
  readonly start: number
  /** The value of no edges. */
  readonly empty: T
  /** The value with one more edge; undefined where no loop with it is wanted. */
  extend(value: T, edge: Edge, hopsLeft: number): Step<T> | undefined
  /** Receives every complete loop. */
  close(value: T, edges: readonly Edge[]): void
}

/** Beginnings of each length that the first round extends; every further round extends twice as many. */
const FIRST_WIDTH = 16

/**
 * Visits the loops of at most `maxHops` hops that repeat no denom and no book, in rounds: each extends the most
 * promising beginnings of every length and from every denom, so that a search that the budget ends has found good
 * loops of all lengths. Without a limit it visits all.
 */
export function searchLoops<T>(
  graph: Graph,
  searches: readonly LoopSearch<T>[],
  maxHops: number,
  budget: WorkBudget,
): void {
  const open = searches.map(({ empty }): Beginning<T>[][] => [
    [{ value: empty, bound: 0, edges: [] }],
  ])
  for (let width = FIRST_WIDTH, isDone = false; !isDone; width *= 2) {
    isDone = true
    for (let length = 0; length < maxHops; length += 1)
      for (const [i, search] of searches.entries()) {
        const longer = (open[i]![length + 1] ??= [])
        const promising = open[i]![length]!.sort((a, b) => a.bound - b.bound).splice(-width)
        for (const beginning of promising.reverse()) {
          if (isSpent(budget)) return
          isDone = false
          longer.push(...extensions(graph, search, beginning, maxHops - length))
        }
      }
  }
}

/** The beginnings with one more edge; loops that the edge closes are given to the search. */
function extensions<T>(
  graph: Graph,
  search: LoopSearch<T>,
  { edges, value }: Beginning<T>,
  hopsLeft: number,
): Beginning<T>[] {
  const longer: Beginning<T>[] = []
  for (const edge of graph.leaving[edges.at(-1)?.to ?? search.start]!) {
    if (edges.some(({ to, book }) => to === edge.to || book === edge.book)) continue
    const step = search.extend(value, edge, hopsLeft)
    if (step === undefined) continue
    const extended = [...edges, edge]
    if (edge.to === search.start) search.close(step.value, extended)
    else longer.push({ value: step.value, bound: step.bound, edges: extended })
  }
  return longer
}
