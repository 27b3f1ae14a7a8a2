import { nearestRank } from './replay-path.js'

/** Drifts of the same executions, in hundredths of a basis point, ascending. */
export type Moves = {
  readonly forward: Float64Array
  /** With quote and execution exchanged: a price that has risen by so much can fall by as much. */
  readonly backward: Float64Array
}

/** What a share of recorded executions demands, and the slippage chosen from it, in basis points. */
export type SuitableSlippage = {
  readonly bps: number
  /** Drift of the covered executions in hundredths; may be infinite. */
  readonly move: number
  /** The covered share demands more than what is allowed. */
  readonly isLimited: boolean
  /** Executions that the slippage refuses. */
  readonly refused: number
}

/** A basis point more has to let one more of so many moves pass. Chosen on seeds 201 to 208 (docs/tape.md). */
const MOVES_PER_BPS = 2_000

/**
 * The least slippage that lets the covered share of the executions pass, raised as long as that pays: to where
 * its basis points and 2,000 times the share of moves beyond it have the least sum. At least 1, at most `most`.
 */
export function suitableSlippage(
  { forward, backward }: Moves,
  { quantileBps, most }: { readonly quantileBps: number; readonly most: number },
): SuitableSlippage {
  const move = nearestRank(forward, quantileBps)
  const least = Math.max(1, Math.ceil(move / 100))
  const isLimited = least > most
  const costOf = (bps: number) =>
    bps * (forward.length + backward.length) +
    MOVES_PER_BPS * (countAbove(forward, bps * 100) + countAbove(backward, bps * 100))
  let bps = isLimited ? most : least
  let cost = costOf(bps)
  for (let higher = bps + 1; higher <= most; higher++) {
    const other = costOf(higher)
    if (other >= cost) continue
    bps = higher
    cost = other
  }
  return { bps, move, isLimited, refused: countAbove(forward, bps * 100) }
}

/** How many of the sorted values are above a bound. */
function countAbove(sorted: Float64Array, bound: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! > bound) high = middle
    else low = middle + 1
  }
  return sorted.length - low
}
