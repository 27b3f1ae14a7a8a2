import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { thisProcess } from '../../leader/process.js'
import { isGone, readRecord, takeRecord, touchRecord } from '../../leader/record.js'
import { StoreFault } from '../fault.js'
import type { DriverName } from './messages.js'

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
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  opened += 1
  const mark = thisProcess()
  const own = `${driver}-${encodeURIComponent(mark.host)}-${mark.pid}-${opened}`
  rmSync(join(folder, own), { force: true })
  takeRecord(join(folder, own), mark)
  const beat = setInterval(() => touchRecord(join(folder, own)), BEAT_MS).unref()
  const leave = (): void => {
    clearInterval(beat)
    rmSync(join(folder, own), { force: true })
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

const otherDriver = (path: string, pid: number | undefined): StoreFault =>
  new StoreFault('locked', 'The history database is open in a program of another version of Node', {
    why: `Process ${pid ?? 'unknown'} has ${path} open with the other of the two SQLite drivers; their locks do not know each other.`,
    hint: 'Run both with Node 22.13 or newer, or both with an older one, or use PostgreSQL',
  })
