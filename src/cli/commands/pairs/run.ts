import { counted } from '../../../engine/math/counted.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import { pairs } from '../../../operations/price/price.js'
import type { PairListing, PairsAnswer } from '../../../operations/price/price-documents.js'
import { formatPrice, orDash } from '../../../render/amount.js'
import {
  type CsvColumn,
  csv,
  foreignColumns,
  memberColumns,
  tabRows,
  tokenColumns,
} from '../../../render/csv.js'
import {
  formOf,
  paragraph,
  stackedEntry,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { type Names, namesOf, shortCoin } from '../../../render/names.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { denomNamed } from '../../arguments/pair-name.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'
import { readerOf } from '../../quotes/route-request.js'
import { dayOf, NO_DAY, type PriceContext, priceContext, shortDollars } from '../price/run.js'

/** Lists the pairs of the market, or those that trade a token. */
export async function runPairs(context: Context, [name]: readonly string[]): Promise<void> {
  const { app, out, config } = context
  const reader = await readerOf(context)
  const token =
    name === undefined
      ? undefined
      : denomNamed(reader, name, '/token', (a, b) => `swap book ${a}/${b}`)
  const answer = await pairs(app, { ...(token && { token }) }, dayOf(context))
  const naming = { ...priceContext(reader.market, config), token }
  return printAnswer(context, answer, {
    quiet: () => answer.pairs.map(({ address }) => address).join('\n'),
    csv: () => pairsCsv(answer, naming),
    human: () => renderPairs(answer, naming, out.style),
  })
}

/** Context of the renderers beside the answer; `token` is the filter. */
type PairsContext = PriceContext & { readonly token?: string | undefined }

/** The pairs: a table for people; in a pipe tab-separated rows without a heading. */
export function renderPairs(answer: PairsAnswer, context: PairsContext, style: Style): string {
  const names = namesOf(context, style)
  if (!style.tty) return tabRows(answer.pairs, columns(names))
  const of = context.token === undefined ? '' : ` of ${names.symbol(context.token)}`
  return titledSections(`${counted(answer.pairs.length, 'pair')}${of}`, answer, style, [
    pairLines(answer, names),
    legendLines(answer, context, style),
  ])
}

function pairLines(answer: PairsAnswer, names: Names): readonly string[] {
  const { style } = names
  const figures = answer.pairs.map((pair) => figuresOf(pair, names))
  if (formOf(style) === 'stacked')
    return figures.flatMap(({ name, mid, spread, bids, asks, volume }) => {
      const day = volume !== '-' && `24 h $${volume}`
      const pieces = [`mid ${mid}`, `spread ${spread}`, `depth ${bids}, ${asks}`, day]
      return stackedEntry(name, pieces, style)
    })
  return table(figures, style, [
    ['PAIR', ({ name }) => name],
    ['MID', ({ mid }) => mid, { align: 'right' }],
    ['SPREAD', ({ spread }) => spread, { align: 'right' }],
    ['BIDS', ({ bids }) => bids, { align: 'right', drop: 1 }],
    ['ASKS', ({ asks }) => asks, { align: 'right', drop: 1 }],
    answer.day !== null && ['24 H $', ({ volume }) => volume, { align: 'right', drop: 2 }],
  ])
}

/** A pair's figures as texts; unknown ones are a dash. */
function figuresOf(pair: PairListing, names: Names) {
  const depth = (coin: CoinDocument) => shortCoin(coin, names)
  return {
    name: `${names.pair(pair.address, denomsOf(pair))}${pair.exact ? '' : ' *'}`,
    mid: orDash(pair.mid_price, (price) => formatPrice(price, names.style)),
    spread: orDash(pair.spread_bps, (bps) => bps.toFixed(2)),
    bids: orDash(pair.bid_depth, depth),
    asks: orDash(pair.ask_depth, depth),
    volume: orDash(pair.volume_24h?.usd, shortDollars),
  }
}

const denomsOf = ({ base, quote }: PairListing) => ({ base: base.denom, quote: quote.denom })

function legendLines(
  { pairs, day }: PairsAnswer,
  { isSaved }: PairsContext,
  style: Style,
): readonly string[] {
  const legend = [
    `Prices in the quote token, spreads in bps. Bids and asks: what rests within ${withoutBreaks('2 %')} of the mid.`,
    ...(pairs.some(({ mid_price }) => mid_price === null)
      ? ['A dash: no bids or no asks rest, or they cannot be read.']
      : []),
    ...(day === null && !isSaved ? [`Volume of 24 hours: ${NO_DAY}`] : []),
    ...(pairs.every(({ exact }) => exact)
      ? []
      : ['* not everything of this pair is known: quotes over it are estimates.']),
  ]
  return pairs.length === 0 ? [] : legend.flatMap((text) => paragraph(text, style))
}

/** Columns under the names of the document; depths and volume in units. */
function columns(names: Names): readonly CsvColumn<PairListing>[] {
  return [
    ...foreignColumns('address'),
    ...tokenColumns<PairListing>('base', names, ({ base }) => base.denom),
    ...tokenColumns<PairListing>('quote', names, ({ quote }) => quote.denom),
    ...memberColumns('mid_price', 'best_bid', 'best_ask', 'spread_bps'),
    ['bid_depth', ({ bid_depth }) => bid_depth && names.units(bid_depth)],
    ['bid_depth_usd', ({ bid_depth }) => bid_depth?.usd ?? null],
    ['ask_depth', ({ ask_depth }) => ask_depth && names.units(ask_depth)],
    ['ask_depth_usd', ({ ask_depth }) => ask_depth?.usd ?? null],
    ['volume_24h', ({ volume_24h }) => volume_24h && names.units(volume_24h)],
    ['volume_24h_usd', ({ volume_24h }) => volume_24h?.usd ?? null],
    ['swaps_24h', ({ volume_24h }) => volume_24h?.swaps ?? null],
    ['exact', ({ exact }) => exact],
  ]
}

export const pairsCsv = (answer: PairsAnswer, context: PairsContext): string =>
  csv(answer.pairs, columns(namesOf(context, plainStyle)))
