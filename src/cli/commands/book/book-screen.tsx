import type { ReactElement } from 'react'
import { decimal, formatDecimal } from '../../../engine/math/decimal.js'
import type { BookAnswer, SideDocument } from '../../../operations/book/book-documents.js'
import { type Naming, namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { Estimate } from '../../quotes/quote-screen.js'
import { answerFrame, Field, type FrameContext, stepText, Table } from '../../watch/frame.js'
import { levelTable } from './level-rows.js'

export type WatchedBook = { readonly answer: BookAnswer; readonly naming: Naming }

/** The best levels of a pair at this block, with the mid price and how it has moved. */
export function bookFrame(
  { answer, naming }: WatchedBook,
  _last: unknown,
  watching: FrameContext,
  style: Style,
): ReactElement {
  const names = namesOf(naming, style)
  const { pair, asks, bids } = answer
  const format = (value: bigint) =>
    `${names.price(formatDecimal(decimal(value)), pair)} ${names.symbol(pair.quote)}`
  const mid =
    pair.mid_price === null
      ? 'no mid price: a side is empty'
      : `${names.price(pair.mid_price, pair)} ${names.symbol(pair.quote)}`
  const spread = pair.spread_bps === null ? '' : `spread ${pair.spread_bps.toFixed(2)} bps`
  const now = [style.bold(mid), stepText(watching, format, style), spread]
  // As many levels of either side as fit: cut at its end, the body would lose bids only.
  const body = (lines: number) => {
    const room = Math.max(1, Math.floor((lines - 1) / 2))
    const first = ({ levels, more }: SideDocument) => ({ levels: levels.slice(0, room), more })
    const shown = { pair, asks: first(asks), bids: first(bids) }
    const { levels, columns } = levelTable(shown, names, style)
    return <Table items={levels} columns={columns} empty="No orders." style={style} />
  }
  return answerFrame(watching, style, {
    title: names.pair(pair.address, pair),
    place: answer,
    figures: (
      <>
        <Field label="Mid" pieces={now} style={style} />
        <Estimate of={[pair]} style={style} />
      </>
    ),
    format,
    body,
  })
}
