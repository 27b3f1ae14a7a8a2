import { dirname, join } from 'node:path'
import { SwapError } from '../../engine/errors.js'
import { acquireLock, type FileLock, LockHeld } from '../../platform/lock-file.js'
import { ownFolder, storageFailure } from './durable.js'
import type { Owner } from './intent.js'

/**
 * Takes the lock of an account on a chain: only its holder may sign for the account. The lock of a process that has
 * ended is taken over by one process only.
 *
 * @param waitMs how long to wait for another process
 * @throws SwapError BUSY that names the holder, NOT_READY if the lock cannot be created
 */
export async function lockAccount(
  folder: string,
  { chainId, address }: Owner,
  waitMs: number,
): Promise<FileLock> {
  const path = join(folder, `${chainId}.${address}.lock`)
  ownFolder('the lock', folder)
  try {
    return await acquireLock(path, waitMs)
  } catch (error) {
    throw error instanceof LockHeld
      ? busy(error, address)
      : storageFailure('the lock', dirname(path), error)
  }
}

function busy({ holder, path }: LockHeld, address: string): SwapError {
  const pid = holder?.pid ?? 0
  return new SwapError('BUSY', 'another process is executing with this account', {
    why: `process ${pid}${holder === undefined ? '' : ` on ${holder.host}`} holds ${address}`,
    hint: 'wait for it, or let this one wait: --lock-wait 30s',
    members: { pid, path },
  })
}
