import { rmdirSync, rmSync } from 'node:fs'
import { BUSY_MS } from './handle.js'
import { thisProcess } from './process.js'
import { breakRecord, isGone, linkRecord, type Record, readRecord, takeRecord } from './record.js'

/** Who uses the file just now, of the processes that open it with the WASM build. */
export type Holder = {
  /** Waits for its turn; nothing to do when it has it. @throws Error `database is locked` */
  take(): void
  release(): void
  hold<T>(use: () => T): T
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** How long opening waits: longer than a record counts whose process was killed while it wrote it. */
const OPEN_MS = 7_000

/**
 * The record beside the database `path`; `own` is the file that says that this process has it open.
 * It blocks while it waits: for a thread of its own.
 */
export function holderOf(path: string, own: string): Holder {
  const record = `${path}.holder`
  const owner = thisProcess()
  let held = false
  const attempt = (): boolean => {
    if (linkRecord(record, own) ?? takeRecord(record, owner)) return true
    const found = readRecord(record)
    if (found !== undefined && isStale(found)) breakRecord(record, isStale, () => unlock(path))
    return false
  }
  const take = (limitMs: number): void => {
    const end = Date.now() + limitMs
    for (let waitMs = 1; !held; waitMs = Math.min(2 * waitMs, 20)) {
      held = attempt()
      if (held) return
      if (Date.now() > end) throw new Error('database is locked')
      Atomics.wait(pause, 0, 0, waitMs)
    }
  }
  const holder: Holder = {
    take: () => take(BUSY_MS),
    release: () => {
      if (held) rmSync(record, { force: true })
      held = false
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

/** A use of the file takes milliseconds, a long one seconds. */
const SILENT_MS = 60_000

const isStale = (record: Record): boolean => isGone(record, SILENT_MS)

/** Removes the lock directory of a process that died holding it. */
function unlock(path: string): void {
  try {
    rmdirSync(`${path}.lock`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
