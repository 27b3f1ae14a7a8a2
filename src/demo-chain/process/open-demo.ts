import { existsSync, statSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import type { FileLock } from '../../platform/lock-file.js'
import type { Block } from '../blocks/chain.js'
import { invalidStateFile } from '../blocks/state-file.js'
import { FaultBoard, faultFile } from '../faults/board.js'
import { faultInjectionOf } from '../faults/fault-injection.js'
import { faultyChain } from '../faults/middleware.js'
import { answersOf, listener } from '../node/listener.js'
import { nodeOf } from '../node/queries/node.js'
import { type Controls, controlsOf } from './control.js'
import type { DemoFiles } from './files.js'
import { Log, logBlocks } from './log.js'
import { firstMarket, openChain } from './open-chain.js'
import { checkAgreement, optionsOf, type StartOptions } from './options.js'
import { findProcess, lockChain, type ProcessRecord } from './record.js'
import { statusOf } from './status.js'

/** A chain that another process runs: used like any node. */
type RunningDemo = { readonly kind: 'running' } & ProcessRecord

/** A chain in this process, without a port. Active faults affect its clients. */
export type EmbeddedDemo = {
  readonly kind: 'embedded'
  /** Handles the HTTP requests of one endpoint, for a server without a port. */
  listener(endpoint: 'rpc' | 'rest'): RequestListener
  /** Makes the next block, unless a fault stops production. Only for a chain opened to execute. */
  makeBlock(): Block | undefined
  readonly controls: Controls
  /** Releases the file and the lock. */
  close(): void
}

export type Demo = RunningDemo | EmbeddedDemo

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** Refuses folders where the chain has its files. @throws SwapError INVALID_REQUEST that names one */
export function refuseFolders({ lock, record, faults }: DemoFiles): void {
  const folder = [lock, record, faults].find(isFolder)
  if (folder !== undefined) throw invalidStateFile(folder, 'it is a folder')
}

/**
 * The demo chain of a command: the process that runs it, otherwise the chain itself, from its state file or new.
 * `execute` takes the chain's lock until `close`; `read` changes nothing.
 *
 * @throws SwapError BUSY
 */
export async function openDemo(files: DemoFiles, purpose: 'read' | 'execute'): Promise<Demo> {
  refuseFolders(files)
  const found = findProcess(files)
  if (found) return { kind: 'running', ...found }
  const lock = purpose === 'execute' ? await lockChain(files.lock) : undefined
  try {
    return embeddedDemo(files, lock)
  } catch (error) {
    lock?.release()
    throw error
  }
}

function embeddedDemo(files: DemoFiles, lock: FileLock | undefined): EmbeddedDemo {
  const log = new Log(files.log)
  const open = openFaultyChain(files, {}, log)
  const stopLogging = logBlocks(open.real, log)
  const answers = answersOf(nodeOf(open.chain))
  return {
    kind: 'embedded',
    listener: (endpoint) => listener(endpoint, answers, open.middleware),
    makeBlock() {
      if (!lock) throw new Error('a chain that is only read makes no blocks')
      const { producing, blockInjection } = open.faultInjection
      return producing() ? open.real.makeBlock(blockInjection) : undefined
    },
    controls: open.controlsOf(() => undefined),
    close() {
      stopLogging()
      open.close()
      lock?.release()
    },
  }
}

/**
 * The chain of these files with its active faults. `start` has the options of a new one.
 *
 * @throws SwapError INVALID_REQUEST for a chain with other options
 */
export function openFaultyChain(files: DemoFiles, start: StartOptions, log: Log) {
  const options = optionsOf(start)
  const { chain: real, close } = openChain(options, () => firstMarket(options.seed), files.state)
  checkAgreement(start, real.options)
  const board = new FaultBoard(faultFile(files.faults))
  const faultInjection = faultInjectionOf(real, board)
  return {
    ...faultyChain(real, board, faultInjection.accepted),
    /** The chain that makes blocks. */
    real,
    faultInjection,
    /** Its controls; `process` is the one that runs it. */
    controlsOf: (process: () => ProcessRecord | undefined): Controls =>
      controlsOf(real, board, faultInjection, log, () => statusOf(real, board.active(), process())),
    close,
  }
}
