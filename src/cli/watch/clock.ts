/** Time as watching sees it. Tests bring their own. */
export type Clock = {
  /** Milliseconds since 1970, for the times of events. */
  now(): number
  /** Settles after so many milliseconds, or when `signal` is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** The process's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      // A timer counts in 32 bits; nobody waits for weeks.
      const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1))
      if (signal.aborted) done()
      else signal.addEventListener('abort', done)
    }),
}
