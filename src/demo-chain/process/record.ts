import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SwapError } from '../../engine/errors.js'
import { replaceFile } from '../../platform/atomic-file.js'
import { attempt } from '../../platform/attempt.js'
import {
  acquireLock,
  type FileLock,
  isAbandoned,
  LockHeld,
  type LockRules,
  lockRules,
  readLock,
  tryLock,
} from '../../platform/lock-file.js'
import { identityIn, type ProcessIdentity, processStatus } from '../../platform/process-identity.js'
import type { DemoFiles } from './files.js'

/** The process that runs a chain, and its endpoints. */
export type ProcessRecord = ProcessIdentity & {
  /** `http://127.0.0.1:26657` */
  readonly rpc: string
  readonly rest: string
  /** When it was started, RFC 3339. */
  readonly since: string
}

const isUrl = (text: unknown): text is string =>
  typeof text === 'string' && /^http:\/\/[\w.:[\]-]+$/.test(text)

const readRecord = (path: string): ProcessRecord | undefined =>
  attempt(() => {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessRecord>
    const identity = identityIn(value)
    const { rpc, rest, since } = value
    if (!identity || !isUrl(rpc) || !isUrl(rest)) return undefined
    return { ...identity, rpc, rest, since: String(since) }
  })

/** A lock that a loss of power left empty is taken over within the two seconds that a command waits. */
const rules: LockRules = { ...lockRules, unreadableMs: 1_000 }

/** Replaces the record atomically. */
export const writeRecord = ({ record }: DemoFiles, facts: ProcessRecord): void =>
  replaceFile(record, JSON.stringify(facts))

export const removeRecord = ({ record }: DemoFiles): void => rmSync(record, { force: true })

/**
 * The process that runs the chain. Removes the record of a process that has ended, also when its id
 * belongs to another program by now.
 */
export function findProcess(files: DemoFiles): ProcessRecord | undefined {
  const facts = readRecord(files.record)
  if (!facts) return undefined
  const status = processStatus(facts)
  if (status === 'running') return facts
  if (status === 'elsewhere') return undefined
  // While the lock is held, no new record can be written.
  const lock = tryLock(files.lock, rules)
  if (!lock) return undefined
  removeRecord(files)
  lock.release()
  return undefined
}

/** Longest time until a starting process has written its record, and between two polls of it, in milliseconds. */
const STARTING_MS = 10_000
const POLL_MS = 20

/** The process that runs the chain; waits for one that holds the lock and has no record yet. */
export async function startedProcess(files: DemoFiles): Promise<ProcessRecord | undefined> {
  for (const last = performance.now() + STARTING_MS; ; await wait(POLL_MS)) {
    const found = findProcess(files)
    const lock = found ? undefined : readLock(files.lock)
    if (lock === undefined || isAbandoned(lock, rules) || performance.now() > last) return found
  }
}

/**
 * Takes the lock of a chain: only its holder makes blocks.
 *
 * @param waitMs how long to wait for another process
 * @throws SwapError BUSY that names the holder
 */
export async function lockChain(path: string, waitMs = 2_000): Promise<FileLock> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    return await acquireLock(path, waitMs, rules)
  } catch (error) {
    throw error instanceof LockHeld ? chainHeld(error) : error
  }
}

const chainHeld = ({ holder, path }: LockHeld): SwapError =>
  new SwapError('BUSY', `the demo chain is held by process ${holder?.pid ?? 'unknown'}`, {
    why: `only one process at a time may make its blocks (${path})`,
    hint: 'try again in a moment, or end that process: swap demo stop',
    members: { pid: holder?.pid ?? null },
  })
