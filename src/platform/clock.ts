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

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: pause,
  time: () => new Date().toISOString(),
}
