import type { Book } from '../market/book.js'
import { isRefusal } from '../market/refusal.js'
import { executePath, type RouterState } from '../market/router.js'
import type { Coin, Denom } from '../market/token.js'
import { type Edge, type Graph, graphOf } from '../routing/graph.js'
import { outputBound } from '../routing/output-bound.js'
import { openLimits } from '../routing/query.js'
import { gasCost } from '../routing/rank-paths.js'
import type { Route } from '../routing/route.js'
import { executedRoute } from '../splits/execute-legs.js'
import { type SupplyCurve, supplyCurve } from '../splits/supply-curve.js'
import { estimateSize, exactSize } from './loop-size.js'
import { guardedAgainstLoss } from './scan.js'

/** One loop, executed one or more times in a row. Sums are over its executions. */
export type ArbitrageStep = {
  readonly id: string
  readonly denoms: Route['denoms']
  readonly count: number
  readonly input: bigint
  readonly output: bigint
  /** Each on the books that the previous ones left; `minReturn` is at least the input. */
  readonly executions: readonly Route[]
}

/** The profitable arbitrage loops of a capital, in order of execution. */
export type ArbitrageRoute = {
  readonly capital: Coin
  readonly steps: readonly ArbitrageStep[]
  /** Capital and profit; the capital alone without a profitable loop. */
  readonly output: bigint
  readonly profit: bigint
}

export type ArbitrageTerms = { readonly maxHops: number; readonly slippageBps: number }

/** Maximum number of executions. */
const MOST_EXECUTIONS = 64

/** An execution that earns less than one part in this many of the profit so far, after gas, is not worth it. */
const WORTHWHILE = 10_000n

/**
 * The most profitable sequence of loops found for a capital: repeatedly the loop with the highest profit on
 * the books left by the earlier ones, each at its most profitable size, until none is profitable. The capital
 * limits each execution and is available again afterwards; profits are not reinvested.
 */
export function arbitrageRoute(graph: Graph, capital: Coin, terms: ArbitrageTerms): ArbitrageRoute {
  const limits = openLimits(terms.maxHops)
  const executions: Route[] = []
  let profit = 0n
  let current = graph
  for (let hasGained = true; hasGained && graph.indexOf.has(capital.denom); ) {
    hasGained = false
    const search = loopSearch(current, capital, terms.maxHops)
    for (;;) {
      const least = profit / WORTHWHILE
      const next =
        executions.length < MOST_EXECUTIONS ? bestExecution(search, capital, least) : undefined
      if (next === undefined) break
      const { amount, before, execution, books } = next
      const message = {
        router: before.router,
        fills: execution.hops,
        isFirst: executions.length === 0,
      }
      const input = { denom: capital.denom, amount }
      const route = executedRoute({ graph, limits }, books, input, message, terms.slippageBps)
      executions.push(guardedAgainstLoss(route))
      profit += execution.recipient - amount
      hasGained = true
    }
    // Fills may make other loops profitable: search again on the current books.
    if (hasGained) current = graphOf({ ...graph.market, ...search.state })
  }
  return { capital, steps: stepsOf(executions), output: capital.amount + profit, profit }
}

/** A candidate loop with the float estimate of its profit on the current books. */
type LoopCandidate = { readonly edges: readonly Edge[]; profit: number; amount: number }

type LoopSearch = {
  readonly graph: Graph
  readonly candidates: LoopCandidate[]
  state: RouterState
}

function loopSearch(graph: Graph, capital: Coin, maxHops: number): LoopSearch {
  const search: LoopSearch = { graph, candidates: [], state: graph.market }
  for (const edges of profitableLoops(graph, capital.denom, maxHops)) {
    const loop: LoopCandidate = { edges, profit: 0, amount: 0 }
    estimateProfit(search, loop, capital)
    search.candidates.push(loop)
  }
  return search
}

const bookNow = ({ state }: LoopSearch, { book }: Edge): Book =>
  state.books.get(book.state.pair.address)!

/** Computes a loop's profit on the current books. */
function estimateProfit(search: LoopSearch, loop: LoopCandidate, capital: Coin): void {
  const curves: SupplyCurve[] = []
  for (const edge of loop.edges) {
    const curve = supplyCurve(bookNow(search, edge), edge.side)
    if (curve !== undefined) curves.push(curve)
  }
  const feeFactor = 1 - Number(search.state.router.feeBps) / 10_000
  const size =
    curves.length === loop.edges.length
      ? estimateSize(curves, feeFactor, Number(capital.amount))
      : { amount: 0, profit: 0 }
  Object.assign(loop, size)
}

/** Executes the most profitable loop, if its profit less gas is above `least`. */
function bestExecution(search: LoopSearch, capital: Coin, least: bigint) {
  for (;;) {
    const best = search.candidates.reduce<LoopCandidate | undefined>(
      (a, b) => (b.profit > (a?.profit ?? 0) ? b : a),
      undefined,
    )
    if (best === undefined || best.profit < Math.max(Number(least), 1)) return undefined
    const executed = execute(search, best, capital, least)
    if (executed !== undefined) return executed
    // Refused, or profitable in floats only: skipped until one of its books changes.
    best.profit = 0
  }
}

function execute(search: LoopSearch, loop: LoopCandidate, capital: Coin, least: bigint) {
  const stateBefore = search.state
  const { denom } = capital
  const books = loop.edges.map((edge) => bookNow(search, edge))
  const estimate = BigInt(Math.round(loop.amount))
  const exact = exactSize({ router: stateBefore.router, books, denom }, estimate, capital.amount)
  if (exact === undefined) return undefined
  const { amount } = exact
  const addresses = books.map((book) => book.state.pair.address)
  const minReturn = { denom, amount }
  const execution = executePath(stateBefore, addresses, { denom, amount }, { minReturn })
  if (isRefusal(execution) || execution.hops.some((hop) => hop.unsold > 0n)) return undefined
  const hops = books.map((book, i) => ({ book, fill: execution.hops[i]! }))
  if (execution.recipient - amount - gasCost(search.graph, denom, hops) <= least) return undefined
  search.state = execution.after
  const traded = new Set(addresses)
  for (const candidate of search.candidates)
    if (candidate.edges.some(({ book }) => traded.has(book.state.pair.address)))
      estimateProfit(search, candidate, capital)
  const untouched = loop.edges.map(({ book }) => book)
  return { amount, before: stateBefore, execution, books: untouched }
}

/** Merges consecutive executions of one loop into a step. */
function stepsOf(executions: readonly Route[]): readonly ArbitrageStep[] {
  const steps: Route[][] = []
  for (const route of executions) {
    const last = steps.at(-1)
    if (last?.[0]?.id === route.id) last.push(route)
    else steps.push([route])
  }
  return steps.map((routes) => ({
    id: routes[0]!.id,
    denoms: routes[0]!.denoms,
    count: routes.length,
    input: routes.reduce((sum, { input }) => sum + input.amount, 0n),
    output: routes.reduce((sum, { expected }) => sum + expected, 0n),
    executions: routes,
  }))
}

/**
 * Every loop of at most `maxHops` hops from a denom whose best prices return more than the input after all
 * fees. No other loop is profitable at any size, except by rounding of drained levels and by the router's own
 * balances.
 */
function profitableLoops(
  graph: Graph,
  denom: Denom,
  maxHops: number,
): readonly (readonly Edge[])[] {
  const start = graph.indexOf.get(denom)
  if (start === undefined) return []
  const bounds = outputBound(graph, start, maxHops, undefined)
  const need = 1 / Math.max(1e-12, 1 - Number(graph.market.router.feeBps) / 10_000)
  const visited = new Uint8Array(graph.denoms.length)
  const trail: Edge[] = []
  const loops: (readonly Edge[])[] = []
  const visit = (at: number, product: number, hopsLeft: number): void => {
    for (const edge of graph.leaving[at]!) {
      if (visited[edge.to] === 1) continue
      const next = product * edge.bound.rate
      if (next * bounds.rate[hopsLeft - 1]![edge.to]! <= need) continue
      if (trail.some(({ book }) => book === edge.book)) continue
      trail.push(edge)
      if (edge.to === start) loops.push([...trail])
      else {
        visited[edge.to] = 1
        visit(edge.to, next, hopsLeft - 1)
        visited[edge.to] = 0
      }
      trail.pop()
    }
  }
  visit(start, 1, maxHops)
  return loops
}
