import type { Ending } from './ending.js'

/** Time as the transport sees it. Tests bring their own. */
export type Clock = {
  /** Milliseconds since some moment; they never go back, whatever the wall clock does. */
  now(): number
  /** Calls `then` once after so many milliseconds, unless the returned function is called first. */
  after(ms: number, then: () => void): () => void
}

/** The process's monotonic clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
}

/** Waits so many milliseconds, or less when it ends before that. */
export function pause(clock: Clock, ms: number, ending: Ending): Promise<void> {
  if (ms <= 0 || ending.isOver()) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      forget()
      resolve()
    }
    const cancel = clock.after(ms, done)
    const forget = ending.whenOver(done)
  })
}
