import * as Type from 'typebox'
import {
  closedObject,
  coinsOf,
  countOf,
  countOrNull,
  type DocumentOf,
  flagOf,
  numberOf,
  objectOf,
  textOf,
  textOrNull,
} from './document-schema.js'

/** An active fault of the demo chain. */
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
  faucet: objectOf('Where `swap demo faucet` takes play money from.', {
    address: textOf('Account that holds the play money.'),
    mnemonic: textOf('Its public mnemonic.'),
  }),
  faults: Type.Array(DemoFault, { description: 'Faults that are switched on.' }),
})
export type DemoStatus = DocumentOf<typeof DemoStatus>

/** A kind of fault that can be injected. */
const DemoFaultKind = closedObject({
  kind: textOf('Kind of the fault.'),
  group: textOf('What fails.'),
  does: textOf('What the fault does.'),
  sees: textOf('What is to be seen of it.'),
  number: Type.Optional(
    objectOf('The number of the kind, where it has one.', {
      meaning: textOf('What it counts.'),
      fallback: numberOf('The number where none is given.'),
    }),
  ),
})
export type DemoFaultKind = DocumentOf<typeof DemoFaultKind>

/** The answer of `swap demo fail`: the kinds with the active faults, or the removed ones. */
export const DemoFaults = closedObject({
  kinds: Type.Optional(
    Type.Array(DemoFaultKind, { description: 'Without a kind: all that there are.' }),
  ),
  faults: Type.Optional(Type.Array(DemoFault, { description: 'With a kind: faults that are on.' })),
  ended: Type.Optional(Type.Array(DemoFault, { description: 'With off: faults that were on.' })),
})

const stoppedMembers = {
  stopped: flagOf('Whether a process was running.'),
  pid: countOrNull('That process.'),
}
/** The answer of `swap demo stop`. */
export const DemoStopped = closedObject(stoppedMembers)
/** The answer of `swap demo reset`. */
export const DemoReset = closedObject({
  ...stoppedMembers,
  removed: Type.Array(Type.String(), { description: 'Paths of the removed files.' }),
})

/** Options of a new chain; members that are left out come from the existing chain or the defaults. */
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

/** The answer of `swap demo faucet`: the coins paid out. */
export const DemoGiven = closedObject({
  tx_hash: textOf('Hash of the transaction.'),
  height: countOrNull('The block that holds it; null when none did in time.'),
  address: textOf('Account that was paid.'),
  coins: coinsOf('Coins that were paid.'),
})
export type DemoGiven = DocumentOf<typeof DemoGiven>

/** A line of `swap demo logs`: an event of the chain. */
export const DemoLogLine = Type.Object(
  { time: textOf('RFC 3339.'), event: textOf('What happened.') },
  {
    additionalProperties: Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
      description: 'Facts of the event, by name.',
    }),
  },
)
export type DemoLogLine = DocumentOf<typeof DemoLogLine> & {
  readonly [fact: string]: string | number | boolean
}

/** The embedded chain, as the command line uses it. */
export type DemoPort = {
  readonly kinds: readonly DemoFaultKind[]
  status(): Promise<DemoStatus>
  /** Starts a process for the chain unless one is running. */
  start(start: DemoStart): Promise<{ readonly status: DemoStatus; readonly already: boolean }>
  /** Runs the chain in this process until `signal`. */
  run(start: DemoStart, ready: (status: DemoStatus) => void, signal: AbortSignal): Promise<void>
  /** `pid` is the process that was ended, or `null`. */
  stop(): Promise<{ readonly pid: number | null }>
  reset(): Promise<{ readonly pid: number | null; readonly removed: readonly string[] }>
  give(
    address: string,
    coins: readonly { readonly denom: string; readonly amount: bigint }[],
  ): Promise<DemoGiven>
  fail(request: DemoFaultRequest): Promise<readonly DemoFault[]>
  /** Removes all faults, or one kind; returns the removed ones. */
  off(kind?: string): Promise<readonly DemoFault[]>
  /** The last lines of the log, oldest first. */
  logs(count: number): readonly DemoLogLine[]
  follow(signal: AbortSignal): AsyncIterable<DemoLogLine>
}
