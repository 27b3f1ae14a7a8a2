import type { Book } from '../market/book.js'
import { isRefusal } from '../market/refusal.js'
import { executePath, type RouterState } from '../market/router.js'
import type { Coin } from '../market/token.js'
import { type Edge, type Graph, graphOf } from '../routing/graph.js'
import { outputBound } from '../routing/output-bound.js'
import { isSpent, openLimits, type WorkBudget, withShare, workBudget } from '../routing/query.js'
import { addressesOf, gasCost } from '../routing/rank-paths.js'
import type { Route } from '../routing/route.js'
import { executedRoute } from '../splits/execute-legs.js'
import { type SupplyCurve, supplyCurve } from '../splits/supply-curve.js'
import { estimateSize, exactSize } from './loop-size.js'
import { guardedAgainstLoss } from './scan.js'
import { type LoopSearch, searchLoops } from './search-loops.js'

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

/** Share of what is left of the budget for finding loops; the rest is for executing them. */
const FOUND = 0.3

/**
 * The most profitable sequence of loops found for a capital: repeatedly the loop with the highest profit on
 * the books left by the earlier ones, each at its most profitable size, until none is profitable. The capital
 * limits each execution and is available again afterwards; profits are not reinvested.
 */
export function arbitrageRoute(
  graph: Graph,
  capital: Coin,
  terms: ArbitrageTerms,
  budget = workBudget(),
): ArbitrageRoute {
  const limits = openLimits(terms.maxHops)
  const executions: Route[] = []
  let profit = 0n
  let current = graph
  for (let hasGained = graph.indexOf.has(capital.denom); hasGained; ) {
    hasGained = false
    const search: CandidateSearch = {
      graph: current,
      capital,
      budget,
      candidates: [],
      state: current.market,
    }
    withShare(budget, FOUND, () => findCandidates(search, terms.maxHops))
    while (executions.length < MOST_EXECUTIONS) {
      const next = bestExecution(search, profit / WORTHWHILE)
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
    if (executions.length === MOST_EXECUTIONS || isSpent(budget)) break
    // Fills may make other loops profitable: search again on the current books.
    if (hasGained) current = graphOf({ ...graph.market, ...search.state })
  }
  return { steps: stepsOf(executions), output: capital.amount + profit, profit }
}

/** A candidate loop with the float estimate of its most profitable size. */
type LoopCandidate = {
  readonly edges: readonly Edge[]
  profit: number
  amount: number
  /** Whether sides that it uses were filled since the estimate, which then is too high. */
  isStale: boolean
  /** Whether it is refused, or profitable in floats only, on the books as they are. */
  isRefused: boolean
}

type CandidateSearch = {
  readonly graph: Graph
  readonly capital: Coin
  readonly budget: WorkBudget
  readonly candidates: LoopCandidate[]
  state: RouterState
}

/** Units of work of an edge that is considered. */
const EDGE = 0.4

/**
 * Adds every loop of at most `maxHops` hops whose best prices return more than the input after all
 * fees. No other loop is profitable at any size, except by rounding of drained levels and by the router's own
 * balances.
 */
function findCandidates(search: CandidateSearch, maxHops: number): void {
  const { graph, capital, budget, candidates } = search
  const start = graph.indexOf.get(capital.denom)!
  const bounds = outputBound(graph, start, maxHops, undefined)
  const need = 1 / Math.max(1e-12, 1 - Number(graph.market.router.feeBps) / 10_000)
  const loops: LoopSearch<number> = {
    start,
    empty: 1,
    extend(product, { to, bound: { rate } }, hopsLeft) {
      budget.spent += EDGE
      const value = product * rate
      const bound = value * bounds.rate[hopsLeft - 1]![to]!
      return bound > need ? { value, bound } : undefined
    },
    close(_, edges) {
      const candidate = { edges, profit: 0, amount: 0, isStale: false, isRefused: false }
      estimateProfit(search, candidate)
      candidates.push(candidate)
    },
  }
  searchLoops(graph, [loops], maxHops, budget)
  candidates.sort((a, b) => b.profit - a.profit || (addressesOf(a) < addressesOf(b) ? -1 : 1))
}

const bookNow = ({ state }: CandidateSearch, { book }: Edge): Book =>
  state.books.get(book.state.pair.address)!

/** Units of work of an estimate, besides its levels. */
const ESTIMATE = 5

/** Computes a loop's profit on the current books. */
function estimateProfit(search: CandidateSearch, loop: LoopCandidate): void {
  const { budget, capital, state } = search
  budget.spent += ESTIMATE
  const curves: SupplyCurve[] = []
  for (const edge of loop.edges) {
    const curve = supplyCurve(bookNow(search, edge), edge.side)
    if (curve !== undefined) curves.push(curve)
  }
  const feeFactor = 1 - Number(state.router.feeBps) / 10_000
  const size =
    curves.length === loop.edges.length
      ? estimateSize(curves, feeFactor, Number(capital.amount), budget)
      : { amount: 0, profit: 0 }
  loop.amount = size.amount
  loop.profit = size.profit
  loop.isStale = false
  loop.isRefused = false
}

/** Executes the most profitable loop, if its profit less gas is above `least` and the budget allows it. */
function bestExecution(search: CandidateSearch, least: bigint) {
  for (;;) {
    const best = mostProfitable(search)
    if (best === undefined || best.profit < Math.max(Number(least), 1)) return undefined
    if (isSpent(search.budget)) return undefined
    const executed = execute(search, best, least)
    if (executed !== undefined) return executed
    best.isRefused = true
  }
}

/** Units of work of each candidate when the best one is chosen. */
const COMPARED = 0.1

/** The candidate with the highest estimate on the current books; a stale estimate is renewed if it could be that. */
function mostProfitable(search: CandidateSearch): LoopCandidate | undefined {
  const { candidates, budget } = search
  budget.spent += candidates.length * COMPARED
  let best: LoopCandidate | undefined
  for (const loop of candidates) {
    if (loop.isRefused || loop.profit <= (best?.profit ?? 0)) continue
    if (loop.isStale) estimateProfit(search, loop)
    if (loop.profit > (best?.profit ?? 0)) best = loop
  }
  return best
}

/** Units of work of each hop of an execution. */
const EXECUTION = 20

function execute(search: CandidateSearch, loop: LoopCandidate, least: bigint) {
  const { budget, capital, state: before } = search
  const { denom } = capital
  const books = loop.edges.map((edge) => bookNow(search, edge))
  const estimate = BigInt(Math.round(loop.amount))
  const sized = { router: before.router, books, denom }
  const exact = exactSize(sized, estimate, capital.amount, budget)
  if (exact === undefined) return undefined
  const { amount } = exact
  const addresses = books.map((book) => book.state.pair.address)
  const minReturn = { denom, amount }
  budget.spent += books.length * EXECUTION
  const execution = executePath(before, addresses, { denom, amount }, { minReturn })
  if (isRefusal(execution) || execution.hops.some((hop) => hop.unsold > 0n)) return undefined
  const hops = books.map((book, i) => ({ book, fill: execution.hops[i]! }))
  if (execution.recipient - amount - gasCost(search.graph, denom, hops) <= least) return undefined
  search.state = execution.after
  const untouched = loop.edges.map(({ book }) => book)
  noteFills(search, loop)
  return { amount, before, execution, books: untouched }
}

/** Notes which estimates the execution of a loop has made too high, and renews those that it may have raised. */
function noteFills(search: CandidateSearch, executed: LoopCandidate): void {
  const { candidates, budget } = search
  budget.spent += candidates.length * COMPARED
  const filled = new Map(executed.edges.map(({ book, side }) => [book, side]))
  for (const loop of candidates) {
    const touched = loop.edges.filter(({ book }) => filled.has(book))
    if (touched.length === 0) continue
    loop.isStale = true
    loop.isRefused = false
    // The other side of a book may have become better: its maker takes back what it sold.
    if (touched.some(({ book, side }) => filled.get(book) !== side)) estimateProfit(search, loop)
  }
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
