import { hundredths, rational } from '../engine/math/rational.js'
import type { SimulateResult } from './chain-port.js'

/** A number of ours beside the contract's, both atomics of the output; what fails is `null`. */
export type Comparison = {
  readonly simulated_output: string | null
  readonly returned: string | null
  readonly fee: string | null
  /** The contract's number less ours. */
  readonly difference: string | null
  readonly difference_bps: number | null
  /** Why the contract gave no number, in its own words. */
  readonly refused: string | null
  /** Whether both say the same; `null` where the node let the contract say nothing. */
  readonly agrees: boolean | null
}

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
