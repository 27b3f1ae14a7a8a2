import { createRequire, isBuiltin } from 'node:module'
import {
  answersRows,
  type Handle,
  pragmas,
  type SqlRow,
  type SqlValue,
  statementCache,
} from './handle.js'

const require = createRequire(import.meta.url)

/** The part of `node:sqlite` that is used: the oldest supported Node has no such module. */
type NodeSqlite = { readonly DatabaseSync: new (path: string) => DatabaseSync }
type DatabaseSync = {
  exec(sql: string): void
  prepare(sql: string): StatementSync
  close(): void
}
type StatementSync = {
  all(...values: readonly SqlValue[]): readonly SqlRow[]
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint }
}

/** Whether this Node has SQLite without a flag (22.13 and later). */
export const hasNative = (): boolean => isBuiltin('node:sqlite')

/** Opens a file with Node's own SQLite. */
export function openNative(path: string): Handle {
  const { DatabaseSync } = withoutWarning(() => require('node:sqlite') as NodeSqlite)
  const database = new DatabaseSync(path)
  for (const pragma of pragmas) database.exec(pragma)
  return handleOf(database)
}

function handleOf(database: DatabaseSync): Handle {
  const { prepared } = statementCache((sql) => database.prepare(sql))
  return {
    run: (sql, values) => {
      const statement = prepared(sql)
      const bound = values.map(withMemory)
      if (answersRows(sql)) return { rows: statement.all(...bound), changes: 0 }
      return { rows: [], changes: Number(statement.run(...bound).changes) }
    },
    close: () => database.close(),
  }
}

/** Node 22 binds empty bytes from another thread, which have no memory, as null: replace them. */
const withMemory = <T>(value: T): T | Uint8Array =>
  value instanceof Uint8Array && value.length === 0
    ? new Uint8Array(new ArrayBuffer(1), 0, 0)
    : value

/** Suppresses Node 22's warning that the module is experimental; other warnings pass. */
function withoutWarning<T>(load: () => T): T {
  const warn = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite'))
      (warn as (...args: unknown[]) => void).call(process, warning, ...rest)
  }) as typeof process.emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = warn
  }
}
