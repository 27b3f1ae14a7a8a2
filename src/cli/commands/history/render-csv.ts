import {
  type HistoryAnswer,
  isTop,
  type LegDocument,
  type LegsAnswer,
  type TopAnswer,
} from '../../../operations/history/history.js'
import type { CoinDocument } from '../../../operations/route-document.js'
import { type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { type Names, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { HistoryContext } from './render-context.js'

/** One row for each leg, with everything that a tax program asks for; or one for each wallet. */
export const historyCsv = (answer: HistoryAnswer, context: HistoryContext): string =>
  isTop(answer) ? topCsv(answer, context) : legsCsv(answer, context)

function legsCsv(answer: LegsAnswer, context: HistoryContext): string {
  const names = namesOf(context, plainStyle)
  const word = (text: string | null) => (text === null ? null : foreign(names, text))
  const columns: readonly CsvColumn<LegDocument>[] = [
    ['time', ({ time }) => time],
    ['height', ({ height }) => height],
    ['tx_hash', ({ tx_hash }) => tx_hash],
    ['msg_index', ({ msg_index }) => msg_index],
    ['type', ({ type }) => type],
    ['sender', ({ sender }) => word(sender)],
    ['recipient', ({ recipient }) => word(recipient)],
    ['affiliate', ({ affiliate }) => word(affiliate)],
    ...coinColumns('in', ({ input }) => input, names),
    ...coinColumns('out', ({ output }) => output, names),
    ['protocol_fee_atomic', ({ fees }) => fees.protocol.amount],
    ['protocol_fee_human', ({ fees }) => names.units(fees.protocol)],
    ['referral_fee_atomic', ({ fees }) => fees.referral.amount],
    ['referral_fee_human', ({ fees }) => names.units(fees.referral)],
    ['affiliate_fee_atomic', ({ fees }) => fees.affiliate.amount],
    ['affiliate_fee_human', ({ fees }) => names.units(fees.affiliate)],
    ['volume_usd', ({ volume_usd }) => volume_usd],
    ['path', ({ path }) => word(path.join(' > '))],
  ]
  return csv(columns, answer.items)
}

const coinColumns = (
  prefix: string,
  coinOf: (leg: LegDocument) => CoinDocument,
  names: Names,
): readonly CsvColumn<LegDocument>[] => [
  [`${prefix}_symbol`, (leg) => foreign(names, names.ticker(coinOf(leg).denom))],
  [`${prefix}_denom`, (leg) => foreign(names, coinOf(leg).denom)],
  [`${prefix}_atomic`, (leg) => coinOf(leg).amount],
  [`${prefix}_human`, (leg) => names.units(coinOf(leg))],
]

function topCsv(answer: TopAnswer, context: HistoryContext): string {
  const names = namesOf(context, plainStyle)
  const columns: readonly CsvColumn<TopAnswer['items'][number]>[] = [
    ['period', () => answer.period],
    ['from', () => answer.from],
    ['to', () => answer.to],
    ['rank', ({ rank }) => rank],
    ['sender', ({ sender }) => foreign(names, sender)],
    ['swaps', ({ swaps }) => swaps],
    ['volume_usd', ({ volume_usd }) => volume_usd],
  ]
  return csv(columns, answer.items)
}
