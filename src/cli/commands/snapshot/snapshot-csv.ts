import type { PairSummary, SnapshotAnswer } from '../../../operations/book/snapshot-summary.js'
import type { CoinDocument } from '../../../operations/route-document.js'
import { type CsvCell, type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { SnapshotContext } from './render.js'

/** A pair of the market, or one that was left out. */
type Listed = { readonly address: string; readonly pair?: PairSummary; readonly reason?: string }

/** One row for each pair, then one for each that was left out, its reason in the last column. */
export function snapshotCsv(answer: SnapshotAnswer, context: SnapshotContext): string {
  const names = namesOf(context, plainStyle)
  const symbol = (denom: string) => foreign(names, names.ticker(denom))
  const human = (price: string | null, pair: PairSummary) =>
    price === null ? null : names.unitPrice(price, pair)
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
