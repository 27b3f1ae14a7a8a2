import type { Comparison } from '../../operations/route/verification-answer.js'
import type { Names } from '../../render/names.js'
import type { Style } from '../../render/style.js'

/** A rendered comparison. */
export type Compared = Pick<
  Comparison,
  'simulated_output' | 'returned' | 'difference' | 'difference_bps' | 'refused' | 'pair_by_pair'
>

/** Compares the computed number with the contract's; both of one denom. */
export function comparisonCells(
  { simulated_output: ours, returned, difference, difference_bps }: Compared,
  denom: string,
  names: Names,
): readonly string[] {
  const amount = (text: string | null) =>
    text === null ? '-' : names.amount({ denom, amount: text })
  return [
    amount(ours),
    amount(returned),
    differenceText(difference, difference_bps, (text) => names.signedCoin({ denom, amount: text })),
  ]
}

/** The difference in basis points, or as an amount if that would round to zero. */
function differenceText(
  difference: string | null,
  bps: number | null,
  signedCoin: (amount: string) => string,
): string {
  if (difference === null) return '-'
  if (difference === '0') return '0'
  if (bps === null || Math.abs(bps) < 0.01) return signedCoin(difference)
  return `${difference.startsWith('-') ? '' : '+'}${bps.toFixed(2)} bps`
}

/** The coloured word of each result. */
export function verdictOf(
  agrees: boolean | null,
  { difference, refused, pair_by_pair: isPairByPair }: Compared,
  toleranceBps: number,
  style: Style,
): string {
  if (agrees === null) return style.warning("not known: the node's query limit is too small")
  if (!agrees) return style.bad(refused === null ? `differs, over ${toleranceBps} bps` : 'refused')
  if (refused !== null) return 'both refuse'
  const same = difference === '0' ? 'same' : `within ${toleranceBps} bps`
  const words = isPairByPair ? `${same}, pair by pair` : same
  return difference === '0' ? style.good(words) : words
}
