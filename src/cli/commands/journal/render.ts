import { counted, groupThousands } from '../../../engine/math/counted.js'
import { EVIDENCE_WORDS } from '../../../execution/failures.js'
import { type Intent, isOpen, isUnfinished, legsLeft } from '../../../execution/journal/intent.js'
import { statusOf } from '../../../execution/lifecycle/report-head.js'
import { orderReportOf, swapReportOf } from '../../../execution/lifecycle/reports.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import { tabRows } from '../../../render/csv.js'
import {
  type FieldRow,
  field,
  fields,
  formatTime,
  formatUtc,
  indentOf,
  nextLine,
  sentence,
  titleLines,
} from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import { glyphsOf, hyperlink, type Style } from '../../../render/style.js'
import { type Column, table } from '../../../render/table.js'
import { coins, payments, type ReportContext } from '../../execution/report-fields.js'

/** The newest of the `total` intents of a network. */
type NewestIntents = {
  readonly network: string
  readonly total: number
  readonly intents: readonly Intent[]
}

/** Signed intents, newest first: the quote beside the fill. In a pipe without a heading. */
export function renderJournal(
  { network, total, intents }: NewestIntents,
  naming: ReportContext,
  style: Style,
): string {
  if (intents.length === 0)
    return style.tty ? sentence('Nothing was signed on this machine for this network.', style) : ''
  const names = namesOf(naming, style)
  // Only people read rounded amounts.
  const text = (coin: CoinDocument, rounded: Names['coin']) =>
    style.tty ? rounded(coin) : `${names.units(coin)} ${names.symbol(coin.denom)}`
  const list = (coins: readonly (CoinDocument | null)[], rounded = names.coin) =>
    coins.flatMap((coin) => (coin ? text(coin, rounded) : [])).join(', ')
  const rows = intents.map((intent) => ({ ...intent, coins: amountsOf(intent) }))
  type Row = (typeof rows)[number]
  const what: Column<Row> = ['WHAT', ({ orders }) => (orders ? 'order' : 'swap'), { drop: 1 }]
  const columns: readonly Column<Row>[] = [
    ['UTC', ({ created }) => formatUtc(created)],
    ['ID', ({ id }) => id],
    ...(style.tty ? [what] : []),
    ['KEY', ({ key }) => names.text(key ?? ''), { drop: 4 }],
    ['SENT', (row) => list(row.coins.sent, names.payment), { align: 'right' }],
    ['RECEIVED', (row) => list(row.coins.received), { align: 'right' }],
    ['QUOTED', (row) => list(row.coins.quoted), { align: 'right', drop: 3 }],
    ['STATUS', shownStatus],
    ['TX', ({ txs }) => txs.at(-1)?.hash ?? '', { drop: 2, shrink: 12 }],
  ]
  if (!style.tty) return tabRows(rows, columns)
  const entries = counted(total, 'journal entry', 'journal entries')
  const title = intents.length < total ? `${intents.length} of ${entries}` : entries
  return [...titleLines(title, { network }, style), ...table(rows, style, columns)].join('\n')
}

/** Amounts sent, received and quoted; an order may still rest with what it sent. */
function amountsOf(intent: Intent) {
  if (intent.orders === undefined) {
    const { amount_in, amount_out, quoted } = swapReportOf(intent)
    return { sent: [amount_in], received: [amount_out], quoted: [quoted] }
  }
  const { orders } = orderReportOf(intent, intent.orders)
  return {
    sent: orders.flatMap(({ funds }) => funds),
    received: orders.flatMap(({ paid }) => paid),
    quoted: orders.flatMap(({ expected }) => expected),
  }
}

/** One intent, by transaction and leg. */
export function renderIntent(intent: Intent, naming: ReportContext, style: Style): string {
  const names = namesOf(naming, style)
  const report = swapReportOf(intent)
  const coin = (denom: string, amount: string) => names.coin({ denom, amount })
  const title = `${intent.id} ${glyphsOf(style).dot} ${shownStatus(intent)}`
  const signed = intent.unattended ? 'without a confirmation' : 'confirmed by a person'
  const asked = intent.mode === 'bytes' ? 'by swap tx broadcast' : signed
  return [
    ...titleLines(title, { network: intent.network }, style),
    ...fields(style, [
      ['Made', [formatTime(intent.created), asked]],
      ['Account', [intent.key !== null && names.text(intent.key), names.text(intent.address)]],
      intent.once !== null && ['Once', [names.text(intent.once)]],
      ...intent.legs.map((leg, i): FieldRow => {
        const received = report.legs[i]?.received
        const pieces = [
          names.payment(leg.funds),
          leg.quoted !== null && `quoted ${coin(leg.output, leg.quoted)}`,
          `at least ${coin(leg.output, leg.min_return)}`,
          receivedOf(intent, i, received == null ? undefined : coin(leg.output, received)),
        ]
        return [`Leg ${i + 1}`, pieces]
      }),
    ]),
    ...orderLines(intent, names),
    ...fields(
      style,
      intent.txs.map((tx): FieldRow => {
        const pieces = [
          hyperlink(tx.hash, naming.explorer && `${naming.explorer}${tx.hash}`, style),
          tx.state,
          tx.height === null
            ? `valid until block ${groupThousands(`${tx.timeout_height}`)}`
            : `block ${groupThousands(`${tx.height}`)}`,
          ...(tx.code ? [`code ${tx.code}`, names.text(tx.log ?? '')] : []),
          tx.evidence !== undefined && EVIDENCE_WORDS[tx.evidence],
        ]
        return ['Tx', pieces]
      }),
    ),
    ...(isUnfinished(intent) ? [nextLine(`swap tx resume ${intent.id}`, style)] : []),
  ].join('\n')
}

/** The order messages of an intent. Ids are not wrapped, so that they can be pasted. */
const orderLines = (intent: Intent, names: Names): readonly string[] =>
  orderReportOf(intent, intent.orders ?? []).orders.flatMap(({ entries, funds, paid }, i) => {
    const ids = new Set(
      entries.map(({ id }) => ' '.repeat(indentOf(names.style) + 2) + names.text(id)),
    )
    const result = paid === null ? 'not executed' : `paid ${coins(paid, names)}`
    return [
      ...field(names.style, `Order ${i + 1}`, [`sent ${payments(funds, names)}`, result]),
      ...ids,
    ]
  })

/** The status of an ended intent, else whether a transaction of it was sent. */
export function shownStatus(intent: Intent): string {
  if (!isOpen(intent)) return statusOf(intent)
  return intent.txs.every(({ state }) => state === 'signed') ? 'signed' : 'open'
}

/** What a leg paid, if known. */
function receivedOf(intent: Intent, leg: number, received: string | undefined): string {
  if (received !== undefined) return `received ${received}`
  if (!legsLeft(intent).includes(leg)) return 'executed, amount not known'
  return isOpen(intent) ? 'not executed yet' : 'not executed'
}
