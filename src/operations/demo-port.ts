import * as Type from 'typebox'
import {
  closedObject,
  countOf,
  countOrNull,
  type DocumentOf,
  flagOf,
  numberOf,
  textOf,
  textOrNull,
} from './document-schema.js'

/** A fault of the demo chain that is switched on. */
const DemoFault = closedObject({
  kind: textOf('Kind of the fault.'),
  n: numberOf('Its number, where the kind has one.'),
  once: flagOf('Whether it ends with its first effect.'),
  until: textOrNull('RFC 3339; null until it is switched off.'),
  method: textOrNull('Only requests of this method.'),
  pair: textOrNull('Only this pair.'),
})
export type DemoFault = DocumentOf<typeof DemoFault>

/** The answer of `swap demo status --json`: the embedded chain and the process that runs it. */
export const DemoStatus = closedObject({
  running: flagOf('Whether a process runs the chain.'),
  pid: countOrNull('That process.'),
  rpc: textOrNull('Its RPC endpoint.'),
  rest: textOrNull('Its REST endpoint.'),
  chain_id: textOf('Chain id.'),
  height: countOf('The newest block.'),
  time: textOf('Of the newest block, RFC 3339.'),
  seed: countOf('Seed of the market.'),
  block_time_ms: countOf('Milliseconds between blocks.'),
  router: textOf('Address of the router contract.'),
  dialect: textOf('Dialect of the router: forward or stack.'),
  router_build: textOf('Build of the router: source or published.'),
  oracles: flagOf('Whether pairs have oracles (demo start --oracles).'),
  faucet: closedObject({
    address: textOf('Account that holds the play money.'),
    mnemonic: textOf('Its public mnemonic.'),
  }),
  faults: Type.Array(DemoFault, { description: 'Faults that are switched on.' }),
})
export type DemoStatus = DocumentOf<typeof DemoStatus>

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
