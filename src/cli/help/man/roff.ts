/** A text as roff takes it literally: no request, no escape, and hyphens that can be copied. */
export const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replaceAll('→', '\\(->')
    .replaceAll('…', '...')
    .replaceAll('·', '\\(bu')

/** The first lines of a page. There is no date: the same source gives the same page. */
export const titleOf = (name: string, section: 1 | 7, version: string): readonly string[] => [
  `.TH ${name.toUpperCase()} ${section} "" "swap ${version}" "swap"`,
  '.nh',
  '.ad l',
]

/** A heading. */
export const heading = (text: string): string => `.SH ${text}`

/** A term with its meaning, indented below or beside it. */
export const entry = (term: string, meaning: string): readonly string[] => [
  '.TP',
  `.B ${roff(term)}`,
  roff(meaning),
]

/** Terms with their meanings. */
export const entries = (rows: readonly (readonly [string, string])[]): readonly string[] =>
  rows.flatMap(([term, meaning]) => entry(term, meaning))

/** Lines as they stand. */
export const verbatim = (lines: readonly string[]): readonly string[] => [
  '.nf',
  ...lines.map(roff),
  '.fi',
]
