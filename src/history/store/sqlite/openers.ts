import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StoreFault } from '../fault.js'
import type { DriverName } from './messages.js'
import { type ProcessMark, thisProcess } from './process.js'
import { isGone, readRecord, takeRecord, touchRecord } from './record.js'

let opened = 0

const BEAT_MS = 10_000
/** A process of another machine that has not shown itself for so long is taken for gone. */
const SILENT_MS = 60_000

/** That this process has a database open. */
export type Opener = {
  /** The file that says so. */
  readonly own: string
  leave(): void
}

/**
 * Writes down that this process has the file open, and with which driver. The two drivers lock differently and would not see each other.
 *
 * @throws StoreFault `BUSY` while a living process has the file open with the other driver.
 */
export function announce(path: string, driver: DriverName): Opener {
  const folder = `${path}.open`
  opened += 1
  const mark = thisProcess()
  const own = `${driver}-${encodeURIComponent(mark.host)}-${mark.pid}-${opened}`
  writeDown(folder, own, mark)
  const beat = setInterval(() => touchRecord(join(folder, own)), BEAT_MS).unref()
  const leave = (): void => {
    clearInterval(beat)
    rmSync(join(folder, own), { force: true })
    removeIfEmpty(folder)
  }
  for (const name of readdirSync(folder)) {
    const record = name === own ? undefined : readRecord(join(folder, name))
    if (record === undefined) continue
    if (isGone(record, SILENT_MS)) rmSync(join(folder, name), { force: true })
    else if (!name.startsWith(`${driver}-`)) {
      leave()
      throw otherDriver(path, record.owner?.pid)
    }
  }
  return { own: join(folder, own), leave }
}

/** Whoever leaves last removes the folder, which may be just now. */
function writeDown(folder: string, own: string, mark: ProcessMark): void {
  for (let attempt = 1; ; attempt += 1)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      rmSync(join(folder, own), { force: true })
      takeRecord(join(folder, own), mark)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt >= 10) throw error
    }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody else has the file open, or has removed the folder already.
  }
}

const otherDriver = (path: string, pid: number | undefined): StoreFault =>
  new StoreFault('locked', 'the history database is open in a program of another version of Node', {
    why: `process ${pid ?? 'unknown'} has ${path} open with the other of the two SQLite drivers; their locks do not know each other`,
    hint: 'run both with Node 22.13 or newer, or both with an older one, or use PostgreSQL',
  })
