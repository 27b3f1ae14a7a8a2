import { linkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { errorCode } from '../engine/errors.js'
import { named } from './atomic-file.js'
import { attempt } from './attempt.js'
import { regularText } from './file-stream.js'
import {
  identityIn,
  isSameProcess,
  type ProcessIdentity,
  processStatus,
  randomDigits,
  thisProcess,
} from './process-identity.js'

/** A lock that this process holds until it releases it or ends. */
export type FileLock = {
  /** Aborted when a heartbeat finds that another process has the lock, or that its file is gone. */
  readonly lost: AbortSignal
  /** Reads whether this process still has the lock: after a suspension it runs on before the next heartbeat. */
  isHeld(): boolean
  release(): void
}

/** The content and age of a lock file. */
type LockFile = {
  /** `undefined` while the file is being written, or after a loss of power truncated it. */
  readonly holder: ProcessIdentity | undefined
  /** Milliseconds since the last heartbeat. */
  readonly silentMs: number
}

/** When a lock is taken over. A process of this machine that has ended loses it at once. */
export type LockRules = {
  /** Milliseconds between heartbeats; 0 for locks that are held for a moment. */
  readonly heartbeatMs: number
  /** Silence after which a holder on another machine counts as gone. */
  readonly remoteSilenceMs: number
  /** Age at which a file that names no process counts as abandoned. */
  readonly unreadableMs: number
  /** Silence after which a running holder of this machine counts as stopped; default: never. */
  readonly stoppedMs?: number
  /** A file with this process's identity to link, instead of a new draft. */
  readonly identityFile?: string
  /** Runs before the lock changes hands, while no other process can take it. */
  readonly beforeTakeover?: () => void
}

/** Rules for locks held for minutes: a few heartbeats may fail on a network file system before the lock is lost. */
export const lockRules: LockRules = {
  heartbeatMs: 5_000,
  remoteSilenceMs: 60_000,
  unreadableMs: 60_000,
}

/** Another process holds a lock for longer than the caller waits. */
export class LockHeld extends Error {
  constructor(
    readonly path: string,
    readonly holder: ProcessIdentity | undefined,
  ) {
    super(`${path} is held by process ${holder?.pid ?? 'unknown'}`)
  }
}

const POLL_MS = 25

/** Most nested guards: each abandoned one is left by a process that died during a takeover. */
const DEPTH = 4

/**
 * Takes a lock that one process holds at a time. Its folder has to exist.
 *
 * @param waitMs how long to wait for another holder
 * @throws LockHeld
 */
export async function acquireLock(
  path: string,
  waitMs: number,
  rules: LockRules = lockRules,
): Promise<FileLock> {
  for (const end = performance.now() + waitMs; ; ) {
    const held = take(path, rules)
    if (held === undefined) return lockAt(path, rules)
    if (performance.now() >= end) throw new LockHeld(path, held.holder)
    await wait(Math.min(POLL_MS, Math.max(1, end - performance.now())))
  }
}

/** Takes a lock if it is free or abandoned. */
export const tryLock = (path: string, rules: LockRules = lockRules): FileLock | undefined =>
  take(path, rules) === undefined ? lockAt(path, rules) : undefined

/** @returns `undefined` if there is no lock file */
export function readLock(path: string): LockFile | undefined {
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (touched === undefined) return undefined
  const silentMs = Date.now() - touched
  try {
    return { holder: identityIn(JSON.parse(regularText(path))), silentMs }
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : { holder: undefined, silentMs }
  }
}

/** Whether the holder is gone, so that the lock may be taken over. */
export function isAbandoned({ holder, silentMs }: LockFile, rules: LockRules = lockRules): boolean {
  if (holder === undefined) return silentMs > rules.unreadableMs
  if (rules.stoppedMs !== undefined && silentMs > rules.stoppedMs) return true
  const status = processStatus(holder)
  return status === 'ended' || (status === 'elsewhere' && silentMs > rules.remoteSilenceMs)
}

/** Heartbeat: updates the time of a lock file. */
export function touchLock(path: string): void {
  const now = new Date()
  // If the file was removed, the next reader finds none.
  attempt(() => utimesSync(path, now, now))
}

/**
 * Writes a file with this process's identity, which is then linked or renamed to the lock. A token distinguishes it from
 * others of this process: after its file was removed, another call may have taken the lock.
 */
export function writeIdentity(path: string): void {
  try {
    const token = randomDigits()
    writeFileSync(path, JSON.stringify({ ...thisProcess(), token }), { mode: 0o600 })
  } catch (error) {
    throw named(path, error)
  }
}

const RELEASED: LockFile = { holder: undefined, silentMs: 0 }

/** @returns `undefined` if the lock is taken, otherwise the existing lock file */
function take(path: string, rules: LockRules, depth = 0): LockFile | undefined {
  const draft = `${path}.${process.pid}.${randomDigits()}`
  try {
    if (rules.identityFile === undefined) writeIdentity(draft)
    if (putFirst(rules.identityFile ?? draft, path)) return undefined
    const found = readLock(path)
    if (found === undefined) return RELEASED
    if (depth >= DEPTH || !isAbandoned(found, rules)) return found
    // Of two processes that find the same abandoned lock, the second must not remove the lock of the first: a takeover
    // holds a guard lock and reads the lock again.
    const guard = `${path}.dead`
    const other = take(guard, lockRules, depth + 1)
    if (other !== undefined) return other
    try {
      const again = readLock(path)
      if (again === undefined) return RELEASED
      if (!isSameProcess(again.holder, found.holder) || !isAbandoned(again, rules)) return again
      rules.beforeTakeover?.()
      writeIdentity(draft)
      renameSync(draft, path)
      return undefined
    } finally {
      rmSync(guard, { force: true })
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

function lockAt(path: string, rules: LockRules): FileLock {
  const lost = new AbortController()
  const own = ownLock(path)
  const isHeld = () => !lost.signal.aborted && isAt(path, own)
  const beat = () => (isHeld() ? touchLock(path) : lost.abort())
  const timer = rules.heartbeatMs > 0 ? setInterval(beat, rules.heartbeatMs).unref() : undefined
  let isReleased = false
  return {
    lost: lost.signal,
    isHeld,
    release() {
      clearInterval(timer)
      if (!isReleased) releaseAt(path, own, rules)
      isReleased = true
    },
  }
}

/** A lock that was taken. */
type OwnLock = { readonly text: string; readonly inode: bigint | undefined }

/** Removes the lock if it cannot be read: it could never be released. */
function ownLock(path: string): OwnLock {
  try {
    return { text: regularText(path), inode: inodeOf(path) }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/** Compares inodes where the process can open no further file: a lock that is not released would be held forever. */
function isAt(path: string, { text, inode }: OwnLock): boolean {
  try {
    return regularText(path) === text
  } catch (error) {
    // Otherwise the file was removed, or its folder cannot be read any more.
    return /^E[MN]FILE$/.test(errorCode(error) ?? '') && inodeOf(path) === inode
  }
}

/**
 * Removes the lock if it is still this process's own, a lock with heartbeats under the guard: otherwise a third process
 * could take the lock between the second read and the rename of a takeover, which would replace it. Never throws, since
 * what was done under the lock is still to be reported; a lock that remains counts as abandoned once this process has
 * ended.
 */
function releaseAt(path: string, own: OwnLock, { heartbeatMs }: LockRules): void {
  const guard = `${path}.dead`
  const isGuarded = heartbeatMs > 0 && takeSoon(guard)
  // The file system may be read-only by now.
  attempt(() => isAt(path, own) && rmSync(path, { force: true }))
  if (isGuarded) rmSync(guard, { force: true })
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Guards are held for microseconds. Where the disk is full none can be taken, for a takeover neither. */
function takeSoon(guard: string): boolean {
  try {
    for (let tries = 0; tries < 100; tries++) {
      if (take(guard, lockRules) === undefined) return true
      Atomics.wait(pause, 0, 0, 5)
    }
  } catch {}
  return false
}

/** Creates the lock file with its content in one step; only one process succeeds. */
function putFirst(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    return createFirst(draft, path)
  }
}

/** For file systems without links: creates the file exclusively and writes the content afterwards. */
function createFirst(draft: string, path: string): boolean {
  const text = regularText(draft)
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    // On a full disk, remove the empty lock, which would block every other process.
    if (!isAt(path, { text, inode: undefined })) rmSync(path, { force: true })
    throw error
  }
}
