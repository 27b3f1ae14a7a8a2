import { rangeOf } from '../../render/picture.js'

/** Statistics of the watched number, an integer such as atomics, since watching began. */
export type SessionStats = {
  readonly height: number
  readonly blocks: number
  /** Heights skipped between two observed ones. */
  readonly missed: number
  /** `undefined` before the first number. */
  readonly range: readonly [low: bigint, high: bigint] | undefined
  /** The change since the last observed height; `undefined` at the first. */
  readonly step: bigint | undefined
  /** The newest values, oldest first. */
  readonly series: readonly bigint[]
}

/** Values kept for the sparkline: more than the columns of any screen. */
const KEPT = 500

/** The statistics with one more height. `value` is `undefined` if the answer has no such number. */
export function addHeight(
  before: SessionStats | undefined,
  height: number,
  value: bigint | undefined,
): SessionStats {
  const values = value === undefined ? [] : [value]
  const seen = [...(before?.range ?? []), ...values]
  const last = before?.series.at(-1)
  return {
    height,
    blocks: (before?.blocks ?? 0) + 1,
    missed: before === undefined ? 0 : before.missed + Math.max(0, height - before.height - 1),
    range: seen.length === 0 ? undefined : rangeOf(seen),
    step: value === undefined || last === undefined ? undefined : value - last,
    series: [...(before?.series ?? []), ...values].slice(-KEPT),
  }
}
