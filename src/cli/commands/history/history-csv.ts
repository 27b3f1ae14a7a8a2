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
  foreignColumns,
  memberColumns,
  tokenColumns,
  untrustedCell,
} from '../../../render/csv.js'
import { formatTime, formatUtc } from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import type { TaxFormat } from '../../flags/command-flags.js'
import type { HistoryContext } from './render-context.js'

/** One row for each leg with the columns of tax programs; or one for each wallet. */
export const historyCsv = (answer: HistoryAnswer, context: HistoryContext): string =>
  isTop(answer) ? topCsv(answer) : legsCsv(answer, context)

function legsCsv(answer: LegsAnswer, context: HistoryContext): string {
  const names = namesOf(context, plainStyle)
  return csv(answer.items, [
    ...memberColumns('time', 'height', 'tx_hash', 'msg_index', 'type'),
    ...foreignColumns('sender', 'recipient', 'affiliate'),
    ...tokenColumns<LegDocument>('in', names, ({ input }) => input.denom),
    ...amountColumns<LegDocument>('in', names, ({ input }) => input),
    ...tokenColumns<LegDocument>('out', names, ({ output }) => output.denom),
    ...amountColumns<LegDocument>('out', names, ({ output }) => output),
    ...(['protocol', 'referral', 'affiliate'] as const).flatMap((fee) =>
      amountColumns<LegDocument>(`${fee}_fee`, names, ({ fees }) => fees[fee]),
    ),
    ...memberColumns('volume_usd'),
    ['path', ({ path }) => untrustedCell(path.join(' > '))],
  ])
}

const topCsv = ({ period, from, to, items }: TopAnswer): string =>
  csv(items, [
    ['period', () => period],
    ['from', () => from],
    ['to', () => to],
    ...memberColumns('rank'),
    ...foreignColumns('sender'),
    ...memberColumns('swaps', 'volume_usd'),
  ])

type TaxContext = Naming & {
  readonly chainId: string
  /** Known network fees by transaction hash. */
  readonly fees: ReadonlyMap<string, CoinDocument>
}

/** A leg with the network fee of its transaction, which only the first leg of the transaction carries. */
type TaxLeg = LegDocument & { readonly fee: CoinDocument | null }

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
    const fee = charged.has(leg.tx_hash) ? null : (context.fees.get(leg.tx_hash) ?? null)
    charged.add(leg.tx_hash)
    return { ...leg, fee }
  })
  return csv(rows, formats[format](cellsOf(names), names, context))
}

const dollarUnit = ({ volume_usd }: LegDocument): CsvCell => (volume_usd === null ? null : 'USD')

/** Dollars per unit of the input, rounded down; null if the value is unknown. */
function unitPrice({ volume_usd, input }: LegDocument, names: Names): CsvCell {
  if (volume_usd === null || input.amount === '0') return null
  const [whole = '0', fraction = ''] = volume_usd.split('.')
  const dollars = rational(BigInt(whole + fraction), 10n ** BigInt(fraction.length))
  const unit = 10n ** BigInt(names.decimals(input.denom))
  return formatRational(
    rational(dollars.numerator * unit, dollars.denominator * BigInt(input.amount)),
  )
}

/** Cells of a leg that all formats share. */
function cellsOf(names: Names) {
  const symbol = (coin: CoinDocument | null) => coin && untrustedCell(names.ticker(coin.denom))
  return {
    sent: ({ input }: TaxLeg) => names.units(input),
    sentSymbol: ({ input }: TaxLeg) => symbol(input),
    received: ({ output }: TaxLeg) => names.units(output),
    receivedSymbol: ({ output }: TaxLeg) => symbol(output),
    fee: ({ fee }: TaxLeg) => fee && names.units(fee),
    feeSymbol: ({ fee }: TaxLeg) => symbol(fee),
    description: ({ type, path, sender, recipient }: TaxLeg) => {
      const what = `${type} ${path.map(names.symbol).join(' > ')}`
      return untrustedCell(sender === recipient ? what : `${what}, paid to ${recipient}`)
    },
  }
}

const formats: Readonly<Record<TaxFormat, Columns>> = {
  koinly: (cells) => [
    ['Date', ({ time }) => formatTime(time)],
    ['Sent Amount', cells.sent],
    ['Sent Currency', cells.sentSymbol],
    ['Received Amount', cells.received],
    ['Received Currency', cells.receivedSymbol],
    ['Fee Amount', cells.fee],
    ['Fee Currency', cells.feeSymbol],
    ['Net Worth Amount', ({ volume_usd }) => volume_usd],
    ['Net Worth Currency', dollarUnit],
    ['Label', () => null],
    ['Description', cells.description],
    ['TxHash', ({ tx_hash }) => tx_hash],
  ],
  ctc: (cells, names, { chainId }) => [
    ['Timestamp (UTC)', ({ time }) => formatUtc(time)],
    ['Type', () => 'sell'],
    ['Base Currency', cells.sentSymbol],
    ['Base Amount', cells.sent],
    ['Quote Currency (Optional)', cells.receivedSymbol],
    ['Quote Amount (Optional)', cells.received],
    ['Fee Currency (Optional)', cells.feeSymbol],
    ['Fee Amount (Optional)', cells.fee],
    ['From (Optional)', ({ sender }) => untrustedCell(sender)],
    ['To (Optional)', ({ recipient }) => untrustedCell(recipient)],
    ['Blockchain (Optional)', () => untrustedCell(chainId)],
    ['ID (Optional)', ({ tx_hash }) => tx_hash],
    ['Description (Optional)', cells.description],
    ['Reference Price Per Unit (Optional)', (leg) => unitPrice(leg, names)],
    ['Reference Price Currency (Optional)', dollarUnit],
  ],
  rotki: (cells) => [
    ['Location', () => 'external'],
    ['Spend Currency', cells.sentSymbol],
    ['Receive Currency', cells.receivedSymbol],
    ['Receive Amount', cells.received],
    ['Spend Amount', cells.sent],
    ['Fee', cells.fee],
    ['Fee Currency', cells.feeSymbol],
    ['Description', (leg) => `${cells.description(leg)} ${leg.tx_hash}`],
    ['Timestamp', ({ time }) => Date.parse(time)],
  ],
  generic: (cells, _names, { chainId }) => [
    ...memberColumns('time', 'type'),
    ['sent_amount', cells.sent],
    ['sent_currency', cells.sentSymbol],
    ['sent_denom', ({ input }) => untrustedCell(input.denom)],
    ['received_amount', cells.received],
    ['received_currency', cells.receivedSymbol],
    ['received_denom', ({ output }) => untrustedCell(output.denom)],
    ['network_fee_amount', cells.fee],
    ['network_fee_currency', cells.feeSymbol],
    ['value_usd', ({ volume_usd }) => volume_usd],
    ...foreignColumns('sender', 'recipient'),
    ['chain_id', () => untrustedCell(chainId)],
    ...memberColumns('height', 'tx_hash', 'msg_index'),
  ],
}
