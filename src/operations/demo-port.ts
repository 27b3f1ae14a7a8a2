import type { DemoFault, DemoStatus } from './demo-answer.js'

/** One way in which the chain can be made to fail. */
export type DemoFaultKind = {
  readonly kind: string
  readonly group: string
  readonly does: string
  readonly sees: string
  readonly number?: { readonly meaning: string; readonly fallback: number }
}

/** Options of a chain to start; the rest is the existing chain's, or the default. */
export type DemoStart = {
  readonly port?: number
  readonly blockTimeMs?: number
  readonly seed?: number
  readonly dialect?: 'forward' | 'stack'
  readonly routerBuild?: 'source' | 'published'
  readonly oracles?: boolean
}

export type DemoFaultRequest = {
  readonly kind: string
  readonly n?: number
  readonly once?: boolean
  /** Milliseconds. */
  readonly forMs?: number
  readonly method?: string
  readonly pair?: string
  readonly seed?: number
}

/** Play money that was paid; `height` is `null` when no block held it in time. */
export type DemoGiven = {
  readonly tx_hash: string
  readonly height: number | null
  readonly address: string
  readonly coins: readonly { readonly denom: string; readonly amount: string }[]
}

/** One thing that happened to the chain. */
export type DemoLogLine = {
  readonly time: string
  readonly event: string
  readonly [fact: string]: string | number | boolean
}

/** The embedded chain, as the command line uses it. */
export type DemoPort = {
  readonly kinds: readonly DemoFaultKind[]
  status(): Promise<DemoStatus>
  /** Starts a process for the chain unless one runs it already. */
  start(start: DemoStart): Promise<{ readonly status: DemoStatus; readonly already: boolean }>
  /** Runs the chain in this process until `signal`. */
  run(start: DemoStart, ready: (status: DemoStatus) => void, signal: AbortSignal): Promise<void>
  /** `pid` is the process that has been ended, or `null`. */
  stop(): Promise<{ readonly pid: number | null }>
  reset(): Promise<{ readonly pid: number | null; readonly removed: readonly string[] }>
  give(
    address: string,
    coins: readonly { readonly denom: string; readonly amount: bigint }[],
  ): Promise<DemoGiven>
  fail(request: DemoFaultRequest): Promise<readonly DemoFault[]>
  /** Switches all faults off, or one kind; returns those that were on. */
  off(kind?: string): Promise<readonly DemoFault[]>
  /** The last lines of the log, oldest first. */
  logs(count: number): readonly DemoLogLine[]
  follow(signal: AbortSignal): AsyncIterable<DemoLogLine>
}
