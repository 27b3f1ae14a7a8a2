import { isSpent } from '../routing/query.js'
import {
  type FailedExecution,
  isFailed,
  type LegAmount,
  type LegExecution,
  type LegExecutor,
} from './execute-legs.js'
import type { Leg } from './flow-legs.js'

/** Legs of any size in atomics: each rounded down, the last one what is left. */
export function legAmountsWithoutGrid(legs: readonly Leg[], input: bigint): readonly LegAmount[] {
  const total = legs.reduce((sum, { amount }) => sum + amount, 0)
  const amounts = legs
    .slice(0, -1)
    .map(({ amount }) => BigInt(Math.floor((amount / total) * Number(input))))
  const rest = input - amounts.reduce((sum, amount) => sum + amount, 0n)
  return legs
    .map(({ path }, i) => ({ path, amount: amounts[i] ?? rest }))
    .filter(({ amount }) => amount > 0n)
}

/** The largest change of a leg, in atomics, if `SHARE` of the input is not more. */
const FURTHEST = 1n << 23n
/** The input is divided by this; the continuous optimum is exact to about 1e-7 of the input. */
const SHARE = 1n << 20n

/** The fraction of the input by which a leg is moved off an abort window first: most windows are narrower. */
const FIRST_SHARE = 1n << 28n

/** Executes legs of any size, or some near to them where an execution refuses these. */
export const executedNear = (
  run: LegExecutor,
  legAmounts: readonly LegAmount[],
): LegExecution | undefined => perturbed(run, legAmounts) ?? shortened(run, legAmounts)

/**
 * Executes legs of any size. Legs of the continuous optimum end at the ends of levels, where the
 * abort windows are (docs/venues.md#abort-windows): a refused leg takes a little more or less, and
 * another leg the difference. Undefined where no change within the limits is executable.
 */
function perturbed(execute: LegExecutor, start: readonly LegAmount[]): LegExecution | undefined {
  let runs = 0
  const { budget } = execute
  const counted = (legAmounts: readonly LegAmount[]) => {
    runs += 1
    return execute(legAmounts)
  }
  const run: LegExecutor = Object.assign(counted, { budget })
  let legAmounts = start
  for (let tries = 0; tries < 2 * start.length + 2; tries += 1) {
    const outcome = run(legAmounts)
    if (!isFailed(outcome)) return outcome
    if (legAmounts.length < 2 || runs > MOST_RUNS || isSpent(budget)) return undefined
    const better = movedOff(run, legAmounts, outcome)
    if (better === undefined) return undefined
    legAmounts = better
  }
  return undefined
}

/**
 * Executions after which `perturbed` gives up: where an order nearly uses the books up, too many legs fail.
 * 20 loses 0.005 bps of one demo order in fifteen, 150 gives the same splits.
 */
const MOST_RUNS = 40

/**
 * Legs that may take the difference, tried in turn; those that share fewest books first. 1 sufficed
 * in the measured set.
 */
const MOST_OTHERS = 4

/**
 * Executes legs of which some are more than their books take: each of these is shortened to what is taken, and
 * the leg that then pays most takes what is left over. Undefined where no leg takes it. Without this, orders
 * that nearly use the demo market up lose up to 2,000 bps.
 */
function shortened(run: LegExecutor, start: readonly LegAmount[]): LegExecution | undefined {
  let legAmounts = start
  let leftover = 0n
  for (let tries = 0; tries < MOST_CUTS * start.length; tries += 1) {
    const outcome = run(legAmounts)
    if (!isFailed(outcome)) break
    const untaken = untakenOf(legAmounts, outcome)
    if (untaken === undefined || isSpent(run.budget)) return undefined
    const { amount } = legAmounts[outcome.failedAt]!
    leftover += untaken < amount ? untaken : amount
    legAmounts = enlarged(legAmounts, outcome.failedAt, -untaken)
  }
  let best: LegExecution | undefined
  for (let i = legAmounts.length - 1; i >= 0 && !isSpent(run.budget); i -= 1) {
    const outcome = run(enlarged(legAmounts, i, leftover))
    if (!isFailed(outcome) && (best === undefined || outcome.net > best.net)) best = outcome
  }
  return best
}

/** How often each leg may be shortened, on average: one that shares books with others is more than once. */
const MOST_CUTS = 4

/** The legs with so much more on one of them; a leg of amount zero is removed. */
const enlarged = (
  legAmounts: readonly LegAmount[],
  at: number,
  more: bigint,
): readonly LegAmount[] =>
  legAmounts.with(at, resized(legAmounts[at]!, more)).filter(({ amount }) => amount > 0n)

const resized = ({ path, amount }: LegAmount, more: bigint): LegAmount => ({
  path,
  amount: amount + more,
})

/**
 * How much of the failed leg its book does not take, in atomics of the input, at least one; undefined where it failed
 * for another reason.
 */
function untakenOf(
  legAmounts: readonly LegAmount[],
  { failedAt, refusal: { untaken } }: FailedExecution,
): bigint | undefined {
  return untaken && (legAmounts[failedAt]!.amount * untaken.numerator) / untaken.denominator + 1n
}

/**
 * The legs with a little moved between the failed one and another one, so that an execution gets past the failed one;
 * undefined where no move does that.
 */
function movedOff(
  run: LegExecutor,
  legAmounts: readonly LegAmount[],
  failed: FailedExecution,
): readonly LegAmount[] | undefined {
  const { failedAt } = failed
  const untaken = untakenOf(legAmounts, failed)
  const input = legAmounts.reduce((sum, { amount }) => sum + amount, 0n)
  // Where a book takes too little, the leg is only made smaller.
  const sizes =
    untaken === undefined
      ? startingAt(input / FIRST_SHARE, movesOf(1n, input)).flatMap((size) => [size, -size])
      : movesOf(untaken, input).map((size) => -size)
  for (const other of othersThan(legAmounts, failedAt))
    for (const size of sizes) {
      if (isSpent(run.budget)) return undefined
      const next = legAmounts
        .with(failedAt, resized(legAmounts[failedAt]!, size))
        .with(other, resized(legAmounts[other]!, -size))
      if (next.some(({ amount }) => amount <= 0n)) continue
      const outcome = run(next)
      if (!isFailed(outcome) || outcome.failedAt > failedAt) return next
    }
  return undefined
}

/** Moves of 1, 16, 256 ... times the least one, that are not too far for an input; at least two. */
function movesOf(least: bigint, input: bigint): readonly bigint[] {
  const furthest = input / SHARE > FURTHEST ? input / SHARE : FURTHEST
  const count = Math.max(2, (furthest / least).toString(16).length)
  return Array.from({ length: count }, (_, i) => least * 16n ** BigInt(i))
}

/** The moves from the last one that is at most `first` on, followed by the smaller ones. */
function startingAt(first: bigint, moves: readonly bigint[]): readonly bigint[] {
  const at = Math.max(
    0,
    moves.findLastIndex((size) => size <= first),
  )
  return [...moves.slice(at), ...moves.slice(0, at)]
}

/**
 * Legs that share fewest books with one first: they may take what a book that is used up does not. Of the others,
 * first those that are executed later: what runs before the leg is not run again.
 */
function othersThan(legAmounts: readonly LegAmount[], failedAt: number): readonly number[] {
  const books = new Set(legAmounts[failedAt]!.path.map(({ book }) => book))
  return legAmounts
    .map(({ path, amount }, i) => ({
      i,
      amount,
      shared: path.filter(({ book }) => books.has(book)).length,
    }))
    .filter(({ i }) => i !== failedAt)
    .sort(
      (a, b) =>
        a.shared - b.shared ||
        Number(b.i > failedAt) - Number(a.i > failedAt) ||
        (a.amount > b.amount ? -1 : 1),
    )
    .slice(0, MOST_OTHERS)
    .map(({ i }) => i)
}
