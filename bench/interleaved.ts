/** Runs of each call; the first one is not counted. */
const RUNS = 21

/** A call with its title; returns the milliseconds that it took. */
export type TimedCall = readonly [title: string, measure: () => number | Promise<number>]

/**
 * Measures calls one after the other, again and again, so that a slow moment of the machine meets every call,
 * and prints the least, median and largest time of each, and how far its median is above that of the first.
 */
export async function printInterleaved(calls: readonly TimedCall[], over: string): Promise<void> {
  const times = calls.map(() => [] as number[])
  for (let run = 0; run <= RUNS; run += 1)
    for (const [i, [, measure]] of calls.entries()) {
      const ms = await measure()
      if (run > 0) times[i]!.push(ms)
    }
  const sorted = times.map((list) => list.sort((a, b) => a - b))
  const floor = sorted[0]![RUNS >> 1]!
  const head = [...['min', 'p50', 'max'].map((word) => word.padStart(8)), over.padStart(14)]
  console.log('wall ms'.padEnd(36), ...head)
  for (const [i, [title]] of calls.entries()) {
    const list = sorted[i]!
    const cells = [list[0]!, list[RUNS >> 1]!, list.at(-1)!].map((ms) => ms.toFixed(1).padStart(8))
    console.log(
      title.padEnd(36),
      ...cells,
      `+${(list[RUNS >> 1]! - floor).toFixed(1)}`.padStart(14),
    )
  }
}
