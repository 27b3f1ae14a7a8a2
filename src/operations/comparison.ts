import { hundredths, rational } from '../engine/math/rational.js'
import type { SimulateResult } from './chain-port.js'
import type { Comparison } from './route/verification-answer.js'

/**
 * @param ours what we computed for the same question; `undefined` where it should be refused
 * @param toleranceBps how far apart they may be
 */
export function compare(
  ours: bigint | undefined,
  theirs: SimulateResult,
  toleranceBps = 0,
): Comparison {
  const answered = theirs.kind === 'answered' ? theirs : undefined
  const both = ours !== undefined && answered !== undefined
  const difference = both ? answered.returned - ours : undefined
  return {
    simulated_output: ours === undefined ? null : `${ours}`,
    returned: answered === undefined ? null : `${answered.returned}`,
    fee: answered === undefined ? null : `${answered.fee}`,
    difference: difference === undefined ? null : `${difference}`,
    difference_bps:
      difference === undefined || ours === undefined || ours === 0n
        ? null
        : hundredths(rational(difference, ours), 10_000n),
    ...(answered?.isPairByPair && { pair_by_pair: true }),
    refused: theirs.kind === 'answered' ? null : theirs.why,
    agrees:
      theirs.kind === 'unknown'
        ? null
        : ours === undefined || difference === undefined
          ? ours === undefined && answered === undefined
          : isWithin(difference, ours, toleranceBps),
  }
}

const isWithin = (difference: bigint, ours: bigint, toleranceBps: number): boolean =>
  (difference < 0n ? -difference : difference) * 10_000n <= BigInt(toleranceBps) * ours

/** What several comparisons say together: one that differs decides, then one that is not known. */
export const allAgree = (all: readonly (boolean | null)[]): boolean | null =>
  all.includes(false) ? false : all.includes(null) ? null : true
