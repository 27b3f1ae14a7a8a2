import { createRequire } from 'node:module'
import type { Database, Statement } from 'node-sqlite3-wasm'
import { answersRows, type Handle, pragmas, type SqlRow, type SqlValue } from './handle.js'
import { holderOf } from './holder.js'

const require = createRequire(import.meta.url)

const STATEMENTS = 200

/**
 * Opens a file with SQLite's WASM build, which locks by a directory that a killed process leaves behind.
 * So every use is under a lock record that names the process (`holder.ts`), and a directory without a
 * living holder is removed.
 */
export function openWasm(path: string, own: string): Handle {
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
  const statements = new Map<string, Statement>()
  const drop = (sql: string): void => {
    const statement = statements.get(sql)
    statements.delete(sql)
    statement?.finalize()
  }
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    if (statements.size >= STATEMENTS) for (const old of [...statements.keys()]) drop(old)
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const run = (sql: string, values: readonly SqlValue[]) => {
    try {
      const statement = prepared(sql)
      if (answersRows(sql))
        return { rows: statement.all([...values]) as readonly SqlRow[], changes: 0 }
      return { rows: [], changes: statement.run([...values]).changes }
    } catch (error) {
      // A statement that failed half-way would keep the transaction open.
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
      for (const sql of [...statements.keys()]) drop(sql)
      database.close()
      holder.release()
    },
  }
}

/**
 * The build detects another writer by the lock directory, which it made itself: it would take every
 * journal for a living writer's and read the half transaction of a killed process as committed. Under its
 * lock there is no other writer, so here the check answers no. No other caller checks this path by `fs`.
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
