import { type Decimal, decimal, formatDecimal, ONE } from '../../../engine/math/decimal.js'
import type {
  BookAnswer,
  BookLevelDocument,
  WalkDocument,
} from '../../../operations/book/book-documents.js'
import { formatShort } from '../../../render/amount.js'
import { formOf, paragraph } from '../../../render/layout.js'
import type { Names } from '../../../render/names.js'
import { plotLines, plotMargin } from '../../../render/picture.js'
import type { Style } from '../../../render/style.js'
import { displayWidth, padEnd } from '../../../render/width.js'
import { decimalOf } from './level-rows.js'

const ROWS = 7
const MOST_COLUMNS = 64

/** How far from the mid it reaches, in percent: the first that holds enough of both sides. */
const REACHES = [3n, 10n, 30n] as const
const ENOUGH = 3

type Marks = {
  /** From nothing to a full cell. */
  readonly steps: readonly string[]
  readonly bid: string
  readonly ask: string
}

const unicode: Marks = { steps: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇'], bid: '█', ask: '▓' }
const ascii: Marks = { steps: [' ', ' ', ' ', '.', '.', '.', ':', ':'], bid: '#', ask: '%' }

/** One column: how much rests between the mid and its price, in quote atomics. */
type Column = { readonly depth: bigint; readonly side: 'ask' | 'bid'; readonly price: Decimal }

/**
 * What rests up to each price, bids on the left and asks on the right, both as quote. What an amount
 * walks is bright. Nothing under 60 columns, and where a side is empty.
 */
export function depthPlot(
  full: BookAnswer,
  walk: WalkDocument | undefined,
  names: Names,
  style: Style,
): readonly string[] {
  const { pair, asks, bids } = full
  if (formOf(style) === 'stacked' || pair.mid_price === null) return []
  const mid = decimalOf(pair.mid_price)
  const reach = reachOf(full, mid)
  const marks = style.ascii ? ascii : unicode
  const edges = {
    bid: decimal(mid - (mid * reach) / 100n),
    ask: decimal(mid + (mid * reach) / 100n),
  }
  const most = [
    depthTo(bids.levels, 'bid', edges.bid),
    depthTo(asks.levels, 'ask', edges.ask),
  ] as const
  const top = most[0] > most[1] ? most[0] : most[1]
  if (top === 0n) return []
  const short = (atomics: bigint) => formatShort(atomics, names.decimals(pair.quote))
  const labels = Array.from({ length: ROWS }, (_, i) =>
    short((top * BigInt(ROWS - i)) / BigInt(ROWS)),
  )
  const margin = plotMargin(labels)
  const half = Math.floor(Math.min(MOST_COLUMNS, style.width - margin - 2) / 2)
  const columns = [
    ...columnsOf(bids.levels, 'bid', mid, reach, half).reverse(),
    ...columnsOf(asks.levels, 'ask', mid, reach, half),
  ]
  const rows = labels.map((_, i) =>
    columns.map((column) => cell(column, top, ROWS - 1 - i, marks, walk, style)).join(''),
  )
  const price = (value: bigint) => names.price(formatDecimal(decimal(value)), pair)
  const [low, high] = [price(edges.bid), price(edges.ask)]
  const sums = `bids ${short(most[0])}   mid ${price(mid)}   asks ${short(most[1])}`
  const room = 2 * half - displayWidth(low) - displayWidth(high)
  const middle = displayWidth(sums) + 2 <= room ? sums : `mid ${price(mid)}`
  const left = Math.max(1, Math.floor((room - displayWidth(middle)) / 2))
  return [
    ...paragraph(
      `${names.symbol(pair.quote)} that rests up to each price, within ${reach} % of the mid`,
      style,
    ),
    ...plotLines(labels, rows, 2 * half, style),
    `${' '.repeat(margin)}${padEnd(low + ' '.repeat(left) + middle, 2 * half - displayWidth(high))}${high}`,
  ]
}

function reachOf({ asks, bids }: BookAnswer, mid: bigint): bigint {
  const within = (levels: readonly BookLevelDocument[], reach: bigint) =>
    levels.filter(({ rate }) => {
      const off = decimalOf(rate) - mid
      return (off < 0n ? -off : off) * 100n <= mid * reach
    }).length
  const enough = (levels: readonly BookLevelDocument[], reach: bigint) =>
    within(levels, reach) >= Math.min(ENOUGH, levels.length)
  return REACHES.find((reach) => enough(asks.levels, reach) && enough(bids.levels, reach)) ?? 30n
}

/** What rests from the best level up to a price, in quote atomics, rounded down at each level. */
function depthTo(
  levels: readonly BookLevelDocument[],
  side: 'ask' | 'bid',
  price: Decimal,
): bigint {
  let sum = 0n
  for (const { rate, amount } of levels) {
    const at = decimalOf(rate)
    if (side === 'ask' ? at > price : at < price) break
    // Buyers offer quote itself; what sellers offer is worth its rate.
    sum += side === 'bid' ? BigInt(amount.amount) : (BigInt(amount.amount) * at) / ONE
  }
  return sum
}

/** From the mid outwards. */
function columnsOf(
  levels: readonly BookLevelDocument[],
  side: 'ask' | 'bid',
  mid: bigint,
  reach: bigint,
  count: number,
): Column[] {
  return Array.from({ length: count }, (_, i) => {
    const off = (mid * reach * BigInt(i + 1)) / (100n * BigInt(count))
    const price = decimal(side === 'ask' ? mid + off : mid - off)
    return { depth: depthTo(levels, side, price), side, price }
  })
}

function cell(
  { depth, side, price }: Column,
  top: bigint,
  row: number,
  marks: Marks,
  walk: WalkDocument | undefined,
  style: Style,
): string {
  const eighths = Number((depth * BigInt(8 * ROWS)) / top) - 8 * row
  const least = row === 0 && depth > 0n ? 1 : 0
  const filled = Math.max(least, Math.min(8, eighths))
  if (filled === 0) return ' '
  const mark = filled === 8 ? marks[side] : marks.steps[filled]!
  const painted = style[side === 'bid' ? 'buy' : 'sell'](mark)
  const isWalked =
    walk !== undefined &&
    walk.side === side &&
    (side === 'ask' ? price <= decimalOf(walk.rate) : price >= decimalOf(walk.rate))
  return isWalked ? style.bold(painted) : painted
}
