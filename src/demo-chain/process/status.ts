import { type Chain, newestState, rfc3339 } from '../blocks/chain.js'
import type { Fault } from '../faults/fault.js'
import { FAUCET, faucetAddress } from '../genesis/known-accounts.js'
import { marketNotes } from '../genesis/market-snapshot.js'
import type { ProcessRecord } from './record.js'

/** The document of `swap demo status`. */
export type DemoStatus = ReturnType<typeof statusOf>

/** An active fault as the documents list it. */
export const faultStatus = (fault: Fault) => ({
  kind: fault.kind,
  n: fault.n,
  once: fault.once,
  /** RFC 3339, or `null` when it stays until it is switched off. */
  until: fault.until === undefined ? null : new Date(fault.until).toISOString(),
  method: fault.method ?? null,
  pair: fault.pair ?? null,
})

/** The status of a chain; `process` is the one that runs it. */
export function statusOf(
  chain: Chain,
  faults: readonly Fault[],
  process?: Pick<ProcessRecord, 'pid' | 'rpc' | 'rest'>,
) {
  const { options, height } = chain
  return {
    running: process !== undefined,
    pid: process?.pid ?? null,
    rpc: process?.rpc ?? null,
    rest: process?.rest ?? null,
    chain_id: options.chainId,
    height,
    /** Of the newest block. */
    time: rfc3339(chain.machineAt(height).time),
    seed: options.seed,
    block_time_ms: options.blockTimeMs,
    router: marketNotes(newestState(chain)).router,
    dialect: options.dialect,
    router_build: options.routerBuild ?? 'source',
    oracles: options.oracles ?? false,
    faucet: { address: faucetAddress(options.prefix), mnemonic: FAUCET.mnemonic },
    faults: faults.map(faultStatus),
  }
}
