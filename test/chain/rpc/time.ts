import { type Clock, systemClock } from '../../../src/chain/rpc/clock.js'

/** The process's clock, which a test can put forward; timers stay true. */
export type SkippingClock = Clock & { skip(ms: number): void }

export function skippingClock(): SkippingClock {
  let skipped = 0
  return {
    now: () => systemClock.now() + skipped,
    after: systemClock.after,
    skip(ms) {
      skipped += ms
    },
  }
}

/** A clock that stands until it is put forward, with timers that nobody starts. */
export function standingClock(): SkippingClock {
  let now = 0
  return {
    now: () => now,
    after: () => () => {},
    skip(ms) {
      now += ms
    },
  }
}

/** How long something took, in milliseconds, whether it failed or not. */
export async function durationOf(promise: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await promise.catch(() => {})
  return performance.now() - began
}
