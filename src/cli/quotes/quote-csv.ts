import { rational, toBps } from '../../engine/math/rational.js'
import type { CoinDocument } from '../../operations/document-schema.js'
import type { RouteAnswer } from '../../operations/route/route-documents.js'
import type { SizeDocument } from '../../operations/split/size-documents.js'
import type { LegDocument, SplitAnswer } from '../../operations/split/split-documents.js'
import {
  amountColumns,
  type CsvColumn,
  csv,
  tabRows,
  tokenColumns,
  untrustedCell,
} from '../../render/csv.js'
import { type Names, type Naming, namesOf } from '../../render/names.js'
import { plainStyle } from '../../render/style.js'
import { totals } from './route/route-notes.js'
import { coinsOf, type RouteContext } from './route/route-view.js'

/** A contract call in a row: what it sells and what it pays. */
type CallRow = {
  readonly call: Pick<
    LegDocument,
    'expected_output' | 'min_return' | 'price_impact_bps' | 'exact' | 'path' | 'fees'
  >
  readonly input: CoinDocument
}

/** One row for each route, best first. */
export function routeCsv({ input, routes }: RouteAnswer, context: RouteContext): string {
  const rows = routes.map((call) => ({ call, input }))
  return csv(rows, [
    ['quote_id', () => context.quoteId ?? null],
    ['route', ({ call }) => call.id],
    ['gap_bps', ({ call }) => call.gap_bps],
    ...callColumns(namesOf(context, plainStyle)),
  ])
}

/** One row for each leg of the best split, in the order of execution. */
export function splitCsv({ input, routes }: SplitAnswer, context: RouteContext): string {
  const best = routes[0]!
  const total = BigInt(input.amount)
  const rows = best.legs.map((leg, i) => ({ call: leg, input: coinsOf(leg).input, number: i + 1 }))
  return csv(rows, [
    ['quote_id', () => context.quoteId ?? null],
    ['route', () => best.id],
    ['leg', ({ number }) => number],
    ['share_bps', ({ input }) => toBps(rational(BigInt(input.amount), total))],
    ...callColumns(namesOf(context, plainStyle)),
  ])
}

function callColumns(names: Names): readonly CsvColumn<CallRow>[] {
  const outputOf = ({ call }: CallRow) => call.path.at(-1)!
  const paid = (row: CallRow, amount: string) => ({ denom: outputOf(row), amount })
  const human = (row: CallRow, amount: string) => names.units(paid(row, amount))
  return [
    ...tokenColumns<CallRow>('in', names, ({ input }) => input.denom),
    ...amountColumns<CallRow>('in', names, ({ input }) => input),
    ...tokenColumns('out', names, outputOf),
    ...amountColumns<CallRow>('out', names, (row) => paid(row, row.call.expected_output)),
    ...amountColumns<CallRow>('min_return', names, (row) => paid(row, row.call.min_return)),
    ['impact_bps', ({ call }) => call.price_impact_bps],
    ['exact', ({ call }) => call.exact],
    ['path', ({ call }) => untrustedCell(call.path.join(' > '))],
    ['venue_fees', ({ call }) => feesText(call, names)],
    ['protocol_fee_human', (row) => human(row, row.call.fees.protocol.amount)],
    ['affiliate_fee_human', (row) => human(row, row.call.fees.affiliate.amount)],
  ]
}

const feesText = ({ fees }: CallRow['call'], names: Names): string =>
  totals(fees.venue)
    .map((coin) => `${names.units(coin)} ${names.symbol(coin.denom)}`)
    .join('; ')

/** One row for each size. */
export const sizesCsv = (sizes: readonly SizeDocument[], context: Naming): string =>
  csv(sizes, sizeColumns(context))

/** The same rows for a pipe, without tokens; empty cells if no path takes the size. */
export function sizeRows(sizes: readonly SizeDocument[], context: Naming): string {
  const columns = sizeColumns(context).filter(([head]) => !/_(symbol|denom)$/.test(head))
  return tabRows(sizes, columns)
}

function sizeColumns(context: Naming): readonly CsvColumn<SizeDocument>[] {
  const names = namesOf(context, plainStyle)
  return [
    ...tokenColumns<SizeDocument>('in', names, ({ input }) => input.denom),
    ...amountColumns<SizeDocument>('in', names, ({ input }) => input),
    ['out_symbol', ({ output }) => output && untrustedCell(names.ticker(output.denom))],
    ['out_denom', ({ output }) => output && untrustedCell(output.denom)],
    ...amountColumns<SizeDocument>('out', names, ({ output }) => output),
    ['price', ({ price }) => price],
    ['impact_bps', ({ price_impact_bps }) => price_impact_bps],
    ['exact', ({ exact }) => exact],
  ]
}
