import { type Clock, systemClock } from '../../../src/chain/rpc/clock.js'

/** The process's clock, which a test can put forward; timers are real. */
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

/** A clock that only moves when it is put forward, with timers that never fire. */
export function stoppedClock(): SkippingClock {
  let now = 0
  return {
    now: () => now,
    after: () => () => {},
    skip(ms) {
      now += ms
    },
  }
}

/** The duration of a promise in milliseconds, whether it failed or not. */
export async function durationOf(promise: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await promise.catch(() => {})
  return performance.now() - began
}
