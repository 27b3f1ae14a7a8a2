import type { HeightRange } from '../store/swap-row.js'

/** Blocks below the newest one that go before everything else. */
const HEAD = 32

/** Blocks behind that are done before the head is looked at again. */
const STRETCH = 256

/** What to do next, ascending. */
export type Plan = { readonly head: readonly number[]; readonly behind: readonly number[] }

/**
 * The head first, so that new swaps are there at once however much is missing behind; then the oldest
 * of what is missing, so that two stretches meet in the end.
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

/** How many heights there are in ranges that do not overlap. */
export const countOf = (ranges: readonly HeightRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
