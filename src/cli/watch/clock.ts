/** The clock of a watch loop; tests replace it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms` milliseconds, or when `signal` is aborted. */
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
      // setTimeout takes 31 bits of milliseconds: 24 days.
      const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1))
      if (signal.aborted) done()
      else signal.addEventListener('abort', done)
    }),
}
