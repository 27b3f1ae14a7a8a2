import { EVIDENCE_WORDS } from '../../../execution/failures.js'
import { type Intent, isOpen, legsLeft } from '../../../execution/journal/intent.js'
import { reportOf, statusOf } from '../../../execution/lifecycle/report.js'
import { formatUnits } from '../../../render/amount.js'
import { field } from '../../../render/layout.js'
import { type NamedToken, type Naming, namesOf } from '../../../render/names.js'
import { linked, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'

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
    return style.tty ? 'Nothing was signed on this machine for this network.' : ''
  const names = namesOf(naming, style)
  const rows = intents.map((intent) => {
    const report = reportOf(intent)
    return [
      intent.created.slice(0, 19).replace('T', ' '),
      intent.id,
      intent.key ?? '',
      names.coin(soldOf(intent)),
      report.amount_out ? names.coin(report.amount_out) : '',
      report.quoted ? names.coin(report.quoted) : '',
      shownStatus(intent),
      intent.txs.at(-1)?.hash ?? '',
    ]
  })
  if (!style.tty) return rows.map((row) => row.join('\t')).join('\n')
  return table(columns, rows, style, 0).join('\n')
}

/** One intent, transaction by transaction and leg by leg. */
export function renderIntent(intent: Intent, naming: Named, style: Style): string {
  const names = namesOf(naming, style)
  const report = reportOf(intent)
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

/** One row a leg: the quote beside the fill, in atomics and in units. */
export function journalCsv(intents: readonly Intent[], tokens: Tokens): string {
  const units = (denom: string, amount: string | null) =>
    amount === null ? '' : formatUnits(BigInt(amount), tokens.get(denom)?.decimals ?? 0)
  const head = [
    ...['time', 'id', 'network', 'address', 'key', 'once', 'status', 'quote_id', 'leg'],
    ...['input_denom', 'input_amount', 'input', 'output_denom', 'quoted_amount', 'quoted'],
    ...['min_return_amount', 'received_amount', 'received', 'tx_hash', 'height', 'code'],
  ]
  const rows = intents.flatMap((intent) => {
    const report = reportOf(intent)
    return intent.legs.map((leg, i) => {
      const tx = intent.txs.findLast(({ legs }) => legs.includes(i))
      const received = report.legs[i]?.received ?? null
      return [
        ...[intent.created, intent.id, intent.network, intent.address, intent.key ?? ''],
        ...[intent.once ?? '', shownStatus(intent), intent.quote_id ?? '', `${i + 1}`],
        ...[leg.funds.denom, leg.funds.amount, units(leg.funds.denom, leg.funds.amount)],
        ...[leg.output, leg.quoted ?? '', units(leg.output, leg.quoted), leg.min_return],
        ...[received ?? '', units(leg.output, received), tx?.hash ?? ''],
        ...[tx?.height ?? '', tx?.code ?? ''],
      ].map((cell) => quoted(`${cell}`))
    })
  })
  return [head, ...rows].map((row) => row.join(',')).join('\r\n')
}

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

const soldOf = ({ legs }: Intent) => ({
  denom: legs[0]?.funds.denom ?? '',
  amount: `${legs.reduce((sum, { funds }) => sum + BigInt(funds.amount), 0n)}`,
})
