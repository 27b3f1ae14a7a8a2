/** Waits until the time in milliseconds has passed or the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.max(0, ms))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })

/** The clock of this machine. */
export type Clock = {
  /** Monotonic milliseconds. */
  now(): number
  /** Resolves after `ms` (at most 24 days), or when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Wall clock, RFC 3339 UTC: for records, never for decisions about the chain. */
  time(): string
}

export const DAY_MS = 86_400_000

/** Seconds between the newest block and this clock above which the chain or its nodes are halted, or the clock is wrong. */
export const MOST_APART_S = 60

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: pause,
  time: () => new Date().toISOString(),
}

/** Whether the date of a time exists that RFC 3339 writes in UTC; `Date` alone reads February 31 as March 3. */
export const isOfCalendar = (time: string): boolean =>
  new Date(time).getUTCDate() === Number(time.slice(8, 10))

/** The pause after the first failure, and the longest one, in milliseconds. */
type BackOff = { readonly firstMs: number; readonly longestMs: number }

/** The longest pause after a number of failures in a row (at least 1): doubles with each. */
export const longestPause = ({ firstMs, longestMs }: BackOff, failures: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30))

/**
 * A pause with full jitter: uniform between 0 and the longest, so that callers that failed together do not retry
 * together.
 */
export const jitteredPause = (
  backOff: BackOff,
  failures: number,
  random: () => number = Math.random,
): number => random() * longestPause(backOff, failures)
