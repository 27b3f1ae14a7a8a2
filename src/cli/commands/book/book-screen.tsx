import type { ReactElement } from 'react'
import type { BookAnswer, BookLevelDocument } from '../../../operations/book/book.js'
import { formatPrice, formatShort, scalePrice } from '../../../render/amount.js'
import { type Names, namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import {
  Field,
  type FrameContext,
  frameOf,
  heightOf,
  Keys,
  Session,
  stepText,
  Table,
  Title,
} from '../../watch/frame.js'
import { midText } from './mid-price.js'
import type { BookContext } from './render.js'

/** Terminal columns of the longest bar. */
const BAR = 16

/** The best levels of a pair at this block, with the mid price and how it has moved. */
export function bookFrame(
  answer: BookAnswer,
  context: BookContext,
  watching: FrameContext,
  style: Style,
): ReactElement {
  const names = namesOf(context, style)
  const { dot } = glyphsOf(style)
  const { pair, asks, bids } = answer
  const decimals = { base: names.decimals(pair.base), quote: names.decimals(pair.quote) }
  const priceOf = (rate: string) => formatPrice(scalePrice(rate, decimals), { group: style.tty })
  const format = (value: bigint) => priceOf(midText(value))
  const name = `${names.pair(pair.address, pair)} ${dot} ${watching.pace}`
  const mid =
    pair.mid_price === null
      ? 'no mid price: a side is empty'
      : `${priceOf(pair.mid_price)} ${names.symbol(pair.quote)}`
  const spread = pair.spread_bps === null ? '' : `spread ${pair.spread_bps.toFixed(2)} bps`
  const now = [style.bold(mid), stepText(watching, format, style), spread]
  const title = <Title text={name} place={answer} style={style} />
  const figures = (
    <>
      <Field label="Mid" pieces={now} style={style} />
      <Session context={watching} format={format} style={style} />
    </>
  )
  const foot = <Keys context={watching} style={style} />
  // As many levels of either side as fit: cut at its end, the body would lose bids only.
  const taken = [title, figures, foot].reduce((sum, part) => sum + heightOf(part, style.width), 0)
  const room = Math.max(1, Math.floor((watching.lines - taken) / 2))
  const side = (name: 'ask' | 'bid', levels: readonly BookLevelDocument[]) => {
    const shown = levels.slice(0, room)
    return shown.map((level) => rowOf(name, level, shown.at(-1)!, priceOf, names, style))
  }
  const rows = [...side('ask', asks.levels).reverse(), ...side('bid', bids.levels)]
  const body = <Table columns={columns} rows={rows} empty="Nothing rests here." style={style} />
  return frameOf({ title, figures, body, foot }, watching.lines, style.width)
}

const columns = [
  { head: '' },
  { head: '', align: 'right' },
  { head: '', align: 'right' },
  { head: '', align: 'right', drop: 1 },
  { head: '', drop: 2 },
] as const

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
