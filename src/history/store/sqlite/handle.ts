/** A value as both drivers take and give it. Integers of ours stay below 2^53. */
export type SqlValue = null | number | bigint | string | Uint8Array

export type SqlRow = { readonly [column: string]: SqlValue }

/** What a statement did: rows for one that answers some, else how many it changed. */
export type Ran = { readonly rows: readonly SqlRow[]; readonly changes: number }

/** An open SQLite file, whichever driver has it. All of it blocks: it lives in a thread of its own. */
export type Handle = {
  run(sql: string, values: readonly SqlValue[]): Ran
  close(): void
}

/** Milliseconds to wait for another process's lock. */
export const BUSY_MS = 2_000

/**
 * Said once to every file that is opened. A write-ahead log is out: the WASM build cannot read one,
 * and a file is to open on every Node.
 */
export const pragmas: readonly string[] = [
  `pragma busy_timeout = ${BUSY_MS}`,
  'pragma journal_mode = truncate',
  'pragma synchronous = full',
  'pragma cache_size = -32000',
  'pragma temp_store = memory',
]

/** Whether a statement answers rows: the drivers have to be asked differently. */
export const answersRows = (sql: string): boolean =>
  /^\s*(select|with|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql)
