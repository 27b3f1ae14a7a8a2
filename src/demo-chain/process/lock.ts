import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { SwapError } from '../../engine/errors.js'
import { acquireLock, type FileLock, LockHeld } from '../../platform/lock-file.js'

/**
 * Takes the lock of a chain: only its holder makes blocks.
 *
 * @param waitMs how long to wait for another process
 * @throws SwapError BUSY that names the holder
 */
export async function lockChain(path: string, waitMs = 2_000): Promise<FileLock> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    return await acquireLock(path, waitMs)
  } catch (error) {
    throw error instanceof LockHeld ? chainHeld(error) : error
  }
}

const chainHeld = ({ holder, path }: LockHeld): SwapError =>
  new SwapError('BUSY', `the demo chain is held by process ${holder?.pid ?? 'unknown'}`, {
    why: `only one process at a time may make its blocks (${path})`,
    hint: 'try again in a moment, or end that process: swap demo stop',
    members: { pid: holder?.pid ?? null },
  })
