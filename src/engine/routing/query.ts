import type { Affiliate, Market } from '../market/market.js'
import type { Denom } from '../market/token.js'
import type { Edge, Graph } from './graph.js'
import { type EdgeFilter, outputBound } from './output-bound.js'
import type { OutputBound } from './side-bound.js'
import { type WorkBudget, workBudget } from './work-budget.js'

/** Which paths a search may offer, in the market's own names. */
export type Limits = {
  /** Hops of a path, 1 to 6. */
  readonly maxHops: number
  /** Denoms and pair addresses that every path must use. */
  readonly via: readonly string[]
  /** Denoms and pair addresses that no path may use. */
  readonly exclude: readonly string[]
  readonly affiliate: Affiliate | undefined
}

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

/** The `OutputBound` towards the target of a query, within its limits. */
export const boundOf = ({ graph, to, limits, isAllowed }: PathQuery): OutputBound =>
  outputBound(graph, to, limits.maxHops, limits.exclude.length ? isAllowed : undefined)

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
  const banned = new Set(limits.exclude)
  const allowed = (edge: Edge) =>
    banned.size === 0 ||
    !(
      banned.has(edge.book.state.pair.address) ||
      banned.has(graph.denoms[edge.from]!) ||
      banned.has(graph.denoms[edge.to]!)
    )
  return {
    graph,
    from: graph.indexOf.get(from)!,
    to: graph.indexOf.get(to)!,
    limits,
    isAllowed: allowed,
    isComplete: (path) => limits.via.every((name) => uses(graph, path, name)),
    budget,
  }
}

const uses = (graph: Graph, path: readonly Edge[], name: string): boolean =>
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
