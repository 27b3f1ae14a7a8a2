import { isSpent } from '../routing/query.js'
import {
  type Candidate,
  DEFAULT_LEGS,
  freeCandidate,
  gridCandidates,
  mayAskForItsGas,
  paretoFront,
  withinGasLimit,
} from './candidates.js'
import { isFailed, type LegAmount, type LegExecution, type LegExecutor } from './execute-legs.js'
import { executedNear, legAmountsWithoutGrid } from './execute-near.js'
import type { Leg } from './flow-legs.js'
import { afterMerge, merges } from './local-search/fewer-legs.js'
import { newBookState, type Path, type Plan, planOutput } from './plan.js'
import type { ResidualNetwork } from './residual-network.js'
import { FAR, fineGridPlan, type SearchContext } from './search.js'

/**
 * Units of the grid used where shares may have any size. The loss is of second order: 2^11 gives
 * the same splits.
 */
const FINE = 1 << 14

/** Legs of a split searched without a limit on legs. 10 gives the same splits. */
const MOST_LEGS = 20

/**
 * Free splits, which have shares of any size, followed by the grid splits of one percent. The first is the free
 * split without the legs that add next to nothing. Where its transaction needs more gas than one may
 * have, the second has at most as many legs as the best grid split that does not.
 */
export function gridlessCandidates(
  context: SearchContext,
  run: LegExecutor,
  mostLegs: number | undefined,
): readonly Candidate[] {
  const { market } = context.query.graph
  const coarse = gridCandidates(context, run, 1, mostLegs ?? DEFAULT_LEGS)
  const split = freeSplit(context, run, mostLegs)
  const least = paretoFront(coarse)[0]?.execution.net ?? 0n
  const free = split && withoutMarginalLegs(context.network, run, split, least)
  const isHeavy = free !== undefined && !mayAskForItsGas(market.gas, free)
  const [lighter] = isHeavy ? paretoFront(withinGasLimit(market, coarse)) : []
  const light = lighter && finerSplit(context, run, lighter, lighter.execution.legs.length)
  return [free, light, ...coarse.map(({ execution }) => execution)]
    .filter((execution) => execution !== undefined)
    .map((execution) => freeCandidate(execution, context.amount))
}

/**
 * The continuous optimum as it is executed, with all its legs, where it is within the limits; where it counts loops
 * that no leg can take, the one without loops if that pays more; otherwise the best found on a very fine grid.
 */
export function freeSplit(
  context: SearchContext,
  run: LegExecutor,
  mostLegs: number | undefined,
): LegExecution | undefined {
  const executed = (legs: readonly Leg[]) =>
    legs.length > 0 && legs.length <= (mostLegs ?? legs.length)
      ? executedLegs(context, run, legs)
      : undefined
  const { complete, legs, paid } = context.optimum() ?? { complete: false, legs: [], paid: 0 }
  const executedOptimum = complete ? executed(legs) : undefined
  if (executedOptimum === undefined) {
    const [best] = paretoFront(gridCandidates(context, run, 1, mostLegs ?? DEFAULT_LEGS))
    return finerSplit(context, run, best, mostLegs ?? MOST_LEGS)
  }
  if (Number(executedOptimum.total) >= paid * context.network.feeFactor * (1 - FAR))
    return executedOptimum
  const loopless = executed(context.loopless())
  return loopless && loopless.net > executedOptimum.net ? loopless : executedOptimum
}

/** The best split found near another one on a very fine grid. */
function finerSplit(
  context: SearchContext,
  run: LegExecutor,
  initial: Candidate | undefined,
  mostLegs: number,
): LegExecution | undefined {
  const { amount } = context
  const grid = { count: FINE, unit: Number(amount) / FINE, rest: 0 }
  const start = initial?.fractions.map(({ numerator, denominator }, i) => ({
    path: initial.execution.legAmounts[i]!.path,
    units: Number((numerator * 100n) / denominator),
  }))
  const plan = fineGridPlan(context, grid, start, mostLegs)
  const legs = plan?.map(({ path, units }): Leg => ({ path, amount: units }))
  return legs && executedLegs(context, run, legs)
}

const executedLegs = ({ amount }: SearchContext, run: LegExecutor, legs: readonly Leg[]) =>
  executedNear(run, legAmountsWithoutGrid(legs, amount))

/** Legs that together add less than one part in this many of the output are not worth their gas and risk. */
const WORTHWHILE = 10_000n

/** Relative error of the output of a split computed in floats. */
const OFF = 1e-5

/** Legs in atomics as a plan. */
const IN_ATOMICS = { count: 1, unit: 1, rest: 0 }

/** Legs that are kept while others are merged. 3 give the same splits of 1,200 demo orders. */
const MOST_KEPT = 2

/**
 * The same split without its least legs, as long as they add less than 0.01 % of the output together and it pays
 * `least` atomics. The legs to merge and the end are chosen in floats; what is returned was executed in
 * integers. A leg whose merge an execution refuses is kept, up to `MOST_KEPT` of them.
 */
function withoutMarginalLegs(
  network: ResidualNetwork,
  run: LegExecutor,
  start: LegExecution,
  least: bigint,
): LegExecution {
  const books = newBookState(network)
  const worthwhile = start.net - start.total / WORTHWHILE
  const enough = worthwhile > least ? worthwhile : least
  // Floats are compared with floats: an estimate that is off is off for all of them alike.
  const estimate = (legs: readonly LegAmount[]) => planOutput(books, IN_ATOMICS, planOf(legs))
  const floor = estimate(start.legAmounts) * (Number(enough) / Number(start.total)) * (1 - OFF)
  const kept = new Set<Path>()
  const without = (legs: readonly LegAmount[]): Shorter | undefined => {
    for (const merge of merges(books, IN_ATOMICS, planOf(legs))) {
      const { path } = legs[merge.removed]!
      const next = kept.has(path) ? undefined : afterMerge(legs, merge, joined)
      if (next && estimate(next) >= floor) return { legs: next, removed: path }
    }
    return undefined
  }
  let best = start
  while (kept.size <= MOST_KEPT && !isSpent(run.budget)) {
    const shorter: Shorter[] = []
    for (let next = without(best.legAmounts); next; next = without(next.legs)) shorter.push(next)
    let works = 0
    let fails = shorter.length + 1
    for (let tried = shorter.length; tried > works; tried = (works + fails) >> 1) {
      const outcome = run(shorter[tried - 1]!.legs)
      const isWorse = isFailed(outcome) || outcome.net < enough
      if (isWorse) fails = tried
      else {
        works = tried
        best = outcome
      }
    }
    const refused = shorter[fails - 1]
    if (refused === undefined) break
    kept.add(refused.removed)
  }
  return best
}

/** Legs of which one more was merged with another one, and its path. */
type Shorter = { readonly legs: readonly LegAmount[]; readonly removed: Path }

const planOf = (legs: readonly LegAmount[]): Plan =>
  legs.map(({ path, amount }) => ({ path, units: Number(amount) }))

const joined = (taker: LegAmount, removed: LegAmount): LegAmount => ({
  ...taker,
  amount: taker.amount + removed.amount,
})
