import { accessSync, constants, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type FaultKind, StoreFault } from '../fault.js'

/** SQLite's messages, the same in both drivers. */
const sentences: readonly (readonly [RegExp, FaultKind])[] = [
  [/database (table )?is locked|is busy/, 'locked'],
  [/database or disk is full/, 'full'],
  [/malformed|file is not a database|unsupported file format/, 'corrupt'],
  [/EROFS/, 'readonly'],
  [
    /unable to open|could not open|readonly database|disk I\/O error|permission denied|EACCES|ENOENT|ENOTDIR|EISDIR|EPERM/i,
    'down',
  ],
  [/ENOSPC|EDQUOT/, 'full'],
]

/** The least free space that a block's transaction may need. */
const ROOM = 1_048_576

/** The meaning of a file's failure; `undefined` for a bug. */
export function sqliteFault(path: string, error: unknown): StoreFault | undefined {
  const text = error instanceof Error ? error.message : String(error)
  const kind = sentences.find(([sentence]) => sentence.test(text))?.[1]
  if (kind === undefined) return undefined
  return faults[kind === 'down' ? causeOf(path) : kind]?.(path, text)
}

/** SQLite reports a read-only file system, and its WASM build a full disk, as any failed write. */
function causeOf(path: string): FaultKind {
  if (isReadOnly(path)) return 'readonly'
  return isFull(path) ? 'full' : 'down'
}

/** Whether the file system of a path is mounted read-only. */
export function isReadOnly(path: string, access: (folder: string) => void = writable): boolean {
  try {
    access(dirname(path))
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}

const writable = (folder: string): void => accessSync(folder, constants.W_OK)

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < ROOM
  } catch {
    return false
  }
}

const faults: Partial<Record<FaultKind, (path: string, why: string) => StoreFault>> = {
  locked: (path) =>
    new StoreFault('locked', 'the history database is locked by another process', {
      why: `${path} stayed locked for 2 seconds`,
      hint: 'try again; if it stays so, stop the other process that uses the file',
    }),
  full: (path) =>
    new StoreFault('full', 'the disk of the history database is full', {
      why: `${path} could not be written; what was committed is safe`,
      hint: 'free some space: indexing then continues',
    }),
  readonly: (path, why) =>
    new StoreFault('readonly', 'the file system of the history database is read-only', {
      why: `${path}: ${why}`,
      hint: 'mount it writable, or name a file on another one: --database PATH',
    }),
  corrupt: (path, why) =>
    new StoreFault('corrupt', 'the history database is damaged', {
      why: `${path}: ${why}`,
      hint: 'move the file away and run `swap history --sync` to fill a new one from the chain',
    }),
  down: (path, why) =>
    new StoreFault('down', 'the history database cannot be used', {
      why: `${path}: ${why}`,
      hint: 'check that the folder exists, and that you may write to it and to the file',
    }),
}
