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

/** Waits so many milliseconds, or less when the signal says that nobody waits any more. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done)
    signal.addEventListener('abort', done)
  })
}
