import { accessSync, constants, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode, errorText } from '../../../engine/errors.js'
import { attempt } from '../../../platform/attempt.js'
import { type DriverFault, driverFault, type StoreFault, TRY_AGAIN } from '../fault.js'

/** SQLite's messages, the same in both drivers. */
const sentences: readonly (readonly [RegExp, DriverFault])[] = [
  [/database (table )?is locked|is busy/, 'locked'],
  [/database or disk is full/, 'full'],
  [/malformed|file is not a database|unsupported file format/, 'corrupt'],
  [/no such (table|column)|already exists|duplicate column|corrupted migrations/, 'corrupt'],
  // Of tables or rows that were changed by hand.
  [/ON CONFLICT clause|constraint failed|is a view|generated column/, 'corrupt'],
  [/EROFS/, 'readonly'],
  [/EMFILE|ENFILE/, 'slow'],
  [
    /unable to open|could not open|readonly database|disk I\/O error|permission denied|EACCES|ENOENT|ENOTDIR|EISDIR|EPERM|EFBIG/i,
    'down',
  ],
  [/ENOSPC|EDQUOT/, 'full'],
]

/** Free space below which the disk counts as full: a block's transaction may need it. */
const ROOM = 1_048_576

/** The meaning of a file's failure; `undefined` for a bug. */
export function sqliteFault(path: string, error: unknown): StoreFault | undefined {
  const text = errorText(error)
  const found = sentences.find(([sentence]) => sentence.test(text))?.[1]
  if (found === undefined) return undefined
  const kind = found === 'down' ? causeOf(path) : found
  return driverFault(kind, reasonOf(kind, path, text), hints[kind])
}

/** SQLite reports a read-only file system, and its WASM build a full disk, as any failed write. */
function causeOf(path: string): DriverFault {
  if (isReadOnly(path)) return 'readonly'
  return isFull(path) ? 'full' : 'down'
}

/** Whether the file system of a path is mounted read-only. */
export function isReadOnly(path: string, access: (folder: string) => void = writable): boolean {
  try {
    access(dirname(path))
    return false
  } catch (error) {
    return errorCode(error) === 'EROFS'
  }
}

const writable = (folder: string): void => accessSync(folder, constants.W_OK)

function isFull(path: string): boolean {
  const space = attempt(() => statfsSync(dirname(path)))
  return space !== undefined && space.bavail * space.bsize < ROOM
}

function reasonOf(kind: DriverFault, path: string, text: string): string {
  if (kind === 'locked') return `${path} stayed locked for 2 seconds`
  return kind === 'full'
    ? `${path} could not be written; what was committed is safe`
    : `${path}: ${text}`
}

const hints: Readonly<Record<DriverFault, string>> = {
  locked: 'try again; if it stays so, stop the other process that uses the file',
  full: 'free some space: indexing then continues',
  readonly: 'mount it writable, or name a file on another one: --database <file>',
  corrupt: 'move the file away and run `swap history --sync` to fill a new one from the chain',
  slow: TRY_AGAIN,
  down: 'check that the folder exists, and that you may write to it and to the file',
}
