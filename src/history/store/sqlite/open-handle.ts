import { rmdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Database } from 'node-sqlite3-wasm'
import { errorCode } from '../../../engine/errors.js'
import { type FileLock, type LockRules, tryLock } from '../../../platform/lock-file.js'
import {
  answersRows,
  BUSY_MS,
  type Handle,
  pragmas,
  type SqlRow,
  type SqlValue,
  statementCache,
  type ThreadOrder,
} from './handle.js'
import { openNative } from './native.js'

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Time limit for opening: longer than `unreadableMs`, after which the lock of a killed process is taken over. */
const OPEN_MS = 7_000

/**
 * Exclusive use of the database `path` among the processes that open it with the WASM build, by a lock file;
 * `identityFile` records that this process has it open. Waiting blocks the
 * calling thread.
 */
function holderOf(path: string, identityFile: string) {
  const rules: LockRules = {
    // Using the file takes milliseconds, at most seconds.
    heartbeatMs: 0,
    remoteSilenceMs: 60_000,
    unreadableMs: 5_000,
    identityFile,
    beforeTakeover: () => unlock(path),
  }
  let lock: FileLock | undefined
  const acquireLock = (limitMs: number): void => {
    const end = performance.now() + limitMs
    for (let waitMs = 1; lock === undefined; waitMs = Math.min(2 * waitMs, 20)) {
      lock = tryLock(`${path}.holder`, rules)
      if (lock !== undefined) return
      if (performance.now() > end) throw new Error('database is locked')
      Atomics.wait(pause, 0, 0, waitMs)
    }
  }
  const release = (): void => {
    lock?.release()
    lock = undefined
  }
  return {
    /** Blocks until this process holds the file. @throws Error `database is locked` */
    take: () => acquireLock(BUSY_MS),
    release,
    hold<T>(use: () => T): T {
      acquireLock(OPEN_MS)
      try {
        return use()
      } finally {
        release()
      }
    },
  }
}

/** Removes SQLite's lock directory that a killed process left behind. */
function unlock(path: string): void {
  try {
    rmdirSync(`${path}.lock`)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/** Opens a file with the given driver, on this thread. */
export const openHandle = ({ driver, path, own }: ThreadOrder): Handle =>
  driver === 'native' ? openNative(path) : openWasm(path, own)

const require = createRequire(import.meta.url)

/**
 * Opens a file with SQLite's WASM build, which locks by a directory that remains after a process was killed. So every
 * use is under a lock file that names the process (`holderOf`), and a directory without a running holder is removed.
 */
function openWasm(path: string, own: string): Handle {
  const holder = holderOf(path, own)
  seeJournals(path)
  const { Database } = require('node-sqlite3-wasm') as typeof import('node-sqlite3-wasm')
  const database = holder.hold(() => {
    const opened = new Database(path)
    for (const pragma of pragmas) opened.exec(pragma)
    return opened
  })
  return handleOf(database, holder)
}

function handleOf(database: Database, holder: ReturnType<typeof holderOf>): Handle {
  const { prepared, drop, dropAll } = statementCache(
    (sql) => database.prepare(sql),
    (statement) => statement.finalize(),
  )
  const run = (sql: string, values: readonly SqlValue[]) => {
    try {
      const statement = prepared(sql)
      if (answersRows(sql))
        return { rows: statement.all([...values]) as readonly SqlRow[], changes: 0 }
      return { rows: [], changes: statement.run([...values]).changes }
    } catch (error) {
      // A failed statement would keep the transaction open.
      drop(sql)
      throw error
    }
  }
  return {
    run: (sql, values) => {
      holder.take()
      try {
        return run(sql, values)
      } finally {
        if (!database.inTransaction) holder.release()
      }
    },
    close: () => {
      dropAll()
      database.close()
      holder.release()
    },
  }
}

/**
 * Makes the build roll back the journal of a killed process. It detects another writer by the lock directory, which it
 * has created itself, so it would treat every journal as that of a running writer and read a partial transaction as
 * committed. Under the lock there is no other writer, so the check answers no; nothing else checks this path by `fs`.
 */
function seeJournals(path: string): void {
  const fs = require('node:fs') as typeof import('node:fs')
  if (locks.size === 0) {
    const access = fs.accessSync
    fs.accessSync = (file, mode) => {
      if (locks.has(String(file)))
        throw Object.assign(new Error('no other writer'), { code: 'ENOENT' })
      access(file, mode)
    }
  }
  locks.add(`${path}.lock`)
}

/** The lock directories of the files opened on this thread. */
const locks = new Set<string>()
