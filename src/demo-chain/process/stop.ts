import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { processStatus } from '../../platform/process-identity.js'
import type { DemoFiles } from './files.js'
import { lockChain } from './lock.js'
import { findProcess } from './record.js'

/** Milliseconds in which a process has to finish its block and release its files. */
const PATIENCE_MS = 10_000
const LOOK_MS = 20

/** Ends the process that runs the chain; does nothing when there is none. */
export async function stopProcess(places: DemoFiles): Promise<{ readonly pid: number | null }> {
  const found = findProcess(places)
  if (!found) return { pid: null }
  signal(found.pid, 'SIGTERM')
  const last = Date.now() + PATIENCE_MS
  while (processStatus(found) === 'running') {
    // It loses at most the block in the making: every other one is in the file.
    if (Date.now() > last) signal(found.pid, 'SIGKILL')
    await wait(LOOK_MS)
  }
  findProcess(places)
  return { pid: found.pid }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // The process has ended in the meantime.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Ends the process and removes everything that the chain has left. */
export async function resetChain(
  places: DemoFiles,
): Promise<{ readonly pid: number | null; readonly removed: readonly string[] }> {
  const { pid } = await stopProcess(places)
  const lock = await lockChain(places.lock)
  try {
    const removed = readdirSync(places.folder)
      .filter((name) => !name.startsWith('lock'))
      .map((name) => join(places.folder, name))
      .sort()
    for (const path of removed) rmSync(path, { recursive: true, force: true })
    return { pid, removed }
  } finally {
    lock.release()
    removeEmpty(places.folder)
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Another process has created files in it.
  }
}
