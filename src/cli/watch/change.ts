import { hundredths, rational } from '../../engine/math/rational.js'

/** Whether a watched number has changed by at least `bps` of what it was. */
export const hasMoved = (now: bigint, was: bigint, bps: bigint): boolean =>
  (now > was ? now - was : was - now) * 10_000n >= bps * was

/** The change of a watched number in basis points, as events have it. */
export const changeBps = (now: bigint, was: bigint): number =>
  hundredths(rational(now - was, was), 10_000n)
