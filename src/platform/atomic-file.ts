import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode, invalidRequest, SwapError } from '../engine/errors.js'
import { attempt } from './attempt.js'
import { randomDigits } from './process-identity.js'

type WriteOptions = {
  /** Permissions of the file, or the process's default for new files; default 0600. */
  readonly mode?: number | 'umask'
  /** Flush the file and its folder, so that the change survives a loss of power. */
  readonly isDurable?: boolean
  /** The path of the draft; default: a hidden file with a random name in the same folder. */
  readonly draft?: string
}

/** The target of a symbolic link, which need not exist; any other path unchanged. */
export function linkTarget(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return attempt(() => resolve(dirname(path), readlinkSync(path))) ?? path
}

/** The content of a file, or a function that writes it to the open file. */
export type Content = string | Uint8Array | ((file: number) => void)

/** Replaces a file atomically: readers find the former content or the new one, never a part. */
export function replaceFile(path: string, content: Content, options: WriteOptions = {}): void {
  const draft = writeDraft(path, content, options)
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  if (options.isDurable) syncFolder(dirname(path))
}

/**
 * Replaces a file that the user named: a link stays a link, and permissions stay what they are.
 *
 * @throws SwapError INVALID_REQUEST for a device or a pipe, which a rename would replace
 */
export function replaceNamedFile(path: string, content: Content): void {
  const present = statSync(path, { throwIfNoEntry: false })
  if (present !== undefined && !present.isFile() && !present.isDirectory())
    throw invalidRequest(`${path} cannot be written`, '', {
      why: 'it is not a regular file',
      hint: { cli: 'name a file, or - for standard output', http: undefined },
    })
  replaceFile(linkTarget(path), content, { mode: present?.mode ?? 'umask' })
}

/**
 * Creates a file atomically. Never overwrites a file, and leaves none where it throws.
 *
 * @returns `false` if the file exists
 */
export function createFile(path: string, content: Content, options: WriteOptions = {}): boolean {
  const draft = writeDraft(path, content, options)
  try {
    linkSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    rmSync(draft, { force: true })
    if (options.isDurable) syncFolder(dirname(path))
    return true
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Renames a file within its folder so that the new name survives a loss of power. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFolder(dirname(to))
}

/** Creates a folder that only its owner can read, with its parents, durably; does nothing if it exists. */
export function makeFolder(folder: string): void {
  const path = resolve(folder)
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made))
}

/** Flushes the entries of a folder; not needed on Windows. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } catch (error) {
    throw named(folder, error)
  } finally {
    closeSync(handle)
  }
}

/** Drafts of this module: `.main.json.3f0c….tmp` for `main.json`. */
export const draftName = /^\.(.+)\.[0-9a-f]{16}\.tmp$/

/** @returns the path of the complete draft */
function writeDraft(path: string, content: Content, options: WriteOptions): string {
  const { mode = 0o600, isDurable, draft: given } = options
  const draft = given ?? join(dirname(path), `.${basename(path)}.${randomDigits()}.tmp`)
  const { O_WRONLY, O_CREAT, O_TRUNC, O_EXCL, O_NOFOLLOW = 0 } = constants
  const how = given === undefined ? O_EXCL | O_NOFOLLOW : O_TRUNC
  const file = openSync(draft, O_WRONLY | O_CREAT | how, mode === 'umask' ? 0o666 : mode)
  try {
    // A strict umask may have removed permissions of the owner.
    if (mode !== 'umask' && process.platform !== 'win32') fchmodSync(file, mode)
    if (typeof content === 'function') content(file)
    else writeFileSync(file, content)
    if (isDurable) fsyncSync(file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw named(path, error)
  } finally {
    closeSync(file)
  }
  return draft
}

/** The error of a system call with the path of its file: the system does not name that of a descriptor. */
export const named = (path: string, error: unknown): unknown =>
  error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'you have no permission to write there',
  EPERM: 'the file is immutable, or its file system has no links or modes',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EFBIG: 'it is larger than a file may be there (ulimit -f)',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'symbolic links lead from one to another without end',
  // The caller has checked the path, so it can only be a dangling link.
  EEXIST: 'it is a symbolic link to a file that does not exist',
}

const FREE_SPACE = 'free some space, then run the command again'
const OPEN_MORE = 'let it open more files (ulimit -n), then run the command again'
/** What to do about codes whose cause is not the file itself. */
export const remedies: Readonly<Record<string, string>> = {
  ENOSPC: FREE_SPACE,
  EDQUOT: FREE_SPACE,
  EMFILE: OPEN_MORE,
  ENFILE: OPEN_MORE,
  EFBIG: 'let files be larger (ulimit -f), then run the command again',
}

/** What the work on a file that the user named returns. @throws what `unwritableFile` returns */
export function writingTo<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw unwritableFile(path, error)
  }
}

/**
 * The error of a file that the user named and the system cannot write: INVALID_REQUEST, or NOT_READY where the cause is
 * not the file itself; any other error unchanged.
 */
export function unwritableFile(path: string, error: unknown): unknown {
  if (error instanceof SwapError || !(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  const [reason, remedy] = [reasons[code], remedies[code]]
  const message = `${path} cannot be written`
  const why = reason === undefined ? `the system answers ${code}` : `${reason} (${code})`
  if (remedy !== undefined)
    return new SwapError('NOT_READY', message, { why, hint: { cli: remedy, http: undefined } })
  return invalidRequest(message, '', {
    why,
    hint: {
      cli:
        code === 'EEXIST'
          ? 'remove the link, or name the file that it is to lead to'
          : 'name a file in a folder that exists and that you may write to',
      http: undefined,
    },
  })
}
