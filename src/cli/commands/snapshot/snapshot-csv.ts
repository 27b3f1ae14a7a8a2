import type { PairSummary, SnapshotAnswer } from '../../../operations/book/book-answer.js'
import { amountColumns, type CsvColumn, csv, foreign, tokenColumns } from '../../../render/csv.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { SnapshotContext } from './render.js'

/** A pair of the market, or one that was left out. */
type Listed = { readonly address: string; readonly pair?: PairSummary; readonly reason?: string }

/** One row for each pair, then one for each that was left out, its reason in the last column. */
export function snapshotCsv(answer: SnapshotAnswer, context: SnapshotContext): string {
  const names = namesOf(context, plainStyle)
  const human = (price: string | null, pair: PairSummary) =>
    price === null ? null : names.unitPrice(price, pair)
  const columns: readonly CsvColumn<PairSummary>[] = [
    ...tokenColumns<PairSummary>('base', names, ({ base }) => base),
    ...tokenColumns<PairSummary>('quote', names, ({ quote }) => quote),
    ['fin_version', ({ fin_version }) => fin_version && foreign(names, fin_version)],
    ['makers', ({ makers }) => makers],
    ['best_bid', (pair) => human(pair.best_bid, pair)],
    ['best_ask', (pair) => human(pair.best_ask, pair)],
    ['mid_price', (pair) => human(pair.mid_price, pair)],
    ['spread_bps', ({ spread_bps }) => spread_bps],
    ...amountColumns<PairSummary>('bid_depth', names, ({ bid_depth }) => bid_depth),
    ...amountColumns<PairSummary>('ask_depth', names, ({ ask_depth }) => ask_depth),
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
