import { randomBytes } from 'node:crypto'
import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { errorCode } from '../engine/errors.js'
import {
  identityIn,
  isSameProcess,
  type ProcessIdentity,
  processStatus,
  thisProcess,
} from './process-identity.js'

/** A lock that this process holds until it releases it or ends. */
export type FileLock = {
  /** Aborted when a heartbeat finds that another process has taken the lock over. */
  readonly lost: AbortSignal
  release(): void
}

/** A lock file as found on the disk. */
type LockFile = {
  /** `undefined` while the file is being filled, or when a loss of power cut it off. */
  readonly holder: ProcessIdentity | undefined
  /** Milliseconds since the last heartbeat. */
  readonly silentMs: number
}

/** When a lock is taken from its holder. A process of this machine that has ended loses it at once. */
export type LockRules = {
  /** Milliseconds between heartbeats; 0 for locks that are held for a moment. */
  readonly heartbeatMs: number
  /** Silence after which a holder on another machine counts as gone. */
  readonly remoteSilenceMs: number
  /** Age at which a file that names no process counts as abandoned. */
  readonly unreadableMs: number
  /** Silence after which a running holder of this machine counts as stopped; default: never. */
  readonly stoppedMs?: number
  /** A file with this process's identity that is linked instead of a fresh draft. */
  readonly identityFile?: string
  /** Runs before the lock changes hands, while no other process can take it. */
  readonly beforeTakeover?: () => void
}

/** A lock of minutes: a few heartbeats may fail on a network file system before it is lost. */
export const lockRules: LockRules = {
  heartbeatMs: 5_000,
  remoteSilenceMs: 60_000,
  unreadableMs: 60_000,
}

/** Thrown when another process keeps a lock for longer than the caller waits. */
export class LockHeld extends Error {
  constructor(
    readonly path: string,
    readonly holder: ProcessIdentity | undefined,
  ) {
    super(`${path} is held by process ${holder?.pid ?? 'unknown'}`)
  }
}

const POLL_MS = 25

/** Guards of guards: how many processes in a row may have died during a takeover. */
const DEPTH = 4

/**
 * Takes a lock that one process holds at a time. Its folder has to be there.
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

/** @returns `undefined` where there is no lock file */
export function readLock(path: string): LockFile | undefined {
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (touched === undefined) return undefined
  const silentMs = Date.now() - touched
  try {
    return { holder: identityIn(JSON.parse(readFileSync(path, 'utf8'))), silentMs }
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

/** Shows that the process named in a file still runs. */
export function touchLock(path: string): void {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    // The file was removed; the next reader finds none.
  }
}

/** A file that names this process: written beside the lock, then linked or renamed to it. */
export function writeIdentity(path: string): void {
  writeFileSync(path, JSON.stringify(thisProcess()), { mode: 0o600 })
}

const released: LockFile = { holder: undefined, silentMs: 0 }

/** @returns `undefined` once the lock is taken, otherwise the file that is in the way */
function take(path: string, rules: LockRules, depth = 0): LockFile | undefined {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  if (rules.identityFile === undefined) writeIdentity(draft)
  try {
    if (putFirst(rules.identityFile ?? draft, path)) return undefined
    const found = readLock(path)
    if (found === undefined) return released
    if (depth >= DEPTH || !isAbandoned(found, rules)) return found
    // Of two processes that find the same abandoned lock, the slower must not take the quicker one's:
    // a takeover holds a second lock and looks at the first again.
    const guard = `${path}.dead`
    const other = take(guard, lockRules, depth + 1)
    if (other !== undefined) return other
    try {
      const again = readLock(path)
      if (again === undefined) return released
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
  const beat = () => (isOwn(path) ? touchLock(path) : lost.abort())
  const timer = rules.heartbeatMs > 0 ? setInterval(beat, rules.heartbeatMs).unref() : undefined
  let isReleased = false
  return {
    lost: lost.signal,
    release() {
      clearInterval(timer)
      if (!isReleased) releaseAt(path, rules)
      isReleased = true
    },
  }
}

/**
 * Removes the lock if it is still this process's. Under the guard, because a process that takes it over
 * must not replace the lock of a third one that was taken between its second look and its rename.
 */
function releaseAt(path: string, { heartbeatMs }: LockRules): void {
  const guard = `${path}.dead`
  const isGuarded = heartbeatMs > 0 && takeSoon(guard)
  try {
    if (isOwn(path)) rmSync(path, { force: true })
  } finally {
    if (isGuarded) rmSync(guard, { force: true })
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Guards are held for microseconds. */
function takeSoon(guard: string): boolean {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (take(guard, lockRules) === undefined) return true
    Atomics.wait(pause, 0, 0, 5)
  }
  return false
}

const isOwn = (path: string): boolean => isSameProcess(readLock(path)?.holder, thisProcess())

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

/** For file systems without links: creation is exclusive as well, but the content follows it. */
function createFirst(draft: string, path: string): boolean {
  const text = readFileSync(draft)
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    // A full disk: a lock that names no process would block every other one.
    if (!isOwn(path)) rmSync(path, { force: true })
    throw error
  }
}
