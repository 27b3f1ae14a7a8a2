import { rmdirSync } from 'node:fs'
import { type FileLock, type LockRules, tryLock } from '../../../platform/lock-file.js'
import { BUSY_MS } from './handle.js'

/** Exclusive use of a file among the processes that open it with the WASM build. */
export type Holder = {
  /** Blocks until this process holds the file. @throws Error `database is locked` */
  take(): void
  release(): void
  hold<T>(use: () => T): T
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Time limit for opening: longer than `unreadableMs` of a process that was killed as it took the lock. */
const OPEN_MS = 7_000

/**
 * The lock beside the database `path`; `identityFile` says that this process has it open. Waiting
 * blocks the thread, so it needs one of its own.
 */
export function holderOf(path: string, identityFile: string): Holder {
  const rules: LockRules = {
    // A use of the file takes milliseconds, at most seconds.
    heartbeatMs: 0,
    remoteSilenceMs: 60_000,
    unreadableMs: 5_000,
    identityFile,
    beforeTakeover: () => unlock(path),
  }
  let lock: FileLock | undefined
  const take = (limitMs: number): void => {
    const end = Date.now() + limitMs
    for (let waitMs = 1; lock === undefined; waitMs = Math.min(2 * waitMs, 20)) {
      lock = tryLock(`${path}.holder`, rules)
      if (lock !== undefined) return
      if (Date.now() > end) throw new Error('database is locked')
      Atomics.wait(pause, 0, 0, waitMs)
    }
  }
  const holder: Holder = {
    take: () => take(BUSY_MS),
    release: () => {
      lock?.release()
      lock = undefined
    },
    hold: (use) => {
      take(OPEN_MS)
      try {
        return use()
      } finally {
        holder.release()
      }
    },
  }
  return holder
}

/** Removes SQLite's lock directory that a killed process left behind. */
function unlock(path: string): void {
  try {
    rmdirSync(`${path}.lock`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
