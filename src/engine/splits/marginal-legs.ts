import { isSpent } from '../routing/work-budget.js'
import { isFailed, type LegAmount, type LegExecution, type LegExecutor } from './execute-legs.js'

/** Legs that add less than this fraction of the output together are not worth their gas and risk. */
const WORTHWHILE = 10_000n

/** The legs that pay least are tried one after the other, each with the legs that pay most. */
const [SMALLEST, LARGEST] = [3, 5]

/**
 * The same division without its least legs, as long as they add less than 0.01 % of the output
 * together: each is merged into one of the largest. Executed in integers.
 */
export function withoutMarginalLegs(run: LegExecutor, start: LegExecution): LegExecution {
  let best = start
  for (let next: LegExecution | undefined = start; next !== undefined; ) {
    best = next
    next = withoutOne(run, best, start.total - start.total / WORTHWHILE)
  }
  return best
}

function withoutOne(
  run: LegExecutor,
  { legAmounts, legs }: LegExecution,
  least: bigint,
): LegExecution | undefined {
  const byOutput = [...legs.keys()].sort((a, b) =>
    legs[a]!.recipient < legs[b]!.recipient ? -1 : 1,
  )
  for (const left of byOutput.slice(0, SMALLEST)) {
    if (isSpent(run.budget)) return undefined
    const merged = byOutput.slice(-LARGEST).flatMap((taker) => {
      if (taker === left) return []
      const outcome = run(merge(legAmounts, left, taker))
      return isFailed(outcome) ? [] : [outcome]
    })
    if (merged.length === 0) continue
    const best = merged.reduce((a, b) => (b.total > a.total ? b : a))
    if (best.total >= least) return best
  }
  return undefined
}

const merge = (legs: readonly LegAmount[], left: number, taker: number): readonly LegAmount[] =>
  legs
    .map((leg, i) => (i === taker ? { ...leg, amount: leg.amount + legs[left]!.amount } : leg))
    .filter((_, i) => i !== left)
