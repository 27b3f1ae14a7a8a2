import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SwapError } from '../../engine/errors.js'
import { ownFolder, unusable } from './durable.js'
import { type Holder, holderIn, isAlive, thisProcess } from './holder.js'
import type { Owner } from './intent.js'

/** A lock that is held until it is let go, or the process ends in whatever way. */
export type Lock = { release(): void }

/** How often a holder says that it lives, and how often one who waits looks again. */
const BEAT_MS = 5_000
const LOOK_MS = 50

/** How many in a row may have died while they cleared away after one another. */
const DEPTH = 4

/**
 * Takes the lock of an account on a chain: only who holds it may sign for it. One whose holder has
 * died is taken over, by one process only.
 *
 * @param waitMs how long to wait for another process
 * @throws SwapError BUSY that names the holder
 */
export async function lockAccount(
  folder: string,
  { chainId, address }: Owner,
  waitMs: number,
): Promise<Lock> {
  const path = join(folder, `${chainId}.${address}.lock`)
  ownFolder('the lock', folder)
  for (const last = performance.now() + waitMs; ; ) {
    const holder = taken(path)
    if (holder === undefined) return held(path)
    if (performance.now() >= last) throw busy(holder, address, path)
    await wait(Math.min(LOOK_MS, Math.max(1, last - performance.now())))
  }
}

/** @throws SwapError NOT_READY where the folder takes no lock */
function taken(path: string): Holder | undefined {
  try {
    return take(path)
  } catch (error) {
    throw unusable('the lock', dirname(path), error)
  }
}

function held(path: string): Lock {
  const beat = setInterval(() => touch(path), BEAT_MS)
  beat.unref()
  return {
    release() {
      clearInterval(beat)
      if (isSame(holderOf(path), thisProcess())) rmSync(path, { force: true })
    },
  }
}

function touch(path: string): void {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    // Somebody has cleared the folder away; the next who looks finds no lock, and the journal holds.
  }
}

let drafts = 0

/** @returns nothing once the lock is taken, else who holds it */
function take(path: string, depth = 0): Holder | undefined {
  const draft = `${path}.${process.pid}.${++drafts}`
  writeFileSync(draft, JSON.stringify(thisProcess()), { mode: 0o600 })
  try {
    if (putFirst(draft, path)) return undefined
    const silence = silenceOf(path)
    // Let go just now. What cannot be read was cut off by a loss of power, or is just being filled.
    if (silence === undefined) return nobody
    const holder = holderOf(path) ?? nobody
    if (depth >= DEPTH || isAlive(holder, silence)) return holder
    // Who clears away after a dead holder holds a second lock, and looks once more.
    const guard = `${path}.dead`
    const other = take(guard, depth + 1)
    if (other !== undefined) return other
    try {
      if (silenceOf(path) === undefined) return nobody
      const now = holderOf(path) ?? nobody
      if (!isSame(now, holder)) return now
      renameSync(draft, path)
      return undefined
    } finally {
      rmSync(guard, { force: true })
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Somebody who has just let go, or of whom nothing can be read. */
const nobody: Holder = { pid: 0, began: '', host: '' }

/** Puts a file where there is none: whole from its first moment, and for one process only. */
function putFirst(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    return created(draft, path)
  }
}

/** A file system without links: creating is exclusive as well, though filling comes after it. */
function created(draft: string, path: string): boolean {
  try {
    writeFileSync(path, readFileSync(draft), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function holderOf(path: string): Holder | undefined {
  try {
    return holderIn(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** How long ago a lock was touched, in milliseconds; nothing where there is none. */
function silenceOf(path: string): number | undefined {
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return touched === undefined ? undefined : Date.now() - touched
}

const isSame = (one: Holder | undefined, other: Holder | undefined): boolean =>
  one?.pid === other?.pid && one?.began === other?.began && one?.host === other?.host

const busy = ({ pid, host }: Holder, address: string, path: string): SwapError =>
  new SwapError('BUSY', 'another process is executing with this account', {
    why: `process ${pid}${host === '' ? '' : ` on ${host}`} holds ${address}`,
    hint: 'wait for it, or let this one wait: --lock-wait 30s',
    members: { pid, path },
  })
