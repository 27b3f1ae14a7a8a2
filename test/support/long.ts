import { test } from 'vitest'

/** Whether this is the long run (`npm run test:long`). */
export const LONG = process.env['SWAP_LONG'] !== undefined

/** A test of the long run only: its rule has another test in the short run. */
export function longTest(name: string, work: () => unknown, timeoutMs?: number): void {
  if (LONG) test(name, work, timeoutMs)
}

/** The first rows of a table; all of them in the long run. */
export const firstRows = <T>(rows: readonly T[], count = 1): readonly T[] =>
  LONG ? rows : rows.slice(0, count)
