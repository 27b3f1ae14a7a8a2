import type { CoinDocument } from '../operations/document-schema.js'
import { printable } from '../platform/printable.js'
import type { Names } from './names.js'
import type { Column } from './table.js'

export type CsvCell = string | number | boolean | null
export type CsvColumn<T> = readonly [head: string, cell: (record: T) => CsvCell]

/** CSV by RFC 4180: a heading, then a row a record, CRLF after each. Unknown values are empty. */
export const csv = <T>(records: readonly T[], columns: readonly CsvColumn<NoInfer<T>>[]): string =>
  [
    columns.map(([head]) => head),
    ...records.map((record) => columns.map(([, cell]) => cell(record) ?? '')),
  ]
    .map((row) => `${row.map((cell) => field(String(cell))).join(',')}\r\n`)
    .join('')

/** The cells as tab-separated rows without a heading, for pipes; untrusted text is escaped. */
export const tabRows = <T>(
  records: readonly T[],
  columns: readonly (CsvColumn<NoInfer<T>> | Column<NoInfer<T>>)[],
): string =>
  records
    .map((record, i) => columns.map(([, cell]) => printable(`${cell(record, i) ?? ''}`)).join('\t'))
    .join('\n')

/** Columns of members as they are, under their names. */
export const memberColumns = <Name extends string>(
  ...names: readonly Name[]
): readonly CsvColumn<Readonly<Record<Name, CsvCell>>>[] =>
  names.map((name) => [name, (record) => record[name]])

/** The columns of an amount, in atomics and in units; `null` where there is none. */
export const amountColumns = <T>(
  name: string,
  names: Names,
  coinOf: (record: T) => CoinDocument | null,
): readonly CsvColumn<T>[] => {
  const cell = (text: (coin: CoinDocument) => string) => (record: T) => {
    const coin = coinOf(record)
    return coin && text(coin)
  }
  return [
    [`${name}_atomic`, cell(({ amount }) => amount)],
    [`${name}_human`, cell(names.units)],
  ]
}

/** The columns of a token: its symbol and its denom. */
export const tokenColumns = <T>(
  name: string,
  names: Names,
  denomOf: (record: T) => string,
): readonly CsvColumn<T>[] => [
  [`${name}_symbol`, (record) => untrustedCell(names.ticker(denomOf(record)))],
  [`${name}_denom`, (record) => untrustedCell(denomOf(record))],
]

/** The column of a pair: its name, which its tokens' creators chose. */
export const pairColumn = (names: Names): CsvColumn<{ readonly pair: string }> => [
  'pair',
  ({ pair }) => untrustedCell(names.pair(pair)),
]

const field = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** A text with an apostrophe before what a spreadsheet would run as a formula; many separate cells by semicolons. */
export const harmless = (text: string): string => text.replace(/(^|;)(\s*[=+\-@])/g, "$1'$2")

/** An untrusted text (a symbol, a name, a denom, a reason) as a cell: escaped, and made `harmless`. */
export function untrustedCell(text: string): string
export function untrustedCell(text: string | null): string | null
export function untrustedCell(text: string | null): string | null {
  return text === null ? null : harmless(printable(text))
}

/** Columns of members that are untrusted texts, under their names. */
export const foreignColumns = <Name extends string>(
  ...names: readonly Name[]
): readonly CsvColumn<Readonly<Record<Name, string | null>>>[] =>
  names.map((name) => [name, (record) => untrustedCell(record[name])])
