import { backtest, type RecordedBlocks, recordedMs, startsOf } from './backtest.js'
import type { DivisionDocument, PlanDocument } from './plan-document.js'

/** Slices of equal size that add up to the amount; the first ones have the atomics that are left over. */
export function evenSlices(
  amount: bigint,
  count: number,
  { start, everyMs }: { readonly start: number; readonly everyMs: number },
): PlanDocument['slices'] {
  const share = amount / BigInt(count)
  const more = amount % BigInt(count)
  return Array.from({ length: count }, (_, i) => ({
    amount: `${share + (BigInt(i) < more ? 1n : 0n)}`,
    due: new Date(start + i * everyMs).toISOString(),
  }))
}

/** Numbers of slices that are compared. */
const COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48] as const

/**
 * What an amount would have paid in different numbers of slices on recorded blocks, begun on the same ones. The longest
 * plan takes half of the recorded time at most, so that starts are spread over the other half.
 *
 * @param planOf the plan of so many slices
 * @throws SwapError INVALID_REQUEST where not even two slices end on the tape
 */
export async function compareDivisions(
  blocks: RecordedBlocks,
  planOf: (slices: number) => PlanDocument,
  { everyMs, most }: { readonly everyMs: number; readonly most: number },
): Promise<readonly DivisionDocument[]> {
  const half = recordedMs(blocks) / 2
  const amount = BigInt(planOf(1).input.amount)
  const counts = COUNTS.filter(
    (count) => (count <= 2 || (count - 1) * everyMs <= half) && BigInt(count) <= amount,
  )
  const plans = counts.map(planOf)
  const starts = startsOf(blocks, plans.at(-1)!, most)
  const tested = await backtest(blocks.markets(), plans, starts)
  return counts.map((slices, i) => {
    const { runs, gain } = tested[i]!
    const paid = runs.flatMap(({ failed, in_time }) => (failed > 0 ? [] : [BigInt(in_time)]))
    const [median] = paid.toSorted((a, b) => (a < b ? -1 : 1)).slice((paid.length - 1) >> 1)
    return { slices, received: median === undefined ? null : `${median}`, gain }
  })
}

/** The division with the greatest median gain; of equal ones that with the fewest slices. */
export const bestDivision = (divisions: readonly DivisionDocument[]): DivisionDocument =>
  divisions.reduce((best, each) => (medianOf(each) > medianOf(best) ? each : best))

const medianOf = ({ gain }: DivisionDocument): number =>
  gain?.median_bps ?? Number.NEGATIVE_INFINITY
