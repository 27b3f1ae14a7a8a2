/** A value of both drivers. Stored integers are below 2^53. */
export type SqlValue = null | number | bigint | string | Uint8Array

export type SqlRow = { readonly [column: string]: SqlValue }

export type StatementResult = { readonly rows: readonly SqlRow[]; readonly changes: number }

/** An open SQLite file of either driver. All calls block the thread. */
export type Handle = {
  run(sql: string, values: readonly SqlValue[]): StatementResult
  close(): void
}

/** Milliseconds to wait for another process's lock. */
export const BUSY_MS = 2_000

/**
 * Settings of every opened file. No write-ahead log: the WASM build cannot read one, and a file has to
 * open on every version of Node.
 */
export const pragmas: readonly string[] = [
  `pragma busy_timeout = ${BUSY_MS}`,
  'pragma journal_mode = truncate',
  'pragma synchronous = full',
  'pragma cache_size = -32000',
  'pragma temp_store = memory',
]

/** Whether a statement returns rows: the drivers have separate calls for that. */
export const answersRows = (sql: string): boolean =>
  /^\s*(select|with|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql)

/** Prepared statements that are cached; a block's inserts have many lengths. */
const STATEMENTS = 200

/** Prepares each text once; clears the cache when it is full. */
export function statementCache<Statement>(
  prepare: (sql: string) => Statement,
  finalize: (statement: Statement) => void = () => {},
) {
  const statements = new Map<string, Statement>()
  const drop = (sql: string): void => {
    const statement = statements.get(sql)
    // Deleted first: `finalize` throws the failure of a statement once more.
    statements.delete(sql)
    if (statement !== undefined) finalize(statement)
  }
  const dropAll = (): void => {
    for (const sql of [...statements.keys()]) drop(sql)
  }
  return {
    drop,
    dropAll,
    prepared(sql: string): Statement {
      const cached = statements.get(sql)
      if (cached !== undefined) return cached
      if (statements.size >= STATEMENTS) dropAll()
      const statement = prepare(sql)
      statements.set(sql, statement)
      return statement
    },
  }
}

/** Node's built-in SQLite, or the WASM build. The two must not have a file open at the same time. */
export type DriverName = 'native' | 'wasm'

/** The start parameters of the thread. */
export type ThreadOrder = {
  readonly path: string
  readonly driver: DriverName
  /** The file that records that this process has the database open. */
  readonly own: string
}

/** A statement; nothing is run without `sql`. */
export type Ask = {
  readonly id: number
  readonly sql?: string
  readonly values?: readonly SqlValue[]
  /** Closes the file and ends the thread. */
  readonly isLast?: boolean
}

export type Reply = { readonly id: number; readonly ran?: StatementResult; readonly error?: string }
