import { openMarketUpdates } from '../../../src/cli/watch/follow.js'
import type { Clock } from '../../../src/platform/clock.js'
import type { ServedMarket } from '../../../src/service/feed/market-feed.js'

/** A clock that is advanced by the test only. */
export function virtualClock(): Clock & {
  advance(ms: number): Promise<void>
  readonly at: number
} {
  let now = 0
  let waiting: { readonly until: number; readonly wake: () => void }[] = []
  return {
    get at() {
      return now
    },
    now: () => now,
    time: () => new Date(now).toISOString(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const each = { until: now + ms, wake: resolve }
        waiting.push(each)
        signal.addEventListener('abort', () => {
          waiting = waiting.filter((other) => other !== each)
          resolve()
        })
      }),
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await settled()
        const [next] = waiting.toSorted((a, b) => a.until - b.until)
        if (next === undefined || next.until > end) break
        now = Math.max(now, next.until)
        waiting = waiting.filter((each) => each !== next)
        next.wake()
      }
      now = end
      await settled()
    },
  }
}

/** Lets everything run that waits for nothing but its turn. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A feed that is given its heights by hand. */
export async function handFeed() {
  let current: ServedMarket | undefined
  let failed: (error: unknown) => void = () => {}
  const listeners = new Set<(served: ServedMarket) => void>()
  const { updates } = await openMarketUpdates(async (tell) => {
    failed = tell
    return {
      current: () => current,
      subscribe(listener: (served: ServedMarket) => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
  })
  return {
    updates,
    async serve(height: number): Promise<void> {
      // Nothing of the market is asked for: the question of these tests is the height itself.
      const app = { openMarket: () => Promise.reject(new Error('not asked for')) }
      current = { height, patient: app, hasty: app } as unknown as ServedMarket
      for (const listener of listeners) listener(current)
      await settled()
    },
    async fail(error: unknown): Promise<void> {
      failed(error)
      await settled()
    },
  }
}
