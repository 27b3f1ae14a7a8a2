import { hundredths, rational } from '../../../engine/math/rational.js'
import type { CurveAnswer } from '../../../operations/split/curve.js'
import type { MaxAnswer } from '../../../operations/split/max.js'
import type { SplitAnswer } from '../../../operations/split/split.js'
import type { LegDocument } from '../../../operations/split/split-document.js'
import { type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { totals } from '../route/route-notes.js'
import type { RouteContext } from '../route/route-view.js'
import { coinsOf } from './split-view.js'

/** One row for each leg of the best division, in the order of execution. */
export function splitCsv(answer: SplitAnswer, context: RouteContext): string {
  const names = namesOf(context, plainStyle)
  const [best] = answer.routes
  const symbol = (denom: string) => foreign(names, names.ticker(denom))
  const total = BigInt(answer.input.amount)
  type Row = { readonly leg: LegDocument; readonly number: number }
  const paid = ({ leg }: Row, amount: string) => names.units({ denom: leg.path.at(-1)!, amount })
  const columns: readonly CsvColumn<Row>[] = [
    ['quote_id', () => context.quoteId ?? null],
    ['route', () => best!.id],
    ['leg', ({ number }) => number],
    ['share_bps', ({ leg }) => hundredths(rational(BigInt(leg.split.amount), total), 10_000n)],
    ['in_symbol', ({ leg }) => symbol(leg.path[0]!)],
    ['in_denom', ({ leg }) => foreign(names, leg.path[0]!)],
    ['in_atomic', ({ leg }) => leg.split.amount],
    ['in_human', ({ leg }) => names.units(coinsOf(leg).input)],
    ['out_symbol', ({ leg }) => symbol(leg.path.at(-1)!)],
    ['out_denom', ({ leg }) => foreign(names, leg.path.at(-1)!)],
    ['out_atomic', ({ leg }) => leg.expected_output],
    ['out_human', ({ leg }) => names.units(coinsOf(leg).output)],
    ['min_return_atomic', ({ leg }) => leg.min_return],
    ['min_return_human', (row) => paid(row, row.leg.min_return)],
    ['impact_bps', ({ leg }) => leg.price_impact_bps],
    ['exact', ({ leg }) => leg.exact],
    ['path', ({ leg }) => foreign(names, leg.path.join(' > '))],
    ['venue_fees', ({ leg }) => feesText(leg, names)],
    ['protocol_fee_human', (row) => paid(row, row.leg.fees.protocol.amount)],
    ['affiliate_fee_human', (row) => paid(row, row.leg.fees.affiliate.amount)],
  ]
  return csv(
    columns,
    best!.legs.map((leg, i) => ({ leg, number: i + 1 })),
  )
}

const feesText = ({ fees }: LegDocument, names: Names): string =>
  totals(fees.venue)
    .map((coin) => `${names.units(coin)} ${names.symbol(coin.denom)}`)
    .join('; ')

/** One row for each size. */
export const curveCsv = ({ points }: CurveAnswer, context: Naming): string =>
  csv(sizeColumns(context), points)

/** The one size that was found. */
export const maxCsv = (answer: MaxAnswer, context: Naming): string =>
  csv(sizeColumns(context), [answer])

function sizeColumns(context: Naming): readonly CsvColumn<CurveAnswer['points'][number]>[] {
  const names = namesOf(context, plainStyle)
  return [
    ['in_symbol', ({ input }) => foreign(names, names.ticker(input.denom))],
    ['in_atomic', ({ input }) => input.amount],
    ['in_human', ({ input }) => names.units(input)],
    ['out_symbol', ({ output }) => output && foreign(names, names.ticker(output.denom))],
    ['out_atomic', ({ output }) => output?.amount ?? null],
    ['out_human', ({ output }) => output && names.units(output)],
    ['price', ({ price }) => price],
    ['impact_bps', ({ price_impact_bps }) => price_impact_bps],
  ]
}
