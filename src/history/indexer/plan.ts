import type { HeightRange } from '../store/swap-row.js'

/** Blocks at the head that are indexed before older ones. */
const HEAD = 32

/** Older blocks indexed before the head is polled again. */
const STRETCH = 256

/** Heights to index next, ascending. */
export type Plan = { readonly head: readonly number[]; readonly behind: readonly number[] }

/**
 * The head first, so that new swaps appear at once; then the oldest missing blocks, so that both
 * stretches meet in the end.
 *
 * @param gaps ascending
 */
export function planOf(gaps: readonly HeightRange[], newest: number): Plan {
  const first = newest - HEAD + 1
  const head: number[] = []
  const behind: number[] = []
  for (const { from, to } of gaps) {
    for (let at = from; at <= Math.min(to, first - 1) && behind.length < STRETCH; at++)
      behind.push(at)
    for (let at = Math.max(from, first); at <= to; at++) head.push(at)
  }
  return { head, behind }
}

/** The number of heights in ranges that do not overlap. */
export const countOf = (ranges: readonly HeightRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
