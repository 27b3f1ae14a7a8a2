import type { SnapshotContext } from '../cli/commands/snapshot/render.js'
import { type Names, namesOf } from '../cli/document-names.js'
import { totals } from '../cli/quotes/route/notes.js'
import type { RouteContext } from '../cli/quotes/route/view.js'
import type { RouteAnswer } from '../operations/route/route.js'
import type { CoinDocument } from '../operations/route-document.js'
import type { PairSummary, SnapshotAnswer } from '../operations/snapshot-summary.js'
import type { TokensAnswer } from '../operations/tokens.js'
import { scalePrice } from './price.js'
import { plainStyle } from './style.js'

/** One column: its heading and what stands in it for one record. */
export type CsvCell = string | number | boolean | null
export type CsvColumn<T> = readonly [head: string, cell: (record: T) => CsvCell]

/** RFC 4180: a heading, then a row each, CRLF after every one. What is not known is empty. */
export const csv = <T>(columns: readonly CsvColumn<T>[], records: readonly T[]): string =>
  [
    columns.map(([head]) => head),
    ...records.map((record) => columns.map(([, cell]) => cell(record) ?? '')),
  ]
    .map((row) => `${row.map((cell) => field(String(cell))).join(',')}\r\n`)
    .join('')

const field = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * A text that came from outside (a symbol, a name, a denom, a reason). Where a spreadsheet would
 * run it as a formula it gets an apostrophe in front, and control characters are made visible.
 * Numbers are left alone: this program writes them.
 */
export const foreign = (names: Names, text: string): string =>
  names.text(text).replace(/^\s*[=+\-@]/, "'$&")

/** One row for each route, best first. */
export function routeCsv(answer: RouteAnswer, context: RouteContext): string {
  const names = namesOf(context, plainStyle)
  const { input } = answer
  const to = answer.output.denom
  const symbol = (denom: string) => foreign(names, names.ticker(denom))
  const human = (amount: string) => names.units({ denom: to, amount })
  const columns: readonly CsvColumn<RouteAnswer['routes'][number]>[] = [
    ['quote_id', () => context.quoteId ?? null],
    ['route', ({ id }) => id],
    ['gap_bps', ({ gap_bps }) => gap_bps],
    ['in_symbol', () => symbol(input.denom)],
    ['in_denom', () => foreign(names, input.denom)],
    ['in_atomic', () => input.amount],
    ['in_human', () => names.units(input)],
    ['out_symbol', () => symbol(to)],
    ['out_denom', () => foreign(names, to)],
    ['out_atomic', ({ expected_output }) => expected_output],
    ['out_human', ({ expected_output }) => human(expected_output)],
    ['min_return_atomic', ({ min_return }) => min_return],
    ['min_return_human', ({ min_return }) => human(min_return)],
    ['impact_bps', ({ price_impact_bps }) => price_impact_bps],
    ['exact', ({ exact }) => exact],
    ['path', ({ path }) => foreign(names, path.join(' > '))],
    [
      'venue_fees',
      ({ fees }) =>
        totals(fees.venue)
          .map((coin) => unitsText(coin, names))
          .join('; '),
    ],
    ['protocol_fee_human', ({ fees }) => human(fees.protocol.amount)],
    ['affiliate_fee_human', ({ fees }) => human(fees.affiliate.amount)],
  ]
  return csv(columns, answer.routes)
}

const unitsText = (coin: CoinDocument, names: Names): string =>
  `${names.units(coin)} ${names.symbol(coin.denom)}`

/** One row for each token, under the names of the document. */
export function tokensCsv(answer: TokensAnswer): string {
  const names = namesOf({ tokens: new Map() }, plainStyle)
  const text = (value: string | null) => (value === null ? null : foreign(names, value))
  const columns: readonly CsvColumn<TokensAnswer['tokens'][number]>[] = [
    ['denom', ({ denom }) => text(denom)],
    ['symbol', ({ symbol }) => text(symbol)],
    ['name', ({ name }) => text(name)],
    ['chain', ({ chain }) => text(chain)],
    ['kind', ({ kind }) => text(kind)],
    ['contract', ({ contract }) => text(contract)],
    ['decimals', ({ decimals }) => decimals],
    ['price_usd', ({ price_usd }) => price_usd],
    ['pairs', ({ pairs }) => pairs],
    ['logo_uri', ({ logo_uri }) => text(logo_uri)],
  ]
  return csv(columns, answer.tokens)
}

/** A pair of the market, or one that was left out. */
type Listed = { readonly address: string; readonly pair?: PairSummary; readonly reason?: string }

/** One row for each pair, then one for each that was left out, its reason in the last column. */
export function snapshotCsv(answer: SnapshotAnswer, context: SnapshotContext): string {
  const names = namesOf(context, plainStyle)
  const symbol = (denom: string) => foreign(names, names.ticker(denom))
  const human = (price: string | null, { base, quote }: PairSummary) =>
    price === null
      ? null
      : scalePrice(price, { base: names.decimals(base), quote: names.decimals(quote) })
  const units = (coin: CoinDocument | null) => (coin === null ? null : names.units(coin))
  const columns: readonly (readonly [string, (pair: PairSummary) => CsvCell])[] = [
    ['base_symbol', ({ base }) => symbol(base)],
    ['base_denom', ({ base }) => foreign(names, base)],
    ['quote_symbol', ({ quote }) => symbol(quote)],
    ['quote_denom', ({ quote }) => foreign(names, quote)],
    ['fin_version', ({ fin_version }) => fin_version && foreign(names, fin_version)],
    ['makers', ({ makers }) => makers],
    ['best_bid', (pair) => human(pair.best_bid, pair)],
    ['best_ask', (pair) => human(pair.best_ask, pair)],
    ['mid_price', (pair) => human(pair.mid_price, pair)],
    ['spread_bps', ({ spread_bps }) => spread_bps],
    ['bid_depth_atomic', ({ bid_depth }) => bid_depth?.amount ?? null],
    ['bid_depth_human', ({ bid_depth }) => units(bid_depth)],
    ['ask_depth_atomic', ({ ask_depth }) => ask_depth?.amount ?? null],
    ['ask_depth_human', ({ ask_depth }) => units(ask_depth)],
    ['exact', ({ exact }) => exact],
  ]
  const records: readonly Listed[] = [
    ...answer.pairs.map((pair) => ({ address: pair.address, pair })),
    ...answer.excluded,
  ]
  return csv<Listed>(
    [
      ['address', ({ address }) => foreign(names, address)],
      ...columns.map(
        ([head, cell]): CsvColumn<Listed> => [head, ({ pair }) => (pair ? cell(pair) : null)],
      ),
      ['left_out', ({ reason }) => (reason === undefined ? null : foreign(names, reason))],
    ],
    records,
  )
}
