import { pause } from './pause.js'

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
