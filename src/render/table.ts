import CliTable3 from 'cli-table3'
import { counted } from '../engine/math/counted.js'
import { beside, flow, formOf, indentOf } from './layout.js'
import { glyphsOf, type Style } from './style.js'
import { displayWidth, shortenMiddle } from './width.js'

/** A column: its heading, the cell of an item, and how it is laid out. */
export type Column<Item> = readonly [
  /** The heading line is left out if every one is empty. */
  head: string,
  cell: (item: Item, index: number) => string,
  layout?: ColumnLayout,
]

/** Columns from left to right; what is `false` is left out. */
export type Columns<Item> = readonly (Column<Item> | false)[]

type ColumnLayout = {
  /** `point` aligns numbers by their decimal points, `percent` texts that begin with a percentage by its sign. */
  readonly align?: 'right' | 'point' | 'percent'
  /** Columns of a table that is too wide are dropped from the greatest number down; never without one. */
  readonly drop?: number
  /** On wide terminals only. */
  readonly isWide?: boolean
  /** The least terminal columns that its cells, uncoloured addresses or denoms, may be shortened to. */
  readonly shrink?: number
}

/** Spaces between two columns. */
const GAP = 2

/** The printed lines of the heading and of each item. */
export type Table = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * Lays out aligned columns without borders, a row for each item. If they are too wide, `shrink` columns
 * are shortened (on terminals only), then columns are dropped; as the last resort each cell gets a line.
 * Numbers are never cut.
 */
export function layOutTable<Item>(
  items: readonly Item[],
  style: Style,
  columns: Columns<Item>,
  indent = indentOf(style),
): Table {
  const room = style.width - indent
  if (items.length === 0) return { head: [], rows: [] }
  const filled = columns
    .filter((column) => column !== false)
    .filter(([, , layout]) => !layout?.isWide || formOf(style) === 'wide')
    .map((column) => fill(column, items))
  const { head, rows } = drawWithin(filled, room, style) ?? stack(filled, room, style)
  const shift = (line: string) => (line === '' ? '' : ' '.repeat(indent) + line)
  return { head: head.map(shift), rows: rows.map((lines) => lines.map(shift)) }
}

/** The lines of a table. */
export function table<Item>(...args: Parameters<typeof layOutTable<Item>>): readonly string[] {
  const { head, rows } = layOutTable(...args)
  return [...head, ...rows.flat()]
}

/** The most lines of a table, and what a row is. */
export type Fold = { readonly room: number; readonly noun: string }

/**
 * The lines of a table. If they are too many, at least one row is shown, as far as it fits if it takes several lines, and the
 * last line counts the others.
 */
export function foldedTable<Item>(
  items: readonly Item[],
  style: Style,
  columns: Columns<Item>,
  { room, noun }: Fold = { room: Number.POSITIVE_INFINITY, noun: '' },
): readonly string[] {
  const { head, rows } = layOutTable(items, style, columns)
  const lines = [...head, ...rows.flat()]
  if (lines.length <= room) return lines
  let count = rows.length
  let height = lines.length + 1
  for (; count > 1 && height > room; count -= 1) height -= rows[count - 1]!.length
  const rest = rows.length - count
  const more = rest === 0 ? [] : [style.muted(`and ${counted(rest, `more ${noun}`)}`)]
  const isTall = rest > 0 && rows[0]!.length > 1
  const shown = isTall ? Math.min(height, Math.max(2, room)) : height
  return [...lines.slice(0, shown - 1), ...more.map((text) => ' '.repeat(indentOf(style)) + text)]
}

/** Pads numbers on the right so that, aligned right, their decimal points line up. */
export function alignPoints(numbers: readonly string[]): readonly string[] {
  const places = numbers.map((text) => (text.includes('.') ? text.length - text.indexOf('.') : 0))
  const most = Math.max(...places)
  return numbers.map((text, i) => text + ' '.repeat(most - places[i]!))
}

/** Pads texts on the left so that their first percent signs line up; a text without one stays. */
function alignPercents(texts: readonly string[]): readonly string[] {
  const before = texts.map((text) => displayWidth(text.slice(0, text.indexOf('%') + 1)))
  const most = Math.max(...before)
  return texts.map((text, i) => (before[i] === 0 ? text : ' '.repeat(most - before[i]!) + text))
}

/** A column with its cells from top to bottom. */
type ColumnCells = ColumnLayout & { readonly head: string; readonly cells: readonly string[] }

function fill<Item>([head, cell, layout]: Column<Item>, items: readonly Item[]): ColumnCells {
  const cells = items.map(cell)
  const { align } = layout ?? {}
  if (align === 'point') return { ...layout, head, cells: alignPoints(cells) }
  return { ...layout, head, cells: align === 'percent' ? alignPercents(cells) : cells }
}

const rowsOf = (columns: readonly ColumnCells[]): readonly (readonly string[])[] =>
  columns[0]!.cells.map((_, i) => columns.map(({ cells }) => cells[i]!))

type Drawing = Table & { readonly width: number }

/** Draws the columns, narrowed as far as necessary; `undefined` if they cannot fit. */
function drawWithin(
  columns: readonly ColumnCells[],
  room: number,
  style: Style,
): Drawing | undefined {
  const drawing = draw(columns)
  const excess = drawing.width - room
  if (excess <= 0) return drawing
  const shrunk = style.tty ? shrink(columns, excess, style) : undefined
  if (shrunk !== undefined) return draw(shrunk)
  const worst = Math.max(...columns.map(({ drop = 0 }) => drop))
  if (worst <= 0) return undefined
  return drawWithin(
    columns.filter(({ drop }) => drop !== worst),
    room,
    style,
  )
}

/** Shortens columns from the left by `excess` in total; `undefined` if they cannot be. */
function shrink(
  columns: readonly ColumnCells[],
  excess: number,
  style: Style,
): readonly ColumnCells[] | undefined {
  let rest = excess
  const fitted = columns.map((column) => {
    const { head, cells, shrink: least } = column
    if (least === undefined) return column
    const width = Math.max(...[head, ...cells].map(displayWidth))
    const target = Math.min(width, Math.max(least, width - rest))
    rest -= width - target
    return { ...column, cells: cells.map((cell) => cut(cell, target, style)) }
  })
  return rest > 0 ? undefined : fitted
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

function draw(columns: readonly ColumnCells[]): Drawing {
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
    colAligns: columns.map(({ align }) => (align && align !== 'percent' ? 'right' : 'left')),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
  drawn.push(...rowsOf(columns).map((row) => row.map(standIn)))
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

/** One line a cell, after its heading, an empty line between rows; without headings, rows are broken between cells. */
function stack(columns: readonly ColumnCells[], room: number, style: Style): Table {
  const rows = rowsOf(columns)
  const label = Math.max(...columns.map(({ head }) => displayWidth(head)))
  if (label === 0) return { head: [], rows: rows.map((row) => brokenRow(row, room)) }
  const width = room - label - GAP
  const lines = (cell: string, { head, shrink: least }: ColumnCells) => {
    const text = style.tty && least !== undefined ? cut(cell, width, style) : cell.trim()
    return beside(head, flow([text], '', width), label + GAP)
  }
  const stacked = rows.map((row, n) => [
    ...(n === 0 ? [] : ['']),
    ...row.flatMap((cell, i) => (cell === '' ? [] : lines(cell, columns[i]!))),
  ])
  return { head: [], rows: stacked }
}

const cut = (text: string, width: number, style: Style): string =>
  shortenMiddle(text, width, glyphsOf(style).ellipsis)

const brokenRow = ([first = '', ...rest]: readonly string[], room: number): readonly string[] => [
  ...flow([first], '', room),
  ...flow(rest, ' '.repeat(GAP), room - GAP).map((line) => ' '.repeat(GAP) + line),
]
