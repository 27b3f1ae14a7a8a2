import { isSpent } from '../routing/query.js'
import { better, type ExecutedPlan, executePlan } from './divide.js'
import type { LegExecution, LegExecutor } from './execute-legs.js'
import { type Path, type Plan, type PlanEntry, planKey, withSwap } from './plan.js'

/**
 * Below this many atomics anywhere on a path, rounding down costs more than half a basis point. 1
 * loses up to 2,900 bps on markets of a few atomics and halves the time there.
 */
const DUST = 20_000n

/** Most splits that are enumerated. Without enumeration generated markets lose up to 660 bps. */
const MOST_IN_ALL = 1000
/** Most splits executed in a local search. Without it generated markets lose up to 1,600 bps. */
const MOST_RUNS = 120

/**
 * Whether some hop of an execution moves so little that rounding decides, which float estimates do
 * not include.
 */
export const hasSmallAmounts = ({ legs }: LegExecution): boolean =>
  legs.some(
    ({ amount, hops }) =>
      amount < DUST || hops.some(({ fill: { sold, bought } }) => sold < DUST || bought < DUST),
  )

/** The inputs of a search among atomics. */
export type SmallAmountTerms = {
  readonly paths: readonly Path[]
  readonly input: bigint
  readonly stepPercent: number
  readonly mostLegs: number
}

/**
 * The split that executes to the most. Where at most `MOST_IN_ALL` splits over these paths
 * exist, all are executed in every order; otherwise a local search moves shares, starting from
 * `starts` and from each path alone.
 */
export function searchAtomics(
  run: LegExecutor,
  terms: SmallAmountTerms,
  starts: readonly Plan[],
): ExecutedPlan | undefined {
  const units = Math.floor(100 / terms.stepPercent)
  if (countSplits(terms.paths.length, units, terms.mostLegs) <= MOST_IN_ALL)
    return best(run, terms, every(terms, [], units))
  const alone = terms.paths.map((path): Plan => [{ path, units }])
  return localSearch(run, terms, [...starts, ...alone])
}

/** How many splits there are of so many units over at most `legs` of the paths, in every order. */
function countSplits(paths: number, units: number, legs: number): number {
  let sum = 0
  let chosen = 1
  let cuts = 1
  for (let count = 1; count <= legs; count += 1) {
    chosen *= paths - count + 1
    if (count > 1) cuts = (cuts * (units - count + 1)) / (count - 1)
    sum += chosen * cuts
  }
  return sum
}

function* every(terms: SmallAmountTerms, plan: Plan, left: number): Generator<Plan> {
  for (const path of terms.paths) {
    if (plan.some((entry) => entry.path === path)) continue
    yield [...plan, { path, units: left }]
    if (plan.length + 1 < terms.mostLegs)
      for (let units = 1; units < left; units += 1)
        yield* every(terms, [...plan, { path, units }], left - units)
  }
}

function best(
  run: LegExecutor,
  terms: SmallAmountTerms,
  plans: Iterable<Plan>,
): ExecutedPlan | undefined {
  let bestPlan: ExecutedPlan | undefined
  for (const plan of plans) {
    if (isSpent(run.budget)) break
    bestPlan = better(bestPlan, executePlan(run, plan, terms.input, terms.stepPercent))
  }
  return bestPlan
}

/** The starts, the best first, each improved by moves for as long as a move pays and the runs last. */
function localSearch(
  run: LegExecutor,
  terms: SmallAmountTerms,
  starts: readonly Plan[],
): ExecutedPlan | undefined {
  const triedKeys = new Set<string>()
  const executeOnce = (plan: Plan): ExecutedPlan | undefined => {
    const key = planKey(plan)
    if (triedKeys.has(key) || triedKeys.size >= MOST_RUNS || isSpent(run.budget)) return undefined
    triedKeys.add(key)
    return executePlan(run, plan, terms.input, terms.stepPercent)
  }
  const ranked = starts
    .flatMap((plan) => executeOnce(plan) ?? [])
    .sort((a, b) => (a.execution.net > b.execution.net ? -1 : 1))
  return ranked.reduce<ExecutedPlan | undefined>(
    (best, start) => better(best, localOptimum(start, terms, executeOnce)),
    undefined,
  )
}

/** Where moving from a plan to a better one beside it ends. */
function localOptimum(
  start: ExecutedPlan,
  terms: SmallAmountTerms,
  executeOnce: (plan: Plan) => ExecutedPlan | undefined,
): ExecutedPlan {
  let optimum = start
  for (let risen = true; risen; ) {
    risen = false
    for (const plan of moves(terms, optimum.plan)) {
      const executed = executeOnce(plan)
      if (executed === undefined || executed.execution.net <= optimum.execution.net) continue
      optimum = executed
      risen = true
      break
    }
  }
  return optimum
}

/** Neighbours swapped, and parts of a leg given to another one or to a path that is not used yet. */
function* moves({ paths, mostLegs }: SmallAmountTerms, plan: Plan): Generator<Plan> {
  for (let i = plan.length - 1; i > 0; i -= 1) yield withSwap(plan, i)
  for (const [i, from] of plan.entries())
    for (const size of sizesOf(from.units)) {
      const rest: readonly PlanEntry[] = plan
        .map((entry, k) => (k === i ? { ...entry, units: entry.units - size } : entry))
        .filter(({ units }) => units > 0)
      for (const path of paths) {
        if (path === from.path) continue
        const at = rest.findIndex((entry) => entry.path === path)
        if (at >= 0) yield rest.with(at, { path, units: rest[at]!.units + size })
        else if (rest.length < mostLegs) {
          yield [...rest, { path, units: size }]
          yield [{ path, units: size }, ...rest]
        }
      }
    }
}

/** One unit, two, four ... and all. */
function sizesOf(units: number): readonly number[] {
  const sizes: number[] = []
  for (let size = 1; size < units; size *= 2) sizes.push(size)
  return [...sizes, units]
}
