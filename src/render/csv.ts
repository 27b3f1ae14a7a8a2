import type { Names } from './names.js'

/** One column: its heading and what stands in it for one record. */
export type CsvCell = string | number | boolean | null
export type CsvColumn<T> = readonly [head: string, cell: (record: T) => CsvCell]

/** RFC 4180: a heading, then a row each, CRLF after every one. What is not known is empty. */
export const csv = <T>(columns: readonly CsvColumn<T>[], records: readonly T[]): string =>
  [
    columns.map(([head]) => head),
    ...records.map((record) => columns.map(([, cell]) => cell(record) ?? '')),
  ]
    .map((row) => `${row.map((cell) => field(String(cell))).join(',')}\r\n`)
    .join('')

const field = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * A text that came from outside (a symbol, a name, a denom, a reason). Where a spreadsheet would
 * run it as a formula it gets an apostrophe in front, and control characters are made visible.
 * Numbers are left alone: this program writes them.
 */
export const foreign = (names: Names, text: string): string =>
  names.text(text).replace(/^\s*[=+\-@]/, "'$&")
