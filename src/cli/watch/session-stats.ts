import { rangeOf } from '../../render/picture.js'

/** Statistics of the watched number, an integer such as atomics, since watching began. */
export type SessionStats = {
  readonly height: number
  readonly blocks: number
  /** Heights between two observed ones. */
  readonly skipped: number
  /** `undefined` before the first number. */
  readonly range: readonly [low: bigint, high: bigint] | undefined
  /** The change since the last observed number, and its height; `undefined` at the first. */
  readonly step: { readonly change: bigint; readonly since: number } | undefined
  readonly valueHeight: number | undefined
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
  const [last, since] = [before?.series.at(-1), before?.valueHeight]
  const isStep = value !== undefined && last !== undefined && since !== undefined
  return {
    height,
    blocks: (before?.blocks ?? 0) + 1,
    skipped: before === undefined ? 0 : before.skipped + Math.max(0, height - before.height - 1),
    range: seen.length === 0 ? undefined : rangeOf(seen),
    step: isStep ? { change: value - last, since } : undefined,
    valueHeight: value === undefined ? since : height,
    series: [...(before?.series ?? []), ...values].slice(-KEPT),
  }
}
