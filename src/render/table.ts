import CliTable3 from 'cli-table3'
import { flow, formOf, indentOf } from './layout.js'
import { glyphsOf, type Style } from './style.js'
import { displayWidth, padEnd, shortenMiddle } from './width.js'

/** One column of a table. */
export type Column = {
  /** The heading line is left out if every `head` is empty. */
  readonly head: string
  readonly align?: 'left' | 'right'
  /** Columns of a table that is too wide are dropped from the greatest number down; never without one. */
  readonly drop?: number
  /** On wide terminals only. */
  readonly isWide?: boolean
  /** The least terminal columns that its cells, uncoloured addresses or denoms, may be shortened to. */
  readonly shrink?: number
}

/** Spaces between two columns. */
const GAP = 2

/** The printed lines of the heading and of each row. */
export type Table = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * Lays out aligned columns without borders. If they are too wide, `shrink` columns are shortened (on
 * terminals only), then columns are dropped; as the last resort each cell gets a line. Numbers are
 * never cut.
 */
export function layOutTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
  indent = indentOf(style),
): Table {
  const room = style.width - indent
  if (rows.length === 0) return { head: [], rows: [] }
  const grid = columnsOf({ columns, rows }, ({ isWide }) => !isWide || formOf(style) === 'wide')
  const { head, rows: laid } = drawWithin(grid, room, style) ?? stack(grid, room, style)
  const shift = (line: string) => ' '.repeat(indent) + line
  return { head: head.map(shift), rows: laid.map((lines) => lines.map(shift)) }
}

/** The lines of a table. */
export function table(...args: Parameters<typeof layOutTable>): readonly string[] {
  const { head, rows } = layOutTable(...args)
  return [...head, ...rows.flat()]
}

/** Pads numbers on the right so that, aligned right, their decimal points line up. */
export function alignPoints(numbers: readonly string[]): readonly string[] {
  const places = numbers.map((text) => (text.includes('.') ? text.length - text.indexOf('.') : 0))
  const most = Math.max(...places)
  return numbers.map((text, i) => text + ' '.repeat(most - places[i]!))
}

type Grid = { readonly columns: readonly Column[]; readonly rows: readonly (readonly string[])[] }

type Drawing = Table & { readonly width: number }

/** Draws the grid, narrowed as far as necessary; `undefined` if it cannot fit. */
function drawWithin(grid: Grid, room: number, style: Style): Drawing | undefined {
  const drawing = draw(grid)
  const excess = drawing.width - room
  if (excess <= 0) return drawing
  const shrunk = style.tty ? shrink(grid, excess, style) : undefined
  if (shrunk !== undefined) return draw(shrunk)
  const worst = Math.max(...grid.columns.map(({ drop = 0 }) => drop))
  if (worst <= 0) return undefined
  return drawWithin(
    columnsOf(grid, ({ drop }) => drop !== worst),
    room,
    style,
  )
}

/** The columns of a grid that are kept. */
function columnsOf({ columns, rows }: Grid, isKept: (column: Column) => boolean): Grid {
  const kept = columns.map(isKept)
  return {
    columns: columns.filter((_, i) => kept[i]),
    rows: rows.map((row) => row.filter((_, i) => kept[i])),
  }
}

/** Shortens columns from the left by `excess` in total; `undefined` if they cannot be. */
function shrink({ columns, rows }: Grid, excess: number, style: Style): Grid | undefined {
  let rest = excess
  const targets = columns.map(({ head, shrink: least }, i) => {
    if (least === undefined) return undefined
    const width = Math.max(...[head, ...rows.map((row) => row[i] ?? '')].map(displayWidth))
    const target = Math.min(width, Math.max(least, width - rest))
    rest -= width - target
    return target
  })
  if (rest > 0) return undefined
  const fitted = (cell: string, i: number) => {
    const target = targets[i]
    return target === undefined ? cell : cut(cell, target, style)
  }
  return { columns, rows: rows.map((row) => row.map(fitted)) }
}

/** The compact layout of cli-table3: no rules, and a gap for the line between columns. */
const compact = {
  ...Object.fromEntries(
    ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
      ['', '-left', '-mid', '-right'].map((part) => [side + part, '']),
    ),
  ),
  middle: ' '.repeat(GAP),
}

/** A private-use character: `printable` escapes it in every untrusted text. */
const STAND_IN = '\uE000'

function draw({ columns, rows }: Grid): Drawing {
  // cli-table3 measures with string-width 4, which misjudges newer emoji and combining marks: cells
  // outside ASCII are laid out as stand-ins of their width, and put back in reading order.
  const cells: string[] = []
  const standIn = (cell: string) => {
    if (/^\p{ASCII}*$/u.test(cell)) return cell
    cells.push(cell)
    return STAND_IN.repeat(Math.max(1, displayWidth(cell)))
  }
  const heads = columns.map(({ head }) => head)
  const hasHead = heads.some((head) => head !== '')
  const drawn = new CliTable3({
    ...(hasHead && { head: heads.map(standIn) }),
    chars: compact,
    colAligns: columns.map(({ align }) => align ?? 'left'),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
  drawn.push(...rows.map((row) => row.map(standIn)))
  const lines = drawn
    .toString()
    .replace(/\uE000+/g, () => cells.shift() ?? '')
    .split('\n')
    .map((line) => line.trimEnd())
  const first = hasHead ? 1 : 0
  return {
    head: lines.slice(0, first),
    rows: lines.slice(first).map((line) => [line]),
    width: Math.max(...lines.map(displayWidth)),
  }
}

/** One line a cell, after its heading; without headings, rows are broken between cells. */
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

const cut = (text: string, width: number, style: Style): string =>
  shortenMiddle(text, width, glyphsOf(style).ellipsis)

const brokenRow = ([first = '', ...rest]: readonly string[], room: number): readonly string[] => [
  ...flow([first], '', room),
  ...flow(rest, ' '.repeat(GAP), room - GAP).map((line) => ' '.repeat(GAP) + line),
]
