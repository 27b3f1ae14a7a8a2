import { rfc3339 } from '../blocks/block.js'
import type { Chain } from '../blocks/chain.js'
import type { Fault } from '../faults/fault.js'
import { FAUCET, faucetAddress } from '../genesis/known-accounts.js'
import { MARKET_NOTES, type MarketNotes } from '../genesis/market-snapshot.js'
import type { ProcessRecord } from './record.js'

/** An active fault as the documents list it. */
export type FaultStatus = {
  readonly kind: string
  readonly n: number
  readonly once: boolean
  /** RFC 3339, or `null` when it stays until it is switched off. */
  readonly until: string | null
  readonly method: string | null
  readonly pair: string | null
}

/** The document of `swap demo status`. */
export type DemoStatus = {
  readonly running: boolean
  readonly pid: number | null
  readonly rpc: string | null
  readonly rest: string | null
  readonly chain_id: string
  readonly height: number
  /** Of the newest block. */
  readonly time: string
  readonly seed: number
  readonly block_time_ms: number
  readonly router: string
  readonly dialect: string
  readonly router_build: string
  readonly oracles: boolean
  readonly faucet: { readonly address: string; readonly mnemonic: string }
  readonly faults: readonly FaultStatus[]
}

export const faultStatus = (fault: Fault): FaultStatus => ({
  kind: fault.kind,
  n: fault.n,
  once: fault.once,
  until: fault.until === undefined ? null : new Date(fault.until).toISOString(),
  method: fault.method ?? null,
  pair: fault.pair ?? null,
})

/** The status of a chain; `process` is the one that runs it. */
export function statusOf(
  chain: Chain,
  faults: readonly Fault[],
  process?: Pick<ProcessRecord, 'pid' | 'rpc' | 'rest'>,
): DemoStatus {
  const { options, height } = chain
  const notes = chain.stateAt(height)?.get<MarketNotes>(...MARKET_NOTES)
  return {
    running: process !== undefined,
    pid: process?.pid ?? null,
    rpc: process?.rpc ?? null,
    rest: process?.rest ?? null,
    chain_id: options.chainId,
    height,
    time: rfc3339(chain.block(height)?.header.time ?? 0n),
    seed: options.seed,
    block_time_ms: options.blockTimeMs,
    router: notes?.router ?? '',
    dialect: options.dialect,
    router_build: options.routerBuild ?? 'source',
    oracles: options.oracles ?? false,
    faucet: { address: faucetAddress(options.prefix), mnemonic: FAUCET.mnemonic },
    faults: faults.map(faultStatus),
  }
}
