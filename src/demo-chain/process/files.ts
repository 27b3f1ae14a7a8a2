import { join, resolve } from 'node:path'
import { demoOptions } from '../blocks/chain-options.js'

export type DemoFiles = {
  readonly folder: string
  /** The chain itself. */
  readonly state: string
  /** The market after the chain's newest block, once a command has read it. */
  readonly market: string
  /** Held by the process that makes blocks. */
  readonly lock: string
  /** The running process and its endpoints. */
  readonly record: string
  readonly faults: string
  readonly log: string
}

/** The files of the demo chain below the program's state folder. */
export function filesIn(stateFolder: string): DemoFiles {
  const folder = resolve(stateFolder, 'demo', demoOptions.chainId)
  return {
    folder,
    state: join(folder, 'chain.jsonl'),
    market: join(folder, 'market.json'),
    lock: join(folder, 'lock'),
    record: join(folder, 'process.json'),
    faults: join(folder, 'faults.json'),
    log: join(folder, 'log'),
  }
}
