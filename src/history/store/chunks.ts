/** Rows of one statement: both databases limit its values, SQLite to 32,766. */
const ROWS = 500

/** Calls `write` with at most 500 of the rows at a time, in order. */
export async function inChunks<T>(
  rows: readonly T[],
  write: (rows: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS)
    await write(rows.slice(start, start + ROWS))
}
