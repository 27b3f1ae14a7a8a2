import CliTable3 from 'cli-table3'
import { flow, indentOf } from './layout.js'
import { glyphsOf, type Style } from './style.js'
import { displayWidth, padEnd, shortenMiddle } from './width.js'

/** One column of a table. */
export type Column = {
  /** Empty in every column: the table has no heading. */
  readonly head: string
  readonly align?: 'left' | 'right'
  /** In a table that is too wide the greatest number goes first; a column without never goes. */
  readonly drop?: number
  /** Its cells are addresses or denoms without colour, which may shrink to so many columns. */
  readonly shrink?: number
}

/** Columns between columns. */
const GAP = 2

/** A table as it is printed: the heading, and the lines of each row. */
export type Table = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * Aligned columns without lines. On a terminal denoms shrink first, then columns go by their
 * `drop`; what is too wide even then is stacked, a cell a line. Numbers are never cut.
 */
export function layTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
  indent = indentOf(style),
): Table {
  const room = style.width - indent
  if (rows.length === 0) return { head: [], rows: [] }
  const fitting = narrowed({ columns, rows }, room, style)
  const { head, rows: laid } = fitting ? draw(fitting) : stack({ columns, rows }, room, style)
  const shift = (line: string) => ' '.repeat(indent) + line
  return { head: head.map(shift), rows: laid.map((lines) => lines.map(shift)) }
}

/** The lines of a table. */
export function table(...args: Parameters<typeof layTable>): readonly string[] {
  const { head, rows } = layTable(...args)
  return [...head, ...rows.flat()]
}

/** Fills numbers up on the right so that, aligned right, their points stand below each other. */
export function alignPoints(numbers: readonly string[]): readonly string[] {
  const places = numbers.map((text) => (text.includes('.') ? text.length - text.indexOf('.') : 0))
  const most = Math.max(...places)
  return numbers.map((text, i) => text + ' '.repeat(most - places[i]!))
}

type Grid = { readonly columns: readonly Column[]; readonly rows: readonly (readonly string[])[] }

function narrowed(grid: Grid, room: number, style: Style): Grid | undefined {
  const widths = widthsOf(grid)
  const excess = widths.reduce((a, b) => a + b, GAP * (widths.length - 1)) - room
  if (excess <= 0) return grid
  const shrunk = style.tty ? shrink(grid, widths, excess, style) : undefined
  if (shrunk !== undefined) return shrunk
  const worst = Math.max(...grid.columns.map(({ drop = 0 }) => drop))
  if (worst <= 0) return undefined
  const kept = grid.columns.map(({ drop }) => drop !== worst)
  return narrowed(
    {
      columns: grid.columns.filter((_, i) => kept[i]),
      rows: grid.rows.map((row) => row.filter((_, i) => kept[i])),
    },
    room,
    style,
  )
}

const widthsOf = ({ columns, rows }: Grid): readonly number[] =>
  columns.map(({ head }, i) =>
    Math.max(displayWidth(head), ...rows.map((row) => displayWidth(row[i] ?? ''))),
  )

/** Takes the excess from the columns that may shrink, from the left, if they can give it. */
function shrink(
  { columns, rows }: Grid,
  widths: readonly number[],
  excess: number,
  style: Style,
): Grid | undefined {
  let rest = excess
  const targets = columns.map(({ shrink: least }, i) => {
    const width = widths[i]!
    const given = least === undefined ? 0 : Math.min(rest, Math.max(0, width - least))
    rest -= given
    return width - given
  })
  if (rest > 0) return undefined
  const fitted = (cell: string, i: number) =>
    columns[i]?.shrink === undefined ? cell : cut(cell, targets[i]!, style)
  return { columns, rows: rows.map((row) => row.map(fitted)) }
}

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
} as const

function draw({ columns, rows }: Grid): Table {
  const heads = columns.map(({ head }) => head)
  const hasHead = heads.some((head) => head !== '')
  const drawn = new CliTable3({
    ...(hasHead && { head: heads }),
    chars: noLines,
    colAligns: columns.map(({ align }) => align ?? 'left'),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
  drawn.push(...rows.map((row) => [...row]))
  const lines = drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
  const first = hasHead ? 1 : 0
  return { head: lines.slice(0, first), rows: lines.slice(first).map((line) => [line]) }
}

/** The last resort: one cell a line after its heading; without headings, rows broken at cells. */
function stack({ columns, rows }: Grid, room: number, style: Style): Table {
  const label = Math.max(...columns.map(({ head }) => displayWidth(head)))
  if (label === 0) return { head: [], rows: rows.map((row) => brokenRow(row, room)) }
  const beside = room - label - GAP
  const lines = (cell: string, { head, shrink: least }: Column) => {
    const text = style.tty && least !== undefined ? cut(cell, beside, style) : cell.trim()
    return flow([text], '', beside).map(
      (line, n) => padEnd(n === 0 ? head : '', label + GAP) + line,
    )
  }
  const stacked = rows.map((row) =>
    row.flatMap((cell, i) => (cell === '' ? [] : lines(cell, columns[i]!))),
  )
  return { head: [], rows: stacked }
}

/** An address or denom in at most so many columns. */
const cut = (text: string, width: number, style: Style): string =>
  shortenMiddle(text, width, glyphsOf(style).ellipsis)

const brokenRow = ([first = '', ...rest]: readonly string[], room: number): readonly string[] => [
  ...flow([first], '', room),
  ...flow(rest, ' '.repeat(GAP), room - GAP).map((line) => ' '.repeat(GAP) + line),
]
