import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode } from '../../../engine/errors.js'
import { attempt } from '../../../platform/attempt.js'
import {
  acquireLock,
  type FileLock,
  LockHeld,
  type LockRules,
} from '../../../platform/lock-file.js'
import type { Database, WriteLock } from '../database.js'
import { ledBy, StoreFault, withStoreFaults } from '../fault.js'
import { openHere, openThread, sqliteDb } from './connection.js'
import type { DriverName } from './handle.js'
import { hasNative } from './native.js'
import { registerOpener } from './openers.js'
import { sqliteFault } from './sqlite-fault.js'

/** A leader without heartbeat for five intervals counts as stopped. */
const rules: LockRules = {
  heartbeatMs: 2_000,
  remoteSilenceMs: 10_000,
  stoppedMs: 10_000,
  unreadableMs: 5_000,
}

/**
 * Takes the lead of the database at `path` if there is no leader, or if the leader has ended or stopped. The epoch in
 * the database rejects later writes of a stopped leader.
 *
 * @throws StoreFault `BUSY` that names the leader
 */
async function leadFile(path: string): Promise<FileLock> {
  try {
    return await acquireLock(`${path}.leader`, 0, rules)
  } catch (error) {
    throw error instanceof LockHeld ? ledBy(error.holder, path) : error
  }
}

/** The driver of a file, and whether it runs on this thread instead of a separate one. */
type SqliteOptions = { readonly driver?: DriverName | undefined; readonly here?: boolean }

/**
 * Opens the database in a file, created with its folder if missing: with Node's own SQLite, or with the
 * WASM build if Node has none.
 *
 * @throws StoreFault
 */
export async function openSqlite(
  file: string,
  { driver = hasNative() ? 'native' : 'wasm', here = false }: SqliteOptions = {},
): Promise<Database> {
  const faultOf = (error: unknown) => sqliteFault(file, error)
  return withStoreFaults(async () => {
    const path = placeOf(file)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw isFolder(path)
    const { own, leave } = registerOpener(path, driver)
    try {
      const open = here ? openHere : openThread
      const reads = sqliteDb(await open({ path, driver, own }))
      const fileOf = () => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
      let current = fileOf()
      const isReplaced = (): boolean => {
        // The file is created at its first use.
        current ??= fileOf()
        return fileOf() !== current
      }
      const close = async (): Promise<void> => {
        await reads.destroy()
        leave()
      }
      const acquireLead = async (): Promise<WriteLock> => {
        const { lost, release } = await leadFile(path)
        try {
          // Under the WASM build's exclusive lock a second connection on this thread would wait for the
          // first one forever, so one connection serves reads and writes.
          if (driver === 'wasm' || here)
            return { writes: reads, lost, release: async () => release() }
          const writes = sqliteDb(await open({ path, driver, own }))
          const both = async (): Promise<void> => {
            await writes.destroy()
            release()
          }
          return { writes, lost, release: both }
        } catch (error) {
          release()
          throw error
        }
      }
      return {
        flavour: 'sqlite',
        place: path,
        isReplaced,
        reads,
        alter: (change) => change(reads),
        lead: acquireLead,
        faultOf,
        close,
      }
    } catch (error) {
      leave()
      throw error
    }
  }, faultOf)
}

const isFolder = (path: string): StoreFault =>
  new StoreFault('foreign', 'the history database is a folder', {
    why: `${path} is one, and the history is kept in a file`,
    hint: `name a file in it: --database ${join(path, 'history.db')}`,
  })

/** The canonical path of a file, from which the names of its lock files are derived. */
function placeOf(file: string): string {
  const path = resolve(file)
  makeFolder(dirname(path))
  return attempt(() => realpathSync(path)) ?? join(realpathSync(dirname(path)), basename(path))
}

/** Creates parents first: Node's recursive mkdir hangs where a folder cannot be created. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
