import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../../engine/errors.js'
import { attempt } from '../../../platform/attempt.js'
import { isAbandoned, readLock, touchLock, writeIdentity } from '../../../platform/lock-file.js'
import { thisProcess } from '../../../platform/process-identity.js'
import { StoreFault } from '../fault.js'
import type { DriverName } from './handle.js'

const BEAT_MS = 10_000

const rules = { heartbeatMs: BEAT_MS, remoteSilenceMs: 60_000, unreadableMs: 5_000 }

/**
 * Records that this process has the file open, and with which driver: the two drivers do not see each other's locks.
 *
 * @throws StoreFault `BUSY` while a running process has the file open with the other driver
 */
export function registerOpener(path: string, driver: DriverName) {
  const folder = `${path}.open`
  const { host, pid } = thisProcess()
  // Random: threads of one process that count from 1 would share a record, and with it the lock of the file.
  const own = `${driver}-${encodeURIComponent(host)}-${pid}-${randomBytes(6).toString('hex')}`
  writeDown(folder, own)
  const beat = setInterval(() => touchLock(join(folder, own)), BEAT_MS).unref()
  const leave = (): void => {
    clearInterval(beat)
    rmSync(join(folder, own), { force: true })
    // It is not empty if another process has the file open, which may also have removed the folder.
    attempt(() => rmdirSync(folder))
  }
  for (const name of readdirSync(folder)) {
    const record = name === own ? undefined : readLock(join(folder, name))
    if (record === undefined) continue
    if (isAbandoned(record, rules)) rmSync(join(folder, name), { force: true })
    else if (!name.startsWith(`${driver}-`)) {
      leave()
      throw otherDriver(path, record.holder?.pid)
    }
  }
  /** The file with this process's identity. */
  return { own: join(folder, own), leave }
}

/** Writes the record; repeats if the last other process removes the folder at the same time. */
function writeDown(folder: string, own: string): void {
  for (let attempt = 1; ; attempt += 1)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeIdentity(join(folder, own))
      return
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || attempt >= 10) throw error
    }
}

const otherDriver = (path: string, pid: number | undefined): StoreFault =>
  new StoreFault('locked', 'the history database is open in a program of another version of Node', {
    why: `process ${pid ?? 'unknown'} has ${path} open with the other of the two SQLite drivers; their locks do not know each other`,
    hint: 'run both with Node 22.13 or newer, or both with an older one, or use PostgreSQL',
  })
