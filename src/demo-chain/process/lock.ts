import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SwapError } from '../../engine/errors.js'
import { beginningOf } from '../../platform/process-identity.js'

/** A process that cannot be mistaken for another one which got its number later. */
export type Identity = {
  readonly pid: number
  /** When it began, as the system counts; empty where that cannot be known. */
  readonly began: string
}

/** The start time of a process; on systems without `/proc` it is read with `ps`. */
function beganAt(pid: number): string | undefined {
  const began = beginningOf(pid)
  if (began !== '' || process.platform === 'linux' || process.platform === 'win32') return began
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return (stdout ?? '').trim()
}

let own: Identity | undefined

/** This process. */
export function self(): Identity {
  own ??= { pid: process.pid, began: beganAt(process.pid) ?? '' }
  return own
}

/** Whether it is still this process that runs under its number. */
export function isAlive({ pid, began }: Identity): boolean {
  const now = beganAt(pid)
  return now !== undefined && (now === '' || began === '' || now === began)
}

/** The process identity in a parsed file, or `undefined` if it holds none. */
export function identityIn(value: unknown): Identity | undefined {
  const { pid, began } = (value ?? {}) as Partial<Identity>
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined
  return typeof began === 'string' ? { pid, began } : undefined
}

/** A lock that is held. */
export type Lock = { release(): void }

/** Interval between two attempts to take the lock. */
const LOOK_MS = 25

/** Guards of guards: how many holders in a row may have died while taking over. */
const DEPTH = 4

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function holderOf(path: string): Identity | undefined {
  try {
    return identityIn(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

const isSame = (one: Identity | undefined, other: Identity | undefined): boolean =>
  one?.pid === other?.pid && one?.began === other?.began

let drafts = 0

/** Writes a file beside the lock with the identity of this process. */
function draftOf(path: string): string {
  const draft = `${path}.${process.pid}.${++drafts}`
  writeFileSync(draft, JSON.stringify(self()), { mode: 0o600 })
  return draft
}

/** Links the draft to the lock's path: atomic, and successful for one process only. */
function putFirst(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    // A file system without links: creating is exclusive as well, though filling comes after it.
    return created(path)
  }
}

function created(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(self()), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Takes a lock without waiting. One whose holder has died is taken over: by one process only, since
 * the process that does so holds a second lock meanwhile and checks again that the holder is dead.
 *
 * @returns nothing once it is taken, else the holder
 */
function take(path: string, depth = 0): Identity | undefined {
  const draft = draftOf(path)
  try {
    if (putFirst(draft, path)) return undefined
    const holder = holderOf(path)
    if (holder === undefined || isAlive(holder) || depth >= DEPTH) return holder ?? unknown
    const guard = `${path}.dead`
    const other = take(guard, depth + 1)
    if (other) return other
    try {
      if (!isSame(holderOf(path), holder)) return holderOf(path) ?? unknown
      renameSync(draft, path)
      return undefined
    } finally {
      rmSync(guard, { force: true })
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A holder that has just released the lock or not yet written its identity. */
const unknown: Identity = { pid: 0, began: '' }

/**
 * Takes a lock that one process of this machine holds at a time.
 *
 * @param waitMs how long to wait for another one
 * @throws SwapError BUSY that names the holder
 */
export async function acquireLock(path: string, waitMs = 2_000): Promise<Lock> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const last = Date.now() + waitMs
  for (;;) {
    const holder = take(path)
    if (!holder) return { release: () => release(path) }
    if (Date.now() >= last) throw heldBy(holder, path)
    await wait(LOOK_MS)
  }
}

/** Takes a lock if it is free. */
export function tryLock(path: string): Lock | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return take(path) === undefined ? { release: () => release(path) } : undefined
}

function release(path: string): void {
  if (isSame(holderOf(path), self())) rmSync(path, { force: true })
}

const heldBy = ({ pid }: Identity, path: string): SwapError =>
  new SwapError('BUSY', `the demo chain is held by process ${pid === 0 ? 'unknown' : pid}`, {
    why: `only one process at a time may make its blocks (${path})`,
    hint: 'try again in a moment, or end that process: swap demo stop',
    members: { pid: pid === 0 ? null : pid },
  })
