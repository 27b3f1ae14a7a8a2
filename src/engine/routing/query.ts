import type { Affiliate, Market } from '../market/market.js'
import type { Denom } from '../market/token.js'
import type { Edge, Graph, OutputBound } from './graph.js'
import { type EdgeFilter, outputBound } from './output-bound.js'

/** Limits of a search, by denoms and addresses. */
export type Limits = {
  /** Hops of a path, 1 to 6. */
  readonly maxHops: number
  /** Denoms and pair addresses that every path must use. */
  readonly via: readonly string[]
  /** Denoms and pair addresses that no path may use. */
  readonly exclude: readonly string[]
  readonly affiliate: Affiliate | undefined
}

/** Limits that allow every path of at most so many hops. */
export const openLimits = (maxHops: number, affiliate?: Affiliate | undefined): Limits => ({
  maxHops,
  via: [],
  exclude: [],
  affiliate,
})

/** One search: from a denom to another within limits, with the names resolved to the graph's. */
export type PathQuery = {
  readonly graph: Graph
  readonly from: number
  readonly to: number
  readonly limits: Limits
  readonly isAllowed: EdgeFilter
  /** Whether a complete path uses everything that it must. */
  readonly isComplete: (path: readonly Edge[]) => boolean
  /** Shared by all searches of the query. */
  readonly budget: WorkBudget
}

/** The share of a gross output that the router's fees leave the recipient, about. */
export const keptShare = ({ graph, limits }: Pick<PathQuery, 'graph' | 'limits'>): number => {
  const fees = graph.market.router.feeBps + (limits.affiliate?.affiliateFeeBps ?? 0n)
  return Math.max(0, 1 - Number(fees) / 10_000)
}

/** The `OutputBound` towards the target of a query, within its limits. */
export const boundOf = ({ graph, to, limits, isAllowed }: PathQuery): OutputBound =>
  outputBound(graph, to, limits.maxHops, limits.exclude.length ? isAllowed : undefined)

/**
 * Whether a path may continue from a denom with so many hops left: to one that is not `visited`, over a
 * book that takes `least` of the denom. Always true at the target.
 */
export function leadsOn(
  { graph, to, isAllowed }: PathQuery,
  { bounds, visited }: { readonly bounds: OutputBound; readonly visited: Uint8Array },
  at: number,
  hopsLeft: number,
  least = 0,
): boolean {
  if (at === to) return true
  const onward = bounds.rate[hopsLeft - 1]
  return (
    onward !== undefined &&
    graph.leaving[at]!.some(
      (next) =>
        visited[next.to] === 0 && onward[next.to]! > 0 && next.capacity >= least && isAllowed(next),
    )
  )
}

/**
 * Resolves a search. The denoms must be in the graph; names in `limits` that are not match nothing.
 *
 * @param budget work of all searches of the query together; unlimited where it is left out
 */
export function queryOf(
  graph: Graph,
  from: Denom,
  to: Denom,
  limits: Limits,
  budget = workBudget(),
): PathQuery {
  const excluded = new Set(limits.exclude)
  const isAllowed = (edge: Edge) =>
    excluded.size === 0 ||
    !(
      excluded.has(edge.book.state.pair.address) ||
      excluded.has(graph.denoms[edge.from]!) ||
      excluded.has(graph.denoms[edge.to]!)
    )
  return {
    graph,
    from: graph.indexOf.get(from)!,
    to: graph.indexOf.get(to)!,
    limits,
    isAllowed,
    isComplete: (path) => limits.via.every((name) => mentions(graph, path, name)),
    budget,
  }
}

const mentions = (graph: Graph, path: readonly Edge[], name: string): boolean =>
  path.some(
    (edge) =>
      edge.book.state.pair.address === name ||
      graph.denoms[edge.from] === name ||
      graph.denoms[edge.to] === name,
  )

/** Whether a name is a denom or a pair of the market, excluded pairs included. */
export const isKnown = (market: Market, name: string): boolean =>
  market.tokens.has(name) ||
  market.books.has(name) ||
  market.excluded.some((pair) => pair.address === name)

/**
 * The work that the searches of one request may do, counted in steps and never in time: the same request
 * ends at the same place on every machine. A unit is about a microsecond. Mutated by the searches.
 */
export type WorkBudget = {
  spent: number
  /** Units at which the part of the search that runs now has to end. */
  limit: number
  /** Whether some part ended early for this reason. */
  isCut: boolean
}

/** A budget of so many units; unlimited where none are given. */
export const workBudget = (units = Number.POSITIVE_INFINITY): WorkBudget => ({
  spent: 0,
  limit: units,
  isCut: false,
})

/** Whether the search must end with what it has found. */
export function isSpent(budget: WorkBudget): boolean {
  if (budget.spent < budget.limit) return false
  budget.isCut = true
  return true
}

/** Runs a part of a search that may use this share of what is left of the budget. */
export const withShare = <T>(budget: WorkBudget, share: number, search: () => T): T =>
  withUnits(budget, Math.max(0, budget.limit - budget.spent) * share, search)

/** Runs a part of a search that may use so many units of the budget. */
export function withUnits<T>(budget: WorkBudget, units: number, search: () => T): T {
  const { limit, spent } = budget
  budget.limit = Math.min(limit, spent + units)
  try {
    return search()
  } finally {
    budget.limit = limit
  }
}
