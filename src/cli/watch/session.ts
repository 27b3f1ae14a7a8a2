import { rangeOf } from '../../render/picture.js'

/** What has been seen since watching began: of one number, in atomics or another integer. */
export type Session = {
  readonly height: number
  readonly blocks: number
  /** Heights between two that were seen. */
  readonly missed: number
  /** `undefined` until there was such a number. */
  readonly range: readonly [low: bigint, high: bigint] | undefined
  /** Against the height before; `undefined` at the first. */
  readonly step: bigint | undefined
  /** The newest values, oldest first. */
  readonly series: readonly bigint[]
}

/** Values that are kept: more than any screen is wide. */
const KEPT = 500

/** The session with one more height. `value` is `undefined` where there is no such number. */
export function sessionWith(
  before: Session | undefined,
  height: number,
  value: bigint | undefined,
): Session {
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
