import type { Config } from '../../../config/load.js'
import { SwapError } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import { counted } from '../../../engine/math/counted.js'
import { type DayOf, price } from '../../../operations/price/price.js'
import type { PriceAnswer } from '../../../operations/price/price-documents.js'
import { centsOf, formatPrice, formatShort, orDash } from '../../../render/amount.js'
import {
  type CsvColumn,
  csv,
  foreignColumns,
  memberColumns,
  untrustedCell,
} from '../../../render/csv.js'
import { fields, titledSections, withoutBreaks } from '../../../render/layout.js'
import { type Names, type Naming, namesOf, shortCoin } from '../../../render/names.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { alignPoints } from '../../../render/table.js'
import { displayWidth, padStart } from '../../../render/width.js'
import { denomNamed } from '../../arguments/pair-name.js'
import type { Context, Run } from '../../command.js'
import { excess } from '../../invalid-request.js'
import { marketNaming, printAnswer } from '../../print-answer.js'
import { readerOf } from '../../quotes/route-request.js'

/** Prints the price of a token in dollars or in another token. */
export const runPrice: Run = async (context, [name = '', second], flags) => {
  const { app, out, config } = context
  const reader = await readerOf(context)
  const base = denomNamed(reader, name, '/base', (a, b) => `swap price ${a} --in ${b}`)
  if (flags['in'] !== undefined && second !== undefined) throw excess('price', [second])
  const other = flags['in'] ?? second
  const quote = typeof other === 'string' ? reader.token(other, '/quote').denom : undefined
  const answer = await price(app, { base, ...(quote && { quote }) }, dayOf(context))
  const naming = priceContext(reader.market, config)
  return printAnswer(context, answer, {
    quiet: () => answer.mid_price ?? '',
    csv: () => priceCsv(answer, naming),
    human: () => renderPrice(answer, naming, out.style),
  })
}

/** The last 24 hours of the local history index. A saved market has none; a failure of the index is a note. */
export function dayOf({ config, history, out, form }: Context): DayOf {
  return async (time) => {
    if (config.values.snapshot !== undefined) return undefined
    try {
      const access = await history()
      return await access.day(time).finally(() => access.close())
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      if (form.quiet === 0) out.note(`without the last 24 hours: ${error.message}`)
      return undefined
    }
  }
}

export type PriceContext = Naming & {
  /** A saved market has no history. */
  readonly isSaved?: boolean | undefined
}

export const priceContext = (market: Market, config: Config): PriceContext => ({
  ...marketNaming(market, config),
  isSaved: config.values.snapshot !== undefined,
})

/** The hint for missing figures of the last 24 hours: the command fills the index, or names what no node has. */
export const NO_DAY = 'not indexed in full; read more: swap history --sync'

/** A price with its sides, for people; in a pipe `key<TAB>value` lines. */
export function renderPrice(answer: PriceAnswer, context: PriceContext, style: Style): string {
  const names = namesOf(context, style)
  if (!style.tty)
    return columns(names)
      .map(([head, cell]) => `${head}\t${cell(answer) ?? ''}`)
      .join('\n')
  const [base, quote] = [names.symbol(answer.base.denom), names.symbol(answer.quote.denom)]
  return titledSections(`${base} in ${quote}`, answer, style, [
    priceLines(answer, names),
    marketLines(answer, context, names),
  ])
}

function priceLines(answer: PriceAnswer, names: Names): readonly string[] {
  const { style } = names
  const quote = names.symbol(answer.quote.denom)
  const { mid_price, best_bid, best_ask, spread_bps, price_usd, inverse } = answer
  const numbers = [mid_price, best_bid, best_ask].map((price) =>
    orDash(price, (known) => formatPrice(known, style)),
  )
  const aligned = alignPoints(numbers)
  const widest = Math.max(...aligned.map(displayWidth))
  const [mid, bid, ask] = aligned.map((number, i) =>
    numbers[i] === '-' ? '-' : `${padStart(number, widest)} ${quote}`,
  )
  const spread = spread_bps !== null && withoutBreaks(`spread ${spread_bps.toFixed(2)} bps`)
  // A price of the quote token.
  const per = names.per({ base: answer.quote.denom, quote: answer.base.denom })
  // Not where the price is in the reference token itself.
  const usd = price_usd !== null && price_usd !== mid_price && `$${formatPrice(price_usd, style)}`
  return fields(style, [
    ['Mid', [withoutBreaks(mid!), usd]],
    ['Bid', [withoutBreaks(bid!)]],
    ['Ask', [withoutBreaks(ask!), spread]],
    inverse !== null && ['Inverse', [`${formatPrice(inverse, style)} ${per}`]],
  ])
}

function marketLines(
  answer: PriceAnswer,
  { isSaved }: PriceContext,
  names: Names,
): readonly string[] {
  const { style } = names
  const { bid_depth, ask_depth, path, pairs } = answer
  const isDirect = pairs.length === 1
  // Without a mid price neither depth is known.
  const depth =
    bid_depth !== null &&
    ask_depth !== null &&
    [depthText('bids', bid_depth, names), depthText('asks', ask_depth, names)].map(withoutBreaks)
  const over = isDirect
    ? [names.short(pairs[0]!, style.width - 16)]
    : [names.path(path), 'no pair trades the two directly: best prices multiplied']
  return fields(style, [
    depth && ['Within 2 %', depth],
    !isSaved && ['24 hours', dayTexts(answer, style)],
    [isDirect ? 'Pair' : 'Path', over],
  ])
}

/** @example 'bids 141.9k USDC ($141.9k)' */
function depthText(
  side: string,
  depth: NonNullable<PriceAnswer['bid_depth']>,
  names: Names,
): string {
  const usd = depth.usd === null ? '' : ` ($${shortDollars(depth.usd)})`
  return `${side} ${shortCoin(depth, names, names.symbol)}${names.style.width < 60 ? '' : usd}`
}

/** Dollars, a decimal, in short form. @example '1.2M' */
export const shortDollars = (usd: string): string => formatShort(centsOf(usd), 2)

function dayTexts(answer: PriceAnswer, style: Style): readonly (string | false)[] {
  const { day, volume_24h: volume, change_24h_percent: change } = answer
  if (day === null) return [NO_DAY]
  const moved =
    change === null
      ? 'change not known: no price of then in the index'
      : withoutBreaks(`change ${changeText(change, style)}`)
  return [
    volume?.usd != null && withoutBreaks(`volume $${shortDollars(volume.usd)}`),
    volume !== null && withoutBreaks(counted(volume.swaps, 'swap')),
    moved,
  ]
}

/** @example '+1.20 %' */
function changeText(percent: number, style: Style): string {
  const text = `${percent > 0 ? '+' : ''}${percent.toFixed(2)} %`
  return percent === 0 ? text : style[percent > 0 ? 'good' : 'bad'](text)
}

/** Figures under the names of the document; depth and volume in units. */
function columns(names: Names): readonly CsvColumn<PriceAnswer>[] {
  return [
    ...foreignColumns('network'),
    ['height', ({ height }) => height],
    ['base', ({ base }) => untrustedCell(base.denom)],
    ['quote', ({ quote }) => untrustedCell(quote.denom)],
    ...memberColumns('mid_price', 'best_bid', 'best_ask', 'spread_bps', 'inverse', 'price_usd'),
    ['bid_depth', ({ bid_depth }) => bid_depth && names.units(bid_depth)],
    ['bid_depth_denom', ({ bid_depth }) => bid_depth && untrustedCell(bid_depth.denom)],
    ['bid_depth_usd', ({ bid_depth }) => bid_depth?.usd ?? null],
    ['ask_depth', ({ ask_depth }) => ask_depth && names.units(ask_depth)],
    ['ask_depth_denom', ({ ask_depth }) => ask_depth && untrustedCell(ask_depth.denom)],
    ['ask_depth_usd', ({ ask_depth }) => ask_depth?.usd ?? null],
    ['volume_24h_usd', ({ volume_24h }) => volume_24h?.usd ?? null],
    ['swaps_24h', ({ volume_24h }) => volume_24h?.swaps ?? null],
    ['change_24h_percent', ({ change_24h_percent }) => change_24h_percent],
    ['path', ({ path }) => untrustedCell(path.join(' > '))],
    ['pairs', ({ pairs }) => pairs.join(' ')],
  ]
}

export const priceCsv = (answer: PriceAnswer, context: PriceContext): string =>
  csv([answer], columns(namesOf(context, plainStyle)))
