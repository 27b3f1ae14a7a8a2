import { isWithinGasLimit, messageGas, transactionGas } from '../market/gas.js'
import type { Market } from '../market/market.js'
import { type Rational, rational } from '../math/rational.js'
import { isSpent, type WorkBudget } from '../routing/query.js'
import { bestPaths } from './best-paths.js'
import {
  better,
  type ExecutedPlan,
  isMisestimated,
  legAmountsOf,
  refine,
  sharesInAtomics,
} from './divide.js'
import { isFailed, type LegExecution, type LegExecutor } from './execute-legs.js'
import {
  type Grid,
  gridOf,
  largestOf,
  meetsMakersAgain,
  newBookState,
  type Path,
  type Plan,
  planKey,
  planOutput,
  smallestBeside,
} from './plan.js'
import { distinct, plansByLegs, type SearchContext, singlePlan } from './search.js'
import { hasSmallAmounts, searchAtomics } from './small-amounts.js'

/** A split that was executed, and the legs' shares of the input. */
export type Candidate = {
  readonly execution: LegExecution
  readonly fractions: readonly Rational[]
}

/**
 * Grid splits: the best plan found for each number of legs, and the single path, all
 * executed. The one that pays most is refined where its estimate is off; a plan that an execution
 * refuses is replaced by a neighbour. `stepPercent` is the unit in percent of the input, `mostLegs`
 * the limit on legs. In no particular order.
 */
export function gridCandidates(
  context: SearchContext,
  run: LegExecutor,
  stepPercent: number,
  mostLegs: number,
): readonly Candidate[] {
  const byGrid = grids.get(context) ?? new Map<string, readonly Candidate[]>()
  grids.set(context, byGrid)
  const key = `${stepPercent} ${mostLegs}`
  const candidates = byGrid.get(key) ?? searchGrid(context, run, stepPercent, mostLegs)
  byGrid.set(key, candidates)
  return candidates
}

/**
 * Whether a grid split takes the input: the plan with the most legs, or a neighbour of it where an execution
 * refuses it. `gridCandidates` has one as well then; where this finds none it may still have one.
 */
export function hasGridSplit(
  context: SearchContext,
  run: LegExecutor,
  stepPercent: number,
  mostLegs: number,
): boolean {
  const grid = gridOf(Number(context.amount), stepPercent)
  const [best] = plansByLegs(context, grid, mostLegs)
  if (best === undefined || best.value <= 0) return false
  return refine(run, best.plan, context.amount, stepPercent, worthOn(context, grid)) !== undefined
}

/** The float estimate of plans on a grid, in output atomics. */
function worthOn({ network }: SearchContext, grid: Grid): (plan: Plan) => number {
  const books = newBookState(network)
  return (plan) => planOutput(books, grid, plan) * network.feeFactor
}

/** A frontier and a free split search the same grids again. */
const grids = new WeakMap<SearchContext, Map<string, readonly Candidate[]>>()

function searchGrid(
  context: SearchContext,
  run: LegExecutor,
  stepPercent: number,
  mostLegs: number,
): readonly Candidate[] {
  const { amount } = context
  const { budget } = context.query
  const grid = gridOf(Number(amount), stepPercent)
  const single = singlePlan(context, grid)
  const worth = worthOn(context, grid)
  const executedPlans: ExecutedPlan[] = []
  const excludedPaths: Path[] = []
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const plans = [...plansByLegs(context, grid, mostLegs, excludedPaths)]
      .map(({ plan }) => plan)
      .reverse()
    const byKey = new Map(
      [...plans, ...(single && round === 0 ? [single] : [])].map((plan) => [planKey(plan), plan]),
    )
    let refused: Path | undefined
    let short: Path | undefined
    for (const plan of inOrder([...byKey.values()], single, budget)) {
      if (executedPlans.length > 1 && isSpent(budget)) break
      const outcome = run(legAmountsOf(plan, amount, stepPercent))
      if (!isFailed(outcome)) {
        executedPlans.push({ plan, execution: outcome })
        continue
      }
      const value = worth(plan)
      // A plan that the books cannot take by floats stays refused, however its units are moved.
      if (value > 0) {
        refused ??= smallestBeside(plan, outcome.path)
        const neighbour = refine(run, plan, amount, stepPercent, worth)
        if (neighbour !== undefined) executedPlans.push(neighbour)
      } else if (value > -NEARLY * Number(amount)) short ??= largestOf(plan)
    }
    // A search that ends a little short finds a place for all of it where another path is taken.
    const next = refused ?? (executedPlans.length === 0 ? short : undefined)
    if (next === undefined || isSpent(budget)) break
    excludedPaths.push(next)
  }
  const best = executedPlans.reduce<ExecutedPlan | undefined>(better, undefined)
  const refined =
    best && (meetsMakersAgain(best.plan) || isMisestimated(best, worth))
      ? refine(run, best.plan, amount, stepPercent, worth)
      : undefined
  const atomic = smallAmountPlan(context, run, { stepPercent, mostLegs }, executedPlans)
  return [...executedPlans, refined, atomic]
    .filter((one) => one !== undefined)
    .map(({ plan, execution }) => ({
      execution,
      fractions: sharesOf(sharesInAtomics(plan, amount, stepPercent), stepPercent),
    }))
}

/** The plans as they are executed: with a spent budget the single path first, then the most legs. */
const inOrder = (plans: readonly Plan[], single: Plan | undefined, budget: WorkBudget) =>
  isSpent(budget) ? [...(single ? [single] : []), ...plans.toReversed()] : plans

/**
 * Paths that the search among small amounts may use, beside those of the plans. 3 loses up to 1,600
 * bps on markets of a few atomics; 12 finds one split in 200 that 6 misses at the same cost.
 */
const DUST_PATHS = 6

/** The best plan found by executions alone, for amounts so small that rounding decides; otherwise `undefined`. */
function smallAmountPlan(
  { network, fits, amount }: SearchContext,
  run: LegExecutor,
  { stepPercent, mostLegs }: { readonly stepPercent: number; readonly mostLegs: number },
  executedPlans: readonly ExecutedPlan[],
): ExecutedPlan | undefined {
  if (
    executedPlans.length === 0
      ? !fits
      : !executedPlans.some(({ execution }) => hasSmallAmounts(execution))
  )
    return undefined
  const { unit } = gridOf(Number(amount), stepPercent)
  const plans = executedPlans.map(({ plan }) => plan)
  const paths = distinct([
    ...plans.flat().map(({ path }) => path),
    ...bestPaths(network, unit, DUST_PATHS),
    ...bestPaths(network, Number(amount), DUST_PATHS),
  ])
  return searchAtomics(run, { paths, input: amount, stepPercent, mostLegs }, plans)
}

/**
 * Rounds of a search; each but the first is without the paths that executions have refused. 1 and 2 lose up to
 * 3,800 bps on generated markets, 8 finds nothing more.
 */
const MOST_ROUNDS = 4

/**
 * Where the float estimate misses a place for less than this share of the input, a search without
 * its largest path may find one. 0 changes no answer of the measured set; 1 takes 1.5 times as
 * long.
 */
const NEARLY = 1e-2

/** Shares as percent: multiples of the step, and for the last leg what is left. */
function sharesOf(plan: Plan, stepPercent: number): readonly Rational[] {
  const before = plan.slice(0, -1).map(({ units }) => units * stepPercent)
  const rest = 100 - before.reduce((sum, percent) => sum + percent, 0)
  return [...before, rest].map((percent) => rational(BigInt(percent), 100n))
}

/**
 * Legs of a grid split where no limit is given. The search for a free split starts from the grid splits of the
 * one-percent grid, which a request for that grid has computed already: 5 gives the same splits, 10 a few others
 * within 0.2 bps.
 */
export const DEFAULT_LEGS = 6

/** A split with the shares that its legs happen to have. */
export const freeCandidate = (execution: LegExecution, amount: bigint): Candidate => ({
  execution,
  fractions: execution.legAmounts.map((legAmount) => rational(legAmount.amount, amount)),
})

/**
 * The candidates whose transaction needs no more gas than one may have; where there is none, the one that needs least
 * (docs/chain.md#gas-estimates).
 */
export function withinGasLimit(
  { gas }: Market,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (gas.limit === undefined) return candidates
  const affordable = candidates.filter(({ execution }) => mayAskForItsGas(gas, execution))
  if (affordable.length > 0) return affordable
  return candidates
    .toSorted((a, b) => (gasOf(gas, a.execution) < gasOf(gas, b.execution) ? -1 : 1))
    .slice(0, 1)
}

/** Whether the transaction of a split needs no more gas than one may have. */
export const mayAskForItsGas = (gas: Market['gas'], execution: LegExecution): boolean =>
  isWithinGasLimit(gas, gasOf(gas, execution))

const gasOf = (gas: Market['gas'], { legs }: LegExecution): bigint =>
  transactionGas(
    gas,
    legs.map(({ hops }) => messageGas(gas, hops)),
  )

/** The candidates that no split with at most as many legs beats, as `undominated`; ties by address. */
export const paretoFront = (candidates: readonly Candidate[]): readonly Candidate[] =>
  undominated(
    candidates,
    ({ execution }) => execution,
    ({ execution }) => nameOf(execution),
  )

/**
 * The splits that no other with at most as many legs beats, the highest output less gas first; ties by legs, then
 * by name.
 */
export function undominated<T>(
  splits: readonly T[],
  resultOf: (split: T) => { readonly net: bigint; readonly legs: readonly unknown[] },
  nameOf: (split: T) => string,
): readonly T[] {
  const ranked = splits.toSorted((a, b) => {
    const [x, y] = [resultOf(a), resultOf(b)]
    if (x.net !== y.net) return x.net > y.net ? -1 : 1
    return x.legs.length - y.legs.length || (nameOf(a) < nameOf(b) ? -1 : 1)
  })
  let fewest = Number.POSITIVE_INFINITY
  return ranked.filter((split) => {
    const { length } = resultOf(split).legs
    if (length >= fewest) return false
    fewest = length
    return true
  })
}

const nameOf = ({ legAmounts }: LegExecution): string =>
  legAmounts
    .map(({ path, amount }) => `${path.map((edge) => edge.book.state.pair.address)}:${amount}`)
    .join(' ')
