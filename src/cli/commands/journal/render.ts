import { formatUnits } from '../../../engine/math/units.js'
import { EVIDENCE_WORDS } from '../../../execution/failures.js'
import { type Intent, isOpen, legsLeft } from '../../../execution/journal/intent.js'
import { statusOf } from '../../../execution/lifecycle/report-head.js'
import { orderReportOf, swapReportOf } from '../../../execution/lifecycle/reports.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import { field, roomOf, sentence } from '../../../render/layout.js'
import { type NamedToken, type Names, type Naming, namesOf } from '../../../render/names.js'
import { linked, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { coins } from '../../execution/report-fields.js'

type Tokens = ReadonlyMap<string, NamedToken>

/** What things are called. */
type Named = Pick<Naming, 'tokens' | 'aliases'> & {
  /** Address of a transaction's page without its hash. */
  readonly explorer?: string | undefined
}

const columns = [
  { head: 'TIME' },
  { head: 'ID' },
  { head: 'KEY', drop: 3 },
  { head: 'SOLD', align: 'right' },
  { head: 'RECEIVED', align: 'right' },
  { head: 'QUOTED', align: 'right', drop: 2 },
  { head: 'STATUS' },
  { head: 'TX', drop: 1, shrink: 12 },
] as const

/** What was signed here, the newest first: the quote beside the fill. In a pipe without a heading. */
export function renderJournal(intents: readonly Intent[], naming: Named, style: Style): string {
  if (intents.length === 0)
    return style.tty ? sentence('Nothing was signed on this machine for this network.', style) : ''
  const names = namesOf(naming, style)
  const rows = intents.map((intent) => {
    return [
      intent.created.slice(0, 19).replace('T', ' '),
      intent.id,
      intent.key ?? '',
      ...amountsOf(intent, names),
      shownStatus(intent),
      intent.txs.at(-1)?.hash ?? '',
    ]
  })
  if (!style.tty) return rows.map((row) => row.join('\t')).join('\n')
  return table(columns, rows, style, 0).join('\n')
}

/** Sold, received and quoted; of orders what they sent, were paid, and should be by the preview. */
function amountsOf(intent: Intent, names: Names): readonly string[] {
  const list = (coins: readonly CoinDocument[]) => coins.map((coin) => names.coin(coin)).join(', ')
  if (intent.orders === undefined) {
    const { amount_in, amount_out, quoted } = swapReportOf(intent)
    return [amount_in, amount_out, quoted].map((coin) => list(coin ? [coin] : []))
  }
  const { orders } = orderReportOf(intent, intent.orders)
  return [
    list(orders.flatMap(({ funds }) => funds)),
    list(orders.flatMap(({ paid }) => paid ?? [])),
    list(orders.flatMap(({ expected }) => expected ?? [])),
  ]
}

/** One intent, transaction by transaction and leg by leg. */
export function renderIntent(intent: Intent, naming: Named, style: Style): string {
  const names = namesOf(naming, style)
  const report = swapReportOf(intent)
  const coin = (denom: string, amount: string) => names.coin({ denom, amount })
  return [
    ...field('Id', [intent.id, shownStatus(intent)], style),
    ...field(
      'Made',
      [intent.created, intent.unattended ? 'without a confirmation' : 'confirmed by a person'],
      style,
    ),
    ...field('Account', [intent.key ?? '', names.text(intent.address)].filter(Boolean), style),
    ...(intent.once === null ? [] : field('Once', [names.text(intent.once)], style)),
    ...intent.legs.flatMap((leg, i) => {
      const received = report.legs[i]?.received
      return field(
        `Leg ${i + 1}`,
        [
          coin(leg.funds.denom, leg.funds.amount),
          ...(leg.quoted === null ? [] : [`quoted ${coin(leg.output, leg.quoted)}`]),
          `least ${coin(leg.output, leg.min_return)}`,
          receivedOf(intent, i, received == null ? undefined : coin(leg.output, received)),
        ],
        style,
      )
    }),
    ...orderLines(intent, names, style),
    ...intent.txs.flatMap((tx) =>
      field(
        'Tx',
        [
          linked(tx.hash, naming.explorer && `${naming.explorer}${tx.hash}`, style),
          tx.state,
          tx.height === null ? `valid until block ${tx.timeout_height}` : `block ${tx.height}`,
          ...(tx.code ? [`code ${tx.code}`, names.text(tx.log ?? '')] : []),
          ...(tx.evidence === undefined ? [] : [EVIDENCE_WORDS[tx.evidence]]),
        ],
        style,
      ),
    ),
  ].join('\n')
}

/** The order messages of an intent. */
const orderLines = (intent: Intent, names: Names, style: Style): readonly string[] =>
  orderReportOf(intent, intent.orders ?? []).orders.flatMap(({ entries, funds, paid }, i) =>
    field(
      `Order ${i + 1}`,
      [
        ...new Set(entries.map(({ id }) => names.short(id, roomOf(style)))),
        `sent ${coins(funds, names)}`,
        paid === null ? 'not executed' : `paid ${coins(paid, names)}`,
      ],
      style,
    ),
  )

/** One row a leg or an order message: the quote beside the fill, in atomics and in units. */
export function journalCsv(intents: readonly Intent[], tokens: Tokens): string {
  const units = (denom: string, amount: string | null) =>
    amount === null ? '' : formatUnits(BigInt(amount), tokens.get(denom)?.decimals ?? 0)
  const head = [
    ...['time', 'id', 'network', 'address', 'key', 'once', 'status', 'quote_id', 'leg'],
    ...['input_denom', 'input_amount', 'input', 'output_denom', 'quoted_amount', 'quoted'],
    ...['min_return_amount', 'received_amount', 'received', 'tx_hash', 'height', 'code'],
  ]
  const rows = intents.flatMap((intent) => {
    const rowOf = ({ message, input, output, quote, least, received }: JournalRow) => {
      const tx = intent.txs.findLast(({ legs }) => legs.includes(message))
      return [
        ...[intent.created, intent.id, intent.network, intent.address, intent.key ?? ''],
        ...[intent.once ?? '', shownStatus(intent), intent.quote_id ?? '', `${message + 1}`],
        ...[input?.denom ?? '', input?.amount ?? ''],
        input === undefined ? '' : units(input.denom, input.amount),
        ...[output, quote ?? '', units(output, quote), least],
        ...[received ?? '', units(output, received), tx?.hash ?? ''],
        ...[tx?.height ?? '', tx?.code ?? ''],
      ].map((cell) => quoted(`${cell}`))
    }
    return (intent.orders === undefined ? legRows : orderRows)(intent).map(rowOf)
  })
  return [head, ...rows].map((row) => row.join(',')).join('\r\n')
}

/** One row of the CSV; amounts are atomics. */
type JournalRow = {
  /** Index of the leg or order message. */
  readonly message: number
  readonly input: CoinDocument | undefined
  readonly output: string
  readonly quote: string | null
  readonly least: string
  readonly received: string | null
}

function legRows(intent: Intent): readonly JournalRow[] {
  const report = swapReportOf(intent)
  return intent.legs.map(({ funds, output, quoted: quote, min_return: least }, message) => ({
    ...{ message, input: funds, output, quote, least },
    received: report.legs[message]?.received ?? null,
  }))
}

/** A row for each coin of an order message, since it may send and be paid two. */
const orderRows = (intent: Intent): readonly JournalRow[] =>
  orderReportOf(intent, intent.orders ?? []).orders.flatMap(
    ({ funds, expected, paid }, message) => {
      const denoms = [...new Set([...(expected ?? []), ...(paid ?? [])].map(({ denom }) => denom))]
      const amount = (list: typeof expected, denom: string) =>
        list === null ? null : (list.find((coin) => coin.denom === denom)?.amount ?? '0')
      return Array.from({ length: Math.max(1, funds.length, denoms.length) }, (_, i) => {
        const output = denoms[i] ?? ''
        return {
          ...{ message, input: funds[i], output, least: '' },
          quote: output === '' ? null : amount(expected, output),
          received: output === '' ? null : amount(paid, output),
        }
      })
    },
  )

/** RFC 4180; a text that a spreadsheet would take for a formula is made one that it does not. */
const quoted = (cell: string): string => {
  const harmless = /^[=+\-@\t\r]/.test(cell) && !/^-?\d/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

function shownStatus(intent: Intent): string {
  if (!isOpen(intent)) return statusOf(intent)
  return intent.txs.every(({ state }) => state === 'signed') ? 'signed' : 'open'
}

/** What a leg paid, as far as that is known. */
function receivedOf(intent: Intent, leg: number, received: string | undefined): string {
  if (received !== undefined) return `received ${received}`
  if (!legsLeft(intent).includes(leg)) return 'executed, amount not known'
  return isOpen(intent) ? 'not executed yet' : 'not executed'
}
