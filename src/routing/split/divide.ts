import type { Plan, Share } from './plan.js'
import { type Failed, isFailed, type Portion, type Replay, type Replayer } from './replay.js'
import type { Leg } from './ways.js'

/** Divisions that a polish may execute for one plan. */
const MOST_TRIALS = 24

/** Share of an output that makers who quote anew never make up for. */
const HOPELESS = 1e-4

/** The legs of a plan in atomics: each its share rounded down, the last one what is left. */
export function portionsOf(plan: Plan, input: bigint, stepPercent: number): readonly Portion[] {
  const percent = ({ units }: Share) => BigInt(units * stepPercent)
  const amounts = plan.slice(0, -1).map((share) => (input * percent(share)) / 100n)
  const rest = input - amounts.reduce((sum, amount) => sum + amount, 0n)
  return plan
    .map(({ way }, i) => ({ way, amount: amounts[i] ?? rest }))
    .filter(({ amount }) => amount > 0n)
}

/** A plan that was executed. */
export type Executable = { readonly plan: Plan; readonly replay: Replay }

/**
 * The plan, or the neighbour of it that executes to more: one unit moved, two legs swapped. A plan
 * that the chain refuses (an abort window, a maker that would be sent nothing) is left for one that it
 * takes. Floats do not see that makers quote anew after each leg; this does. `worth` is what floats say
 * that a plan pays: those far below are not executed.
 */
export function polish(
  run: Replayer,
  start: Plan,
  input: bigint,
  stepPercent: number,
  worth: (plan: Plan) => number,
): Executable | undefined {
  let best = attempt(run, start, input, stepPercent)
  let trials = 0
  let least = worth(start) * (1 - HOPELESS)
  for (let risen = true; risen; ) {
    risen = false
    for (const plan of neighbours(best?.plan ?? start)) {
      trials += 1
      if (trials > MOST_TRIALS) return best
      if (best !== undefined && worth(plan) < least) continue
      const next = attempt(run, plan, input, stepPercent)
      if (next === undefined || (best !== undefined && next.replay.total <= best.replay.total))
        continue
      best = next
      least = worth(plan) * (1 - HOPELESS)
      risen = true
      break
    }
  }
  return best
}

/** The plan executed as it stands. */
export function attempt(
  run: Replayer,
  plan: Plan,
  input: bigint,
  stepPercent: number,
): Executable | undefined {
  const replay = run(portionsOf(plan, input, stepPercent))
  return isFailed(replay) ? undefined : { plan, replay }
}

/** Legs swapped, then units moved, nearest to the end first: what runs before them is not run again. */
function* neighbours(plan: Plan): Generator<Plan> {
  for (let i = plan.length - 1; i > 0; i -= 1) {
    const next = [...plan]
    ;[next[i - 1], next[i]] = [plan[i]!, plan[i - 1]!]
    yield next
  }
  for (let i = plan.length - 1; i >= 0; i -= 1)
    for (let j = plan.length - 1; j >= 0; j -= 1)
      if (i !== j)
        yield plan.flatMap((share, k): readonly Share[] => {
          const units = share.units + (k === j ? 1 : k === i ? -1 : 0)
          return units > 0 ? [{ way: share.way, units }] : []
        })
}

/** Legs of any size in atomics: each rounded down, the last one what is left. */
export function portionsWithoutGrid(legs: readonly Leg[], input: bigint): readonly Portion[] {
  const total = legs.reduce((sum, { amount }) => sum + amount, 0)
  const amounts = legs
    .slice(0, -1)
    .map(({ amount }) => BigInt(Math.floor((amount / total) * Number(input))))
  const rest = input - amounts.reduce((sum, amount) => sum + amount, 0n)
  return legs
    .map(({ way }, i) => ({ way, amount: amounts[i] ?? rest }))
    .filter(({ amount }) => amount > 0n)
}

/** Times that a leg may be moved off a refusal, each twice as far as the one before. */
const MOST_NUDGES = 48

/**
 * Executes legs of any size. Those of the continuous optimum end where levels end, and there the
 * chain's abort windows lie: a leg that is refused takes a little more, or a little less, and its
 * neighbour the difference.
 */
export function nudged(run: Replayer, start: readonly Portion[]): Replay | undefined {
  let portions = start
  for (let tries = 0; tries < 2 * start.length + 2; tries += 1) {
    const outcome = run(portions)
    if (!isFailed(outcome)) return outcome
    if (portions.length < 2) return undefined
    const better = movedOff(run, portions, outcome)
    if (better === undefined) return undefined
    portions = better
  }
  return undefined
}

/** The same legs with another size of the one that failed, which gets further than that. */
function movedOff(
  run: Replayer,
  portions: readonly Portion[],
  { failedAt }: Failed,
): readonly Portion[] | undefined {
  const other = failedAt === portions.length - 1 ? failedAt - 1 : portions.length - 1
  for (let i = 0; i < MOST_NUDGES; i += 1) {
    const size = 1n << BigInt(i >> 1)
    const change = i % 2 === 0 ? size : -size
    const next = portions.map(({ way, amount }, k) => ({
      way,
      amount: amount + (k === failedAt ? change : k === other ? -change : 0n),
    }))
    if (next.some(({ amount }) => amount <= 0n)) continue
    const outcome = run(next)
    if (!isFailed(outcome) || outcome.failedAt > failedAt) return next
  }
  return undefined
}
