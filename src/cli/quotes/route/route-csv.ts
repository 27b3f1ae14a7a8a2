import type { RouteAnswer } from '../../../operations/route/route.js'
import type { CoinDocument } from '../../../operations/route-document.js'
import { type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { type Names, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { totals } from './route-notes.js'
import type { RouteContext } from './route-view.js'

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
