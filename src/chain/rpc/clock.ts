import { setMaxListeners } from 'node:events'

/** The clock of the transport; tests replace it. */
export type Clock = {
  /** Monotonic milliseconds. */
  now(): number
  /** Calls `then` once after `ms` milliseconds, unless the returned function is called first. */
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

/** Ends all that waits for its signal, however much that is: a signal of its own warns beyond ten listeners. */
export function newEnding(): AbortController {
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  return ending
}

/** Resolves after `ms` milliseconds, or when `ending` is aborted. */
export function pause(clock: Clock, ms: number, ending: AbortSignal): Promise<void> {
  if (ms <= 0 || ending.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      cancel()
      ending.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.after(ms, finish)
    ending.addEventListener('abort', finish)
  })
}
