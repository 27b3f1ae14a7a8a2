import type { Market } from '../../engine/market/market.js'
import type { Check } from './doctor-answer.js'

/** The status of one node, or its failure. */
export type NodeReport = {
  /** Masked. */
  readonly endpoint: string
  readonly answer:
    | {
        readonly ms: number
        readonly chainId: string
        readonly height: number
        readonly earliest: number | undefined
        readonly catchingUp: boolean
        /** Of its newest block, milliseconds since 1970. */
        readonly time: number
        readonly version: string
      }
    | undefined
  /** Reason of the failure. */
  readonly fault: string | undefined
}

/** The router's configuration. */
type RouterReport = {
  readonly address: string
  readonly codeId: bigint
  readonly feeBps: number
  readonly affiliates: number
}

/** Statistics of the last market read. */
type ReadingReport = {
  readonly ms: number
  readonly queries: number
  /** Pairs that were not read from their storage, and why. */
  readonly lesser: readonly { readonly address: string; readonly why: string }[]
}

/** The doctor's access to the world outside this process; tests implement it as well. */
export type DoctorPort = {
  /** The network that is configured. */
  readonly network: {
    readonly name: string
    readonly chainId: string
    /** Its clock is the world's: a demo chain's is its own. */
    readonly real: boolean
    readonly router: string | undefined
  }
  /** Milliseconds since 1970, by this machine. */
  now(): number
  /** Asks every node, each on its own. Never throws. */
  nodes(): Promise<readonly NodeReport[]>
  /** The hash of a block as every node has it, in the order of `nodes`; `undefined` where it has none. */
  hashes(height: number): Promise<readonly (string | undefined)[]>
  router(): Promise<RouterReport>
  market(): Promise<{ readonly market: Market; readonly reading: ReadingReport | undefined }>
  /** The demo chain: the process that runs it, and the faults that are on; `undefined` elsewhere. */
  demo(): Promise<
    | {
        readonly pid: number | undefined
        readonly rpc: string | undefined
        readonly faults: readonly string[]
      }
    | undefined
  >
}

/** The checks that ask a node or the demo chain, in the order in which they are made. */
export const askingChecks = ['node', 'network', 'clock', 'contract', 'market', 'demo'] as const
export type AskingCheck = (typeof askingChecks)[number]

export const check = (
  name: string,
  status: Check['status'],
  message: string,
  more: Partial<Pick<Check, 'why' | 'do' | 'data'>> = {},
): Check => ({ name, status, message, why: null, do: null, data: {}, ...more })
