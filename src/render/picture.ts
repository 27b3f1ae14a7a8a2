import { formOf } from './layout.js'
import type { Style } from './style.js'
import { displayWidth, padStart } from './width.js'

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/**
 * A bar of `part` against `whole` in at most `width` columns: eighth blocks, or whole `#` in ASCII.
 * Positive parts get at least one mark, others none.
 * Empty on terminals under 60 columns.
 */
export function bar(part: bigint, whole: bigint, width: number, style: Style): string {
  if (part <= 0n || whole <= 0n || formOf(style) === 'stacked') return ''
  const most = part < whole ? part : whole
  if (style.ascii) {
    const count = Number((most * BigInt(2 * width) + whole) / (2n * whole))
    return '#'.repeat(Math.max(1, count))
  }
  const steps = Math.max(1, Number((most * BigInt(16 * width) + whole) / (2n * whole)))
  return '█'.repeat(Math.floor(steps / 8)) + eighths[steps % 8]
}

/** The least space between the left edge and the axis of a plot. */
const MARGIN = 4

/** Columns before the axis of a plot with these labels. */
export const plotMargin = (labels: readonly string[]): number =>
  Math.max(...labels.map(displayWidth)) + MARGIN

/** Rows of a plot behind their labels and an axis, with a floor of `columns` columns below. */
export function plotLines(
  labels: readonly string[],
  rows: readonly string[],
  columns: number,
  style: Style,
): readonly string[] {
  const { axis, corner, line } = style.ascii ? asciiAxes : axes
  const margin = plotMargin(labels)
  return [
    ...rows.map((row, i) => `${padStart(labels[i]!, margin - 2)} ${axis}${row.trimEnd()}`),
    `${' '.repeat(margin - 1)}${corner}${line.repeat(columns)}`,
  ]
}

const axes = { axis: '┤', corner: '└', line: '─' } as const
const asciiAxes = { axis: '|', corner: '+', line: '-' } as const

const heights = '▁▂▃▄▅▆▇█'
const asciiHeights = '_.-~=+*#'

/**
 * Draws the newest `columns` values of a series, oldest first, a column for each.
 * The range is scaled to the full height, so print it beside the line: small changes
 * look large. A constant series is a line at the bottom.
 *
 * @example sparkline([1n, 5n, 3n], 10, style) // '▁█▅'
 */
export function sparkline(values: readonly bigint[], columns: number, style: Style): string {
  const shown = values.slice(-Math.max(0, columns))
  const marks = style.ascii ? asciiHeights : heights
  const [least, most] = rangeOf(shown)
  const span = most - least
  const top = BigInt(marks.length - 1)
  return shown
    .map(
      (value) => marks[span === 0n ? 0 : Number((2n * (value - least) * top + span) / (2n * span))],
    )
    .join('')
}

/** The least and the greatest value; 0 and 0 of an empty series. */
export function rangeOf(values: readonly bigint[]): readonly [least: bigint, most: bigint] {
  const [first = 0n] = values
  return values.reduce(
    ([least, most], value) => [value < least ? value : least, value > most ? value : most],
    [first, first] as readonly [bigint, bigint],
  )
}
