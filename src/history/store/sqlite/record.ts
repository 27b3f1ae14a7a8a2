import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { fateOf, type ProcessMark } from './process.js'

/** A file that says which process holds something, as found on the disk. */
export type Record = {
  /** Nothing while it is being written, and for ever if its writer was killed just then. */
  readonly owner: ProcessMark | undefined
  readonly ageMs: number
}

/** A record without an owner, or a guard, that is older was left by a process killed in between. */
const LEFT_MS = 5_000

/** Creates the record; false when there is one. */
export function takeRecord(path: string, owner: ProcessMark): boolean {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    writeSync(file, JSON.stringify(owner))
    return true
  } catch (error) {
    // A full disk: a record that names nobody would hold up everybody.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/**
 * The same at one stroke, by a further name for a file that says who we are: nobody ever sees it half
 * written. False when there is a record; `undefined` where the disk cannot give a file two names.
 */
export function linkRecord(path: string, own: string): boolean | undefined {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS')
      return undefined
    throw error
  }
}

export function readRecord(path: string): Record | undefined {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs
    return { owner: markOf(readFileSync(path, 'utf8')), ageMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Whether the record's process is gone: dead, killed while it wrote, or of another machine and not
 * heard of for `silentMs`.
 */
export function isGone(record: Record, silentMs: number): boolean {
  if (record.owner === undefined) return record.ageMs > LEFT_MS
  const fate = fateOf(record.owner)
  return fate === 'dead' || (fate === 'elsewhere' && record.ageMs > silentMs)
}

/** Shows that the owner of a record lives. */
export const touchRecord = (path: string): void => {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // Somebody removed it: whoever reads it next finds that out.
  }
}

function markOf(text: string): ProcessMark | undefined {
  try {
    const mark = JSON.parse(text) as Partial<ProcessMark>
    const { pid, host, start } = mark
    if (typeof pid !== 'number' || typeof host !== 'string') return undefined
    return { pid, host, start: typeof start === 'string' ? start : '' }
  } catch {
    return undefined
  }
}

/**
 * Removes a record that `isStale`, looked at again under a guard: two processes that find the same
 * stale record must not remove the one that the quicker of them took meanwhile. `undo` runs before
 * the record goes, while nobody else can take it. False when there was nothing to remove.
 */
export function breakRecord(
  path: string,
  isStale: (record: Record) => boolean,
  undo: () => void = () => {},
): boolean {
  const guard = `${path}.guard`
  try {
    closeSync(openSync(guard, 'wx', 0o600))
  } catch {
    const held = readRecord(guard)
    if (held !== undefined && held.ageMs > LEFT_MS) rmSync(guard, { force: true })
    return false
  }
  try {
    const record = readRecord(path)
    if (record === undefined || !isStale(record)) return false
    undo()
    rmSync(path, { force: true })
    return true
  } finally {
    rmSync(guard, { force: true })
  }
}
