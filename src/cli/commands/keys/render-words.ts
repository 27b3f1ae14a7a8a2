/** Words side by side, numbered down the columns: six a column, four columns where they fit. */
export function wordTable(words: readonly string[], columns: number): string {
  const across = columns >= 64 ? 4 : columns >= 34 ? 2 : 1
  const down = Math.ceil(words.length / across)
  const cell = (at: number) =>
    words[at] === undefined ? '' : `${String(at + 1).padStart(2)} ${words[at]}`.padEnd(14)
  return Array.from({ length: down }, (_, row) =>
    Array.from({ length: across }, (_, column) => cell(column * down + row))
      .join(' ')
      .trimEnd(),
  )
    .map((line) => `  ${line}`)
    .join('\n')
}
