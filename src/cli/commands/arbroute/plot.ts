import type { CurvePoint } from '../../../operations/arbitrage/arbitrage-documents.js'
import { formatShort } from '../../../render/amount.js'
import { formOf } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import { plotLines, plotMargin, rangeOf } from '../../../render/picture.js'
import type { Style } from '../../../render/style.js'
import { displayWidth, padStart } from '../../../render/width.js'

/** Lines of the plot, and its most columns. */
const [ROWS, MOST_COLUMNS] = [5, 60]

const unicode = { dot: '•', bar: '┃', up: '↑' } as const
const ascii = { dot: '*', bar: '|', up: '^' } as const

/**
 * Plots profit by size: a dot a column, a bar at the chosen size. Losses are below the plot.
 * Empty without room or without a profitable point.
 */
export function profitPlot(
  points: readonly CurvePoint[],
  best: { readonly denom: string; readonly amount: string },
  names: Names,
  style: Style,
): readonly string[] {
  const paying = points.filter(({ profit }) => profit !== null && BigInt(profit) > 0n)
  if (formOf(style) === 'stacked' || paying.length < 3) return []
  const marks = style.ascii ? ascii : unicode
  const { denom } = best
  const [, top] = rangeOf(paying.map(({ profit }) => BigInt(profit!)))
  const widest = BigInt(points.at(-1)!.input)
  const labels = Array.from({ length: ROWS }, (_, i) =>
    formatShort((top * BigInt(ROWS - 1 - i)) / BigInt(ROWS - 1), names.decimals(denom)),
  )
  const margin = plotMargin(labels)
  const columns = Math.min(MOST_COLUMNS, style.width - margin - 3)
  const columnOf = (size: string) =>
    Math.min(columns - 1, Number((BigInt(size) * BigInt(columns)) / (widest + 1n)))
  const chosen = columnOf(best.amount)
  const grid = labels.map(() => new Array<string>(columns).fill(' '))
  for (const row of grid) row[chosen] = marks.bar
  for (const { input, profit } of paying) {
    const height = Number((BigInt(profit!) * BigInt(2 * (ROWS - 1)) + top) / (2n * top))
    const at = columnOf(input)
    if (at !== chosen) grid[ROWS - 1 - height]![at] = marks.dot
  }
  const rows = grid.map((row) => ` ${row.join('')}`)
  const note = `${marks.up} ${names.coin(best)}, the best size`
  const fits = chosen + displayWidth(note) <= columns
  const below = fits
    ? ' '.repeat(chosen) + note
    : padStart(`${names.coin(best)}, the best size ${marks.up}`, chosen + 1)
  return [
    `  profit, ${names.symbol(denom)}`,
    ...plotLines(labels, rows, columns + 1, style),
    `${' '.repeat(margin + 1)}${below}`,
  ]
}
