import { isTop } from '../../../operations/history/history.js'
import type {
  HistoryAnswer,
  LegDocument,
  LegsAnswer,
  TopAnswer,
} from '../../../operations/history/history-documents.js'
import { amountColumns, type CsvColumn, csv, foreign, tokenColumns } from '../../../render/csv.js'
import { namesOf } from '../../../render/names.js'
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
    ...tokenColumns<LegDocument>('in', names, ({ input }) => input.denom),
    ...amountColumns<LegDocument>('in', names, ({ input }) => input),
    ...tokenColumns<LegDocument>('out', names, ({ output }) => output.denom),
    ...amountColumns<LegDocument>('out', names, ({ output }) => output),
    ...(['protocol', 'referral', 'affiliate'] as const).flatMap((fee) =>
      amountColumns<LegDocument>(`${fee}_fee`, names, ({ fees }) => fees[fee]),
    ),
    ['volume_usd', ({ volume_usd }) => volume_usd],
    ['path', ({ path }) => word(path.join(' > '))],
  ]
  return csv(columns, answer.items)
}

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
