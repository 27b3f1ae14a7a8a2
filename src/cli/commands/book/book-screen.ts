import type { BookAnswer, BookLevelDocument } from '../../../operations/book/book.js'
import { formatPrice, formatShort, scalePrice } from '../../../render/amount.js'
import { field, paragraph, titleLines, unbroken } from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { type FrameContext, footLines, frameOf, sessionLines, stepText } from '../../watch/frame.js'
import type { BookContext } from './render.js'

/** Digits after the point of the mid price while it is watched as an integer. */
const MID_PLACES = 18

/** Terminal columns of the longest bar. */
const BAR = 16

/** The best levels of a pair at this block, with the mid price and how it has moved. */
export function bookFrame(
  answer: BookAnswer,
  context: BookContext,
  watching: FrameContext,
  style: Style,
): readonly string[] {
  const names = namesOf(context, style)
  const { dot } = glyphsOf(style)
  const { pair, asks, bids } = answer
  const decimals = { base: names.decimals(pair.base), quote: names.decimals(pair.quote) }
  const priceOf = (rate: string) => formatPrice(scalePrice(rate, decimals), { group: style.tty })
  const title = titleLines(
    `${names.pair(pair.address, pair)} ${dot} ${watching.pace}`,
    answer,
    style,
  )
  const figures = figuresOf(answer, watching, names, priceOf, style)
  const foot = footLines(watching, [], style)
  // As many levels of either side as fit: cut at the end, only buyers would go.
  const taken = title.length + figures.length + foot.length
  const room = Math.max(1, Math.floor((watching.lines - taken) / 2))
  const side = (name: 'ask' | 'bid', levels: readonly BookLevelDocument[]) =>
    levels
      .slice(0, room)
      .map((level) =>
        rowOf(name, level, levels[Math.min(room, levels.length) - 1]!, priceOf, names, style),
      )
  const rows = [...side('ask', asks.levels).reverse(), ...side('bid', bids.levels)]
  const body =
    rows.length === 0 ? paragraph('Nothing rests here.', style) : table(columns, rows, style)
  return frameOf({ title, figures, body, foot }, watching.lines)
}

const columns = [
  { head: '' },
  { head: '', align: 'right' },
  { head: '', align: 'right' },
  { head: '', align: 'right', drop: 1 },
  { head: '', drop: 2 },
] as const

function figuresOf(
  { pair }: BookAnswer,
  watching: FrameContext,
  names: Names,
  priceOf: (rate: string) => string,
  style: Style,
): readonly string[] {
  const text = (value: bigint) => priceOf(midText(value))
  const mid =
    pair.mid_price === null
      ? 'no mid price: a side is empty'
      : `${priceOf(pair.mid_price)} ${names.symbol(pair.quote)}`
  const spread = pair.spread_bps === null ? [] : [`spread ${pair.spread_bps.toFixed(2)} bps`]
  const pieces = [
    style.bold(unbroken(mid)),
    stepText(watching, text, style),
    ...spread.map(unbroken),
  ]
  return [
    ...field(
      'Mid',
      pieces.filter((piece) => piece !== ''),
      style,
    ),
    ...sessionLines(watching, text, style),
  ]
}

function rowOf(
  name: 'ask' | 'bid',
  { rate, amount, depth }: BookLevelDocument,
  deepest: BookLevelDocument,
  priceOf: (rate: string) => string,
  names: Names,
  style: Style,
): readonly string[] {
  const short = (atomics: string) =>
    `${formatShort(BigInt(atomics), names.decimals(amount.denom))} ${names.ticker(amount.denom)}`
  return [
    style[name === 'ask' ? 'red' : 'green'](name),
    priceOf(rate),
    short(amount.amount),
    short(depth),
    bar(BigInt(depth), BigInt(deepest.depth), BAR, style),
  ]
}

/** A mid price as an integer with `MID_PLACES` digits after the point; nothing where there is none. */
export function midValue(mid: string | null): bigint | undefined {
  if (mid === null) return undefined
  const [whole = '0', fraction = ''] = mid.split('.')
  return BigInt(whole + fraction.slice(0, MID_PLACES).padEnd(MID_PLACES, '0'))
}

const midText = (value: bigint): string => {
  const digits = `${value}`.padStart(MID_PLACES + 1, '0')
  return `${digits.slice(0, -MID_PLACES)}.${digits.slice(-MID_PLACES)}`
}
