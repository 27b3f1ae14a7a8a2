import { book } from '../../../operations/book/book.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { pairNamed } from '../../arguments/pair-name.js'
import type { Context, FlagValues } from '../../command.js'
import { marketNaming } from '../../print-answer.js'
import { conditionOn, plainNumber } from '../../watch/condition.js'
import { changeBps, hasMoved } from '../../watch/events.js'
import { watch } from '../../watch/watch.js'
import type { WatchedBook } from './book-screen.js'
import { decimalOf } from './level-rows.js'

export async function watchBook(
  context: Context,
  flags: FlagValues,
  asked: { readonly pair: string; readonly levels: number },
): Promise<void> {
  const { config, out } = context
  const midOf = ({ answer: { pair } }: WatchedBook) =>
    pair.mid_price === null ? undefined : decimalOf(pair.mid_price)
  /** The mid price in units; nothing where a side is empty. */
  const mid = ({ answer: { pair }, naming }: WatchedBook): string =>
    pair.mid_price === null ? '' : namesOf(naming, plainStyle).unitPrice(pair.mid_price, pair)
  let pair: string | undefined
  await watch<WatchedBook>(context, flags, {
    async ask(app) {
      const { market } = await app.openMarket()
      pair ??= pairNamed({ ...context, app }, market, asked.pair)
      const answer = await book(app, { pair, levels: asked.levels })
      return { answer, naming: marketNaming(market, config) }
    },
    moved: (now, reported, bps) => hasMoved(midOf(now), midOf(reported), bps),
    bodies(now, reported) {
      const delta = changeBps(midOf(now), reported && midOf(reported))
      return [{ type: 'book', delta_bps: delta, book: now.answer }]
    },
    // Quote units per base unit, and basis points.
    condition: conditionOn({
      mid: [plainNumber, (seen) => mid(seen) || null],
      spread: [basisPoints, ({ answer }) => answer.pair.spread_bps],
    }),
    number: midOf,
    loadFrame: async () => (await import('./book-screen.js')).bookFrame,
    value: mid,
    line({ answer: { height, pair: summary }, naming }) {
      const names = namesOf(naming, out.style)
      const price = summary.mid_price && names.price(summary.mid_price, summary)
      const spread = summary.spread_bps === null ? 'n/a' : `${summary.spread_bps.toFixed(2)} bps`
      return `block ${height}  mid ${price ?? 'n/a'} ${names.symbol(summary.quote)}  spread ${spread}`
    },
  })
}

function basisPoints(text: string, left: string) {
  const number = plainNumber(text.replace(/ ?(bps|%)$/, ''), left)
  return text.endsWith('%') ? number.times(100) : number
}
