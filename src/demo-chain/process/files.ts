import { join } from 'node:path'

/** Where a demo chain keeps what outlives a process. */
export type DemoFiles = {
  readonly folder: string
  /** The chain itself. */
  readonly state: string
  /** Held by whoever makes blocks. */
  readonly lock: string
  /** The process that runs, and where it answers. */
  readonly record: string
  readonly faults: string
  readonly log: string
}

/** The files of one chain below the program's state folder. */
export function filesIn(stateFolder: string, chainId: string): DemoFiles {
  const folder = join(stateFolder, 'demo', chainId)
  return {
    folder,
    state: join(folder, 'chain.jsonl'),
    lock: join(folder, 'lock'),
    record: join(folder, 'process.json'),
    faults: join(folder, 'faults.json'),
    log: join(folder, 'log'),
  }
}
