import { isRefusal } from '../market/refusal.js'
import type { Coin } from '../market/token.js'
import { routeAlong } from '../routing/find-routes.js'
import { isSpent, type PathQuery, withShare } from '../routing/query.js'
import type { Route } from '../routing/route.js'
import {
  type Candidate,
  DEFAULT_LEGS,
  gridCandidates,
  hasGridSplit,
  paretoFront,
  withinGasLimit,
} from './candidates.js'
import { type LegExecutor, legExecutor } from './execute-legs.js'
import { gridlessCandidates } from './gridless.js'
import { type SearchContext, searchContext } from './search.js'
import { finishSplit, type Split } from './split.js'
import { upperBound } from './upper-bound.js'

/** Constraints of a split. */
export type SplitTerms = {
  readonly slippageBps: number
  /** Percent of the input, 1 to 10: shares are multiples of it. */
  readonly stepPercent: number
  /** The most legs of a split. Where it is left out: 6 for a grid split, no limit for a free split. */
  readonly maxLegs?: number | undefined
  /** False: a free split, with shares of any size; the step is ignored. */
  readonly grid?: boolean
  /** Also return the best with 1, 2, 3 ... legs and with steps of 1, 2, 5 and 10 percent. */
  readonly frontier?: boolean
}

/** Splits with more legs or a finer grid, compared by their outputs less gas. */
export type Frontier = {
  /** Never falls with more legs. Counts without a split are left out. */
  readonly byLegs: readonly { readonly mostLegs: number; readonly split: Split }[]
  /** A step never gives less than one that it divides. */
  readonly bySteps: readonly { readonly stepPercent: number; readonly split: Split }[]
}

/** The splits of an input, best first, and what they are measured against. */
export type Splits = {
  readonly splits: readonly Split[]
  /** Input atomics that the continuous optimum can place. */
  readonly placed: number
  /** The best path for the whole input; `undefined` if no path takes it all. */
  readonly single: Route | undefined
  /** No split over paths within the limits pays more than this. */
  readonly bound: bigint
  readonly frontier: Frontier | undefined
  /**
   * What the best free split pays, where grid splits were requested and that is more than one part in
   * `WORTH_SAYING` above the first.
   */
  readonly free: bigint | undefined
}

/** A free split is reported where it gains more than one part in this many over the grid split. */
const WORTH_SAYING = 10_000n

const STEPS = [1, 2, 5, 10] as const

/**
 * The best splits found for an input, the highest output less gas first, then the best with fewer legs.
 * Float estimates on the books steer the search; integer executions, leg after leg with the makers'
 * state after each fill, decide. The first is never below the best single path. Empty where no path
 * or split takes the whole input.
 */
export function findSplit(query: PathQuery, input: Coin, terms: SplitTerms): Splits {
  const { budget } = query
  const run = legExecutor(query)
  const mostLegs = terms.maxLegs ?? DEFAULT_LEGS
  const context = withShare(budget, PREPARED, () => searchContext(query, input.amount))
  const candidates = withShare(budget, SEARCHED, () => candidatesOf(context, run, terms))
  const steps = terms.frontier
    ? withShare(budget, SEARCHED, () => gridsOf(context, run, mostLegs))
    : []
  const finer = terms.grid === false ? 1 : terms.stepPercent
  const { market } = query.graph
  const allowed = withinGasLimit(market, [...candidates, ...onGrid(steps, finer)])
  const toSplit = ({ execution, fractions }: Candidate): Split =>
    finishSplit(query, input, execution, terms.slippageBps, fractions)
  const most = Math.max(1, ...allowed.map(({ execution }) => execution.legs.length))
  const estimate = withShare(budget, BOUNDED, () =>
    upperBound(context, input.amount, Math.max(most, mostLegs)),
  )
  const bound = BigInt(Math.floor(Math.min(estimate, 2 ** 128)))
  const best = paretoFront(allowed)
  return {
    splits: best.map(toSplit),
    placed: context.flow.sold,
    single: singleRoute(context, input, terms.slippageBps),
    bound,
    free:
      terms.grid === false
        ? undefined
        : withShare(budget, FREE, () => freeOutput(context, run, best[0], bound)),
    frontier: terms.frontier
      ? {
          byLegs: byLegs(allowed, most).map(([count, one]) => ({
            mostLegs: count,
            split: toSplit(one),
          })),
          bySteps: STEPS.flatMap((stepPercent) =>
            paretoFront(withinGasLimit(market, onGrid(steps, stepPercent)))
              .slice(0, 1)
              .map((one) => ({ stepPercent, split: toSplit(one) })),
          ),
        }
      : undefined,
  }
}

// Shares of the rest of a budget; what each step leaves is there for the next.
/** For the continuous optimum. */
const PREPARED = 0.5
/** For each search of grid splits. */
const SEARCHED = 0.75
/** For the bound. */
const BOUNDED = 0.4
/** For the free split. */
const FREE = 0.9

/** The output of a free split, if worth mentioning; none pays more than `bound`. */
function freeOutput(
  context: SearchContext,
  run: LegExecutor,
  best: Candidate | undefined,
  bound: bigint,
): bigint | undefined {
  if (best === undefined) return undefined
  const { total, net } = best.execution
  const isWorthSaying = (gain: bigint) => gain * WORTH_SAYING > total
  if (!isWorthSaying(bound - total) || isSpent(context.query.budget)) return undefined
  const candidates = gridlessCandidates(context, run, undefined)
  const [free] = paretoFront(withinGasLimit(context.query.graph.market, candidates))
  if (free === undefined || !isWorthSaying(free.execution.net - net)) return undefined
  // It may only need less gas.
  return isWorthSaying(free.execution.total - total) ? free.execution.total : undefined
}

/** The first split of `findSplit` without a frontier and without its bound. */
export function bestSplit(query: PathQuery, input: Coin, terms: SplitTerms): Split | undefined {
  const context = withShare(query.budget, PREPARED, () => searchContext(query, input.amount))
  const candidates = candidatesOf(context, legExecutor(query), terms)
  const [best] = paretoFront(withinGasLimit(query.graph.market, candidates))
  return best && finishSplit(query, input, best.execution, terms.slippageBps, best.fractions)
}

/** Whether a split takes an input, with less work than `bestSplit`, which then finds one; it may miss some. */
export function hasSplit(query: PathQuery, input: Coin, terms: SplitTerms): boolean {
  if (terms.grid === false) return bestSplit(query, input, terms) !== undefined
  const context = withShare(query.budget, PREPARED, () => searchContext(query, input.amount))
  const { stepPercent, maxLegs = DEFAULT_LEGS } = terms
  return hasGridSplit(context, legExecutor(query), stepPercent, maxLegs)
}

const candidatesOf = (
  context: SearchContext,
  run: LegExecutor,
  terms: SplitTerms,
): readonly Candidate[] =>
  terms.grid === false
    ? gridlessCandidates(context, run, terms.maxLegs)
    : gridCandidates(context, run, terms.stepPercent, terms.maxLegs ?? DEFAULT_LEGS)

type GridCandidates = { readonly stepPercent: number; readonly candidates: readonly Candidate[] }

const gridsOf = (
  context: SearchContext,
  run: LegExecutor,
  mostLegs: number,
): readonly GridCandidates[] =>
  STEPS.map((stepPercent, i) => ({
    stepPercent,
    candidates: withShare(context.query.budget, 1 / (STEPS.length - i), () =>
      gridCandidates(context, run, stepPercent, mostLegs),
    ),
  }))

/** The candidates whose shares lie on a grid. */
const onGrid = (steps: readonly GridCandidates[], grid: number): readonly Candidate[] =>
  steps.flatMap(({ stepPercent, candidates }) => (stepPercent % grid === 0 ? candidates : []))

/** The best with at most 1, 2, ... legs. */
function byLegs(candidates: readonly Candidate[], most: number): readonly [number, Candidate][] {
  const best = paretoFront(candidates)
  return Array.from({ length: most }, (_, i) => i + 1).flatMap((count) => {
    const one = best.find(({ execution }) => execution.legs.length <= count)
    return one === undefined ? [] : [[count, one] satisfies [number, Candidate]]
  })
}

function singleRoute(
  { query, single }: SearchContext,
  input: Coin,
  slippageBps: number,
): Route | undefined {
  if (single === undefined) return undefined
  const books = single.edges.map((edge) => edge.book)
  const route = routeAlong(query.graph.market, books, input, { limits: query.limits, slippageBps })
  return isRefusal(route) ? undefined : route
}
