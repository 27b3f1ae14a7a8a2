import { groupThousands } from '../engine/math/counted.js'
import { printable } from '../platform/printable.js'
import { glyphsOf, type Style, safeText } from './style.js'
import { displayWidth, padEnd, wrap } from './width.js'

/** The layout: stacked lines, aligned columns, or more columns. */
export type Form = 'stacked' | 'standard' | 'wide'

/** Under 60 columns, 60 to 111, from 112. */
export function formOf({ width }: Pick<Style, 'width'>): Form {
  if (width < 60) return 'stacked'
  return width < 112 ? 'standard' : 'wide'
}

/** Indentation of lines under the title. */
export const indentOf = (style: Style): number => (formOf(style) === 'stacked' ? 0 : 2)

/** Columns of the labels. */
export const LABEL = 12

/** The network's name for titles: the demo in colour, networks with real money bold and red. */
export function networkName(network: string, style: Style): string {
  if (network === style.real?.network) return style.bold(style.bad(printable(style.real.title)))
  if (network === 'demo') return style.accent(network)
  return safeText(network, style)
}

/** The network of a title line, and the height of an answer that is of one block. */
export type Place = { readonly network: string; readonly height?: number | undefined }

/** @example 'demo · block 1,200' */
export function placeText({ network, height }: Place, style: Style): string {
  const name = networkName(network, style)
  if (height === undefined) return name
  const block = style.tty ? groupThousands(`${height}`) : `${height}`
  return `${name} ${glyphsOf(style).dot} block ${block}`
}

/**
 * A time of a document for people, to the second; what is not ISO 8601 in UTC stays as it is.
 *
 * @example formatTime('2026-05-01T12:00:44.000Z') // '2026-05-01 12:00:44 UTC'
 */
export const formatTime = (time: string): string =>
  printable(time).replace(
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/,
    (_, day: string, second: string) => `${day} ${second} UTC`,
  )

/** The same for a column whose head says UTC. @example '2026-05-01 12:00:44' */
export const formatUtc = (time: string): string => formatTime(time).replace(/ UTC$/, '')

/** The title on the left, network and block on the right, a rule below unless stacked. */
export const titleLines = (left: string, place: Place, style: Style): readonly string[] =>
  headLines(left, placeText(place, style), style)

/** A title on the left, another text on the right, a rule below unless stacked. */
export function headLines(left: string, right: string, style: Style): readonly string[] {
  const { line } = glyphsOf(style)
  const lines = wrapText(left, style.width).map((text) => style.bold(text))
  if (formOf(style) === 'stacked') return [...lines, right]
  const room = style.width - displayWidth(left) - displayWidth(right)
  const rule = line.repeat(style.width)
  if (room < 3) return [...lines, right, rule]
  return [`${style.bold(withoutNoBreaks(left))}${' '.repeat(room)}${right}`, rule]
}

/** Prevents line breaks inside a text, such as between a number and its unit. */
export const withoutBreaks = (text: string): string => text.replaceAll(' ', '\u00a0')

const withoutNoBreaks = (text: string): string => text.replaceAll('\u00a0', ' ').trimEnd()

/** Wraps a text; what `withoutBreaks` has joined is kept whole. */
export const wrapText = (text: string, width: number): readonly string[] =>
  wrap(text, width).map(withoutNoBreaks)

/** Joins pieces with a gap; starts a new line before a piece that does not fit. */
export function flow(pieces: readonly string[], gap: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const piece of pieces) {
    const last = lines.at(-1)
    const longer = last === undefined ? undefined : last + gap + piece
    if (longer !== undefined && displayWidth(longer) <= width) lines[lines.length - 1] = longer
    else if (displayWidth(piece) <= width) lines.push(piece)
    else lines.push(...wrap(piece, width))
  }
  return lines.map(withoutNoBreaks)
}

/** A text with its suggested commands complete. */
export const suggesting = (text: string, { suggest }: Pick<Style, 'suggest'>): string =>
  suggest === undefined ? text : suggest(text)

/** Lines in a column, the first one beside a label. */
export const beside = (
  label: string,
  lines: readonly string[],
  column: number,
): readonly string[] => lines.map((line, i) => padEnd(i === 0 ? label : '', column) + line)

/** A text without spaces as pieces beside a label: it is broken anywhere, and never cut. */
export const inParts = (text: string, style: Style): readonly string[] =>
  text.match(new RegExp(`.{1,${Math.max(8, roomOf(style))}}`, 'gsu')) ?? []

/** Columns beside a label. */
export const roomOf = (style: Style): number => style.width - indentOf(style) - LABEL

/** The pieces beside a label; what is `false` is left out. */
type Pieces = readonly (string | false)[]

/** A label with pieces beside it. Pieces that do not fit, and a long label, get lines of their own. */
export function field(style: Style, label: string, pieces: Pieces, gap = '   '): readonly string[] {
  const indent = indentOf(style)
  const complete = pieces
    .filter((piece) => piece !== false)
    .map((piece) => suggesting(piece, style))
  const lines = flow(complete, gap, roomOf(style))
  const isLong = displayWidth(label) >= LABEL
  const shown = beside(isLong ? '' : label, lines, LABEL)
  return [...(isLong ? [label] : []), ...shown].map((line) => ' '.repeat(indent) + line)
}

/** A label with its pieces; `false` is left out. */
export type FieldRow = readonly [label: string, pieces: Pieces, gap?: string] | false

/** Labels with their pieces. */
export const fields = (style: Style, rows: readonly FieldRow[]): readonly string[] =>
  rows.flatMap((row) => (row === false ? [] : field(style, row[0], row[1], row[2])))

/** The command that comes next, escaped. It is not wrapped, so that it can be pasted. */
export const nextLine = (command: string, style: Style): string =>
  `${' '.repeat(indentOf(style))}${padEnd('Next', LABEL)}${style.bold(printable(suggesting(command, style)))}`

/** A sentence under the title, wrapped. */
export const paragraph = (
  text: string,
  style: Style,
  indent = indentOf(style),
): readonly string[] =>
  wrapText(suggesting(text, style), style.width - indent).map((line) => ' '.repeat(indent) + line)

/** A wrapped list entry: lines after the first are indented further. */
export const hangingEntry = (text: string, style: Style, indent: number): readonly string[] =>
  wrapText(suggesting(text, style), style.width - indent - 2).map(
    (line, i) => ' '.repeat(i === 0 ? indent : indent + 2) + line,
  )

/** A sentence that is all of an answer or note: wrapped on terminals, one line in a pipe. */
export const sentence = (text: string, style: Style): string =>
  style.tty ? hangingEntry(text, style, 0).join('\n') : suggesting(text, style)

/** Minimum columns of the second half beside the first; otherwise it goes below. */
const BESIDE = 24

/** Two halves of a line side by side; if there is no room, one below the other. */
export function row(left: string, right: string, width: number, column: number): readonly string[] {
  if (width < column + BESIDE)
    return [left, ...wrap(right, Math.max(BESIDE, width - 6)).map((line) => `      ${line}`)]
  const lines = wrap(right, Math.max(BESIDE, Math.min(width, 100) - column))
  return displayWidth(left) > column - 2
    ? [left, ...beside('', lines, column)]
    : beside(left, lines, column)
}

/** A name with pieces below it, as a narrow terminal shows the row of a table. */
export const stackedEntry = (name: string, pieces: Pieces, style: Style): readonly string[] => {
  const shown = pieces.filter((piece) => piece !== false).map(withoutBreaks)
  return [name, ...flow(shown, '  ', style.width - 2).map((line) => `  ${line}`)]
}

/** Joins the non-empty sections, separated by an empty line unless stacked. */
export const joinSections = (style: Style, sections: readonly (readonly string[])[]): string =>
  sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join(formOf(style) === 'stacked' ? '\n' : '\n\n')

/** A title line, then the non-empty sections. */
export const titledSections = (
  left: string,
  place: Place,
  style: Style,
  sections: readonly (readonly string[])[],
): string => [...titleLines(left, place, style), joinSections(style, sections)].join('\n')
