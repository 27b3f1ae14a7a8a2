import { dirname, join } from 'node:path'
import { SwapError } from '../../engine/errors.js'
import type { PlanDocument } from '../../operations/plan/plan-documents.js'
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
export const lockAccount = (
  folder: string,
  { chainId, address }: Owner,
  waitMs: number,
): Promise<FileLock> =>
  lockNamed(folder, [chainId, address], {
    waitMs,
    busy: 'another execution with this account is running',
  })

/** Takes the lock of a plan on a chain, which only one account executes. @throws SwapError as `lockAccount` */
export const lockPlan = (
  folder: string,
  { chain_id, id }: Pick<PlanDocument, 'chain_id' | 'id'>,
  waitMs: number,
): Promise<FileLock> =>
  lockNamed(folder, [chain_id, id], { waitMs, busy: 'another process is executing this plan' })

/** Takes the lock of an account by its address, or of a plan by its id; `busy` is the message of BUSY. */
export async function lockNamed(
  folder: string,
  [chainId, name]: readonly [chainId: string, name: string],
  { waitMs, busy }: { readonly waitMs: number; readonly busy: string },
): Promise<FileLock> {
  const path = join(folder, `${chainId}.${name}.lock`)
  ownFolder('the lock', folder)
  try {
    return await acquireLock(path, waitMs)
  } catch (error) {
    throw error instanceof LockHeld
      ? busyWith(error, name, busy)
      : storageFailure('the lock', dirname(path), error)
  }
}

function busyWith({ holder, path }: LockHeld, name: string, message: string): SwapError {
  const who =
    holder === undefined ? 'an unknown process' : `process ${holder.pid} on ${holder.host}`
  return new SwapError('BUSY', message, {
    why: `${who} holds ${name}`,
    hint: {
      cli: 'wait for it, or let this one wait: --lock-wait 30s',
      http: 'wait for it, and call again',
    },
    members: { ...(holder && { pid: holder.pid }), path },
  })
}
