import { existsSync } from 'node:fs'
import { readable, shippedMarket } from './market/document.js'
import type { demoCommands } from './process/commands.js'
import { type DemoFiles, filesIn } from './process/files.js'
import type { Demo } from './process/open-demo.js'
import { findProcess, type ProcessRecord } from './process/record.js'

export type { FaultRequest } from './faults/fault.js'
export type { DemoFiles } from './process/files.js'
export type { Demo, EmbeddedDemo } from './process/open-demo.js'
export type { StartOptions } from './process/options.js'
export type { ProcessRecord } from './process/record.js'

/** The operations of the commands `swap demo …`. */
export type DemoCommands = ReturnType<typeof demoCommands>

/** The files of the demo chain below the program's state folder. */
export const demoFiles: (stateFolder: string) => DemoFiles = filesIn

/** The process that runs the chain of these files, if there is one. */
export const demoProcess: (files: DemoFiles) => ProcessRecord | undefined = findProcess

/**
 * The chain of these files: the process that runs it, otherwise the chain itself in this process.
 *
 * @throws SwapError BUSY, INVALID_REQUEST
 */
export async function openDemoChain(files: DemoFiles): Promise<Demo> {
  const { openDemo } = await import('./process/open-demo.js')
  return openDemo(files, 'read')
}

/** The commands of a chain. `program` is the command line that starts this program, without arguments. */
export async function openDemoCommands(
  files: DemoFiles,
  program: readonly string[],
): Promise<DemoCommands> {
  const { demoCommands } = await import('./process/commands.js')
  return demoCommands(files, program)
}

/** The faults that can be switched on: name and effect. */
export async function demoFaults(): Promise<readonly (readonly [kind: string, does: string])[]> {
  const { faultKinds } = await import('./faults/catalogue.js')
  return faultKinds.map(({ kind, does }) => [kind, does] as const)
}

/** The market snapshot (`swap.snapshot/1`) that a new chain begins with. */
export async function firstDemoMarket(): Promise<object> {
  const shipped = shippedMarket()
  if (shipped !== undefined) return readable(shipped)
  const { demoSnapshot, DEMO_SEED } = await import('./market/snapshot.js')
  return readable(demoSnapshot(DEMO_SEED))
}

/** The market snapshot of the newest block in a chain's files; `undefined` when it has no block. */
export async function savedDemoMarket(files: DemoFiles): Promise<unknown> {
  if (!existsSync(files.state)) return undefined
  const { savedMarket } = await import('./process/saved-market.js')
  return savedMarket(files)
}
