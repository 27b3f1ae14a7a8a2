import type { Market } from '../../engine/market/market.js'
import type { Check } from './doctor-documents.js'

/** The status of one node, or its failure. */
export type NodeReport = {
  /** The URL with secrets masked. */
  readonly endpoint: string
  readonly answer:
    | {
        readonly ms: number
        readonly chainId: string
        readonly height: number
        readonly earliest: number | undefined
        readonly catchingUp: boolean
        /** Time of its newest block, milliseconds since 1970. */
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
  /** Pairs that were read by queries instead of their storage, and why. */
  readonly fallbacks: readonly { readonly address: string; readonly why: string }[]
}

/** The doctor's access to the outside world; tests implement it as well. */
export type DoctorPort = {
  /** The configured network. */
  readonly network: {
    readonly name: string
    readonly chainId: string
    /** Whether its clock is real time: a demo chain has its own. */
    readonly real: boolean
    readonly router: string | undefined
  }
  /** The local time in milliseconds since 1970. */
  now(): number
  /** Queries each node separately. Never throws. */
  nodes(): Promise<readonly NodeReport[]>
  /** The hash of a block on each node, in the order of `nodes`; `undefined` if a node lacks it. */
  hashes(height: number): Promise<readonly (string | undefined)[]>
  router(): Promise<RouterReport>
  market(): Promise<{ readonly market: Market; readonly reading: ReadingReport | undefined }>
  /** The demo chain's process and active faults; `undefined` on other networks. */
  demo(): Promise<
    | {
        readonly pid: number | undefined
        readonly rpc: string | undefined
        readonly faults: readonly string[]
      }
    | undefined
  >
}

/** Checks that query a node or the demo chain, in their order. */
export const chainChecks = ['node', 'network', 'clock', 'contract', 'market', 'demo'] as const
export type ChainCheck = (typeof chainChecks)[number]

export const check = (
  name: string,
  status: Check['status'],
  message: string,
  more: Partial<Pick<Check, 'why' | 'do' | 'data'>> = {},
): Check => ({ name, status, message, why: null, do: null, data: {}, ...more })
