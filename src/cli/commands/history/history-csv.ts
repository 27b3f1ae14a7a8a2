import { formatRational, rational } from '../../../engine/math/rational.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import { isTop } from '../../../operations/history/history.js'
import type {
  HistoryAnswer,
  LegDocument,
  LegsAnswer,
  TopAnswer,
} from '../../../operations/history/history-documents.js'
import {
  amountColumns,
  type CsvCell,
  type CsvColumn,
  csv,
  foreign,
  tokenColumns,
} from '../../../render/csv.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { TaxFormat } from '../../flags/command-flags.js'
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

/** Context of a tax file beside the legs. */
export type TaxContext = Naming & {
  readonly chainId: string
  /** Network fees by transaction hash, of those that are known. */
  readonly fees: ReadonlyMap<string, CoinDocument>
}

/** A leg with the network fee of its transaction, which its first leg carries. */
type TaxLeg = LegDocument & { readonly fee: CoinDocument | undefined }

type Columns = (
  cells: ReturnType<typeof cellsOf>,
  names: Names,
  context: TaxContext,
) => readonly CsvColumn<TaxLeg>[]

/** A row for each leg, oldest first. Outputs are net of the fees of the venues, the protocol and the affiliate. */
export function taxCsv(
  legs: readonly LegDocument[],
  format: TaxFormat,
  context: TaxContext,
): string {
  const names = namesOf(context, plainStyle)
  const charged = new Set<string>()
  const rows = legs.toReversed().map((leg): TaxLeg => {
    const fee = charged.has(leg.tx_hash) ? undefined : context.fees.get(leg.tx_hash)
    charged.add(leg.tx_hash)
    return { ...leg, fee }
  })
  return csv(formats[format](cellsOf(names), names, context), rows)
}

/** @example '2026-05-01 12:03:56' */
const secondOf = ({ time }: LegDocument): string => `${time.slice(0, 10)} ${time.slice(11, 19)}`

const dollarUnit = ({ volume_usd }: LegDocument): CsvCell => (volume_usd === null ? null : 'USD')

/** Dollars for one unit of the input, rounded down; null where its value is not known. */
function unitPrice({ volume_usd, input }: LegDocument, names: Names): CsvCell {
  if (volume_usd === null || input.amount === '0') return null
  const [whole = '0', fraction = ''] = volume_usd.split('.')
  const dollars = rational(BigInt(whole + fraction), 10n ** BigInt(fraction.length))
  const unit = 10n ** BigInt(names.decimals(input.denom))
  return formatRational(
    rational(dollars.numerator * unit, dollars.denominator * BigInt(input.amount)),
  )
}

/** Cells of a leg that the formats share. */
function cellsOf(names: Names) {
  const symbol = (coin: CoinDocument | undefined) =>
    coin === undefined ? null : foreign(names, names.ticker(coin.denom))
  return {
    sent: ({ input }: TaxLeg) => names.units(input),
    sentSymbol: ({ input }: TaxLeg) => symbol(input),
    received: ({ output }: TaxLeg) => names.units(output),
    receivedSymbol: ({ output }: TaxLeg) => symbol(output),
    fee: ({ fee }: TaxLeg) => fee && names.units(fee),
    feeSymbol: ({ fee }: TaxLeg) => symbol(fee),
    description: ({ type, path, sender, recipient }: TaxLeg) => {
      const what = `${type} ${path.map(names.ticker).join(' > ')}`
      return foreign(names, sender === recipient ? what : `${what}, paid to ${recipient}`)
    },
  } satisfies Record<string, (leg: TaxLeg) => CsvCell | undefined>
}

const column = (head: string, cell: (leg: TaxLeg) => CsvCell | undefined): CsvColumn<TaxLeg> => [
  head,
  (leg) => cell(leg) ?? null,
]

const formats: Readonly<Record<TaxFormat, Columns>> = {
  koinly(cells) {
    return [
      column('Date', (leg) => `${secondOf(leg)} UTC`),
      column('Sent Amount', cells.sent),
      column('Sent Currency', cells.sentSymbol),
      column('Received Amount', cells.received),
      column('Received Currency', cells.receivedSymbol),
      column('Fee Amount', cells.fee),
      column('Fee Currency', cells.feeSymbol),
      column('Net Worth Amount', ({ volume_usd }) => volume_usd),
      column('Net Worth Currency', dollarUnit),
      column('Label', () => null),
      column('Description', cells.description),
      column('TxHash', ({ tx_hash }) => tx_hash),
    ]
  },
  ctc(cells, names, { chainId }) {
    return [
      column('Timestamp (UTC)', secondOf),
      column('Type', () => 'sell'),
      column('Base Currency', cells.sentSymbol),
      column('Base Amount', cells.sent),
      column('Quote Currency (Optional)', cells.receivedSymbol),
      column('Quote Amount (Optional)', cells.received),
      column('Fee Currency (Optional)', cells.feeSymbol),
      column('Fee Amount (Optional)', cells.fee),
      column('From (Optional)', ({ sender }) => foreign(names, sender)),
      column('To (Optional)', ({ recipient }) => foreign(names, recipient)),
      column('Blockchain (Optional)', () => foreign(names, chainId)),
      column('ID (Optional)', ({ tx_hash }) => tx_hash),
      column('Description (Optional)', cells.description),
      column('Reference Price Per Unit (Optional)', (leg) => unitPrice(leg, names)),
      column('Reference Price Currency (Optional)', dollarUnit),
    ]
  },
  rotki(cells) {
    return [
      column('Location', () => 'external'),
      column('Spend Currency', cells.sentSymbol),
      column('Receive Currency', cells.receivedSymbol),
      column('Receive Amount', cells.received),
      column('Spend Amount', cells.sent),
      column('Fee', cells.fee),
      column('Fee Currency', cells.feeSymbol),
      column('Description', (leg) => `${cells.description(leg)} ${leg.tx_hash}`),
      column('Timestamp', ({ time }) => Date.parse(time)),
    ]
  },
  generic(cells, names, { chainId }) {
    return [
      column('time', ({ time }) => time),
      column('type', ({ type }) => type),
      column('sent_amount', cells.sent),
      column('sent_currency', cells.sentSymbol),
      column('received_amount', cells.received),
      column('received_currency', cells.receivedSymbol),
      column('network_fee_amount', cells.fee),
      column('network_fee_currency', cells.feeSymbol),
      column('value_usd', ({ volume_usd }) => volume_usd),
      column('sender', ({ sender }) => foreign(names, sender)),
      column('recipient', ({ recipient }) => foreign(names, recipient)),
      column('chain_id', () => foreign(names, chainId)),
      column('height', ({ height }) => height),
      column('tx_hash', ({ tx_hash }) => tx_hash),
      column('msg_index', ({ msg_index }) => msg_index),
    ]
  },
}
