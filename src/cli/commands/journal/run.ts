import { SwapError } from '../../../engine/errors.js'
import { counted, groupThousands } from '../../../engine/math/counted.js'
import { EVIDENCE_WORDS } from '../../../execution/failures.js'
import { type Intent, isOpen, isUnfinished, legsLeft } from '../../../execution/journal/intent.js'
import { unreadNote } from '../../../execution/journal/journal.js'
import { statusOf } from '../../../execution/lifecycle/report-head.js'
import { orderReportOf, swapReportOf } from '../../../execution/lifecycle/reports.js'
import { reportOf } from '../../../execution/lifecycle/result.js'
import { refreshIfFree } from '../../../execution/lifecycle/settle.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import { csv, harmless, tabRows } from '../../../render/csv.js'
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
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { glyphsOf, hyperlink, plainStyle, type Style } from '../../../render/style.js'
import { type Column, table } from '../../../render/table.js'
import type { Context, FlagValues, Run } from '../../command.js'
import type { ExecutionParts } from '../../execution/dependencies.js'
import { coins, type ReportContext } from '../../execution/report-fields.js'
import { interruptible, sessionOf } from '../../execution/session.js'
import { limitFlag } from '../../flags/command-flags.js'
import { printAnswer } from '../../print-answer.js'

const MAX_LIMIT = limitFlag.schema.maximum!

/** Shows intents that this machine has signed and sent. Nodes are queried only for open ones. */
export const runJournal: Run = async (context, _args, flags) => {
  const { out, form, config } = context
  const parts = await context.execution()
  const isCsv = form.kind === 'csv'
  const most = isCsv && flags['limit'] === undefined ? MAX_LIMIT : limitFlag.read(flags)
  const recent = parts.journal.recent(MAX_LIMIT)
  const all = recent.intents.filter(({ chain_id }) => chain_id === config.network.chainId)
  if (form.kind !== 'json') for (const each of recent.unread) out.note(unreadNote(each))
  if (form.quiet > 1) return
  const intents = await refreshOpen(context, parts, flags, all.slice(0, most))
  const newest = { network: config.network.name, total: all.length, intents }
  const document = {
    ...newest,
    intents: intents.map(intentDocument),
    unread: recent.unread,
  }
  return printAnswer(context, document, {
    quiet: () => intents.map(({ id }) => id).join('\n'),
    csv: () => journalCsv(intents, config.network.tokens),
    human: () => renderJournal(newest, namingOf(context), out.style),
  })
}

export const namingOf = ({ config }: Context) => ({
  tokens: config.network.tokens,
  aliases: config.aliases,
  explorer: config.network.explorer,
})

/** Updates open intents with their status on the chain. */
async function refreshOpen(
  context: Context,
  parts: ExecutionParts,
  flags: FlagValues,
  intents: readonly Intent[],
): Promise<readonly Intent[]> {
  if (!intents.some(isOpen)) return intents
  const poll = async (interrupt: AbortSignal): Promise<readonly Intent[]> => {
    const session = await sessionOf({ context, parts, flags, interrupt })
    const now: Intent[] = []
    for (const intent of intents)
      now.push(isOpen(intent) ? (await refreshIfFree(session, intent)).intent : intent)
    return now
  }
  try {
    return await interruptible(context, poll)
  } catch (error) {
    // The journal is readable without its network.
    if (!(error instanceof SwapError)) throw error
    context.out.note(`open entries were not updated: ${error.message}`)
    return intents
  }
}

/** The document of an intent without the signed bytes, which any holder could broadcast. */
export const intentDocument = (intent: Intent): object => ({
  ...intent,
  open: isOpen(intent),
  report: reportOf(intent),
  txs: intent.txs.map(({ bytes: _, public_key: __, ...tx }) => tx),
})

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
  const text = (coin: CoinDocument) =>
    style.tty ? names.coin(coin) : `${names.units(coin)} ${names.symbol(coin.denom)}`
  const list = (coins: readonly (CoinDocument | null)[]) =>
    coins.flatMap((coin) => (coin ? text(coin) : [])).join(', ')
  const rows = intents.map((intent) => ({ ...intent, coins: amountsOf(intent) }))
  const columns: readonly Column<(typeof rows)[number]>[] = [
    ['UTC', ({ created }) => formatUtc(created)],
    ['ID', ({ id }) => id],
    ['KEY', ({ key }) => names.text(key ?? ''), { drop: 3 }],
    ['SENT', (row) => list(row.coins.sent), { align: 'right' }],
    ['RECEIVED', (row) => list(row.coins.received), { align: 'right' }],
    ['QUOTED', (row) => list(row.coins.quoted), { align: 'right', drop: 2 }],
    ['STATUS', shownStatus],
    ['TX', ({ txs }) => txs.at(-1)?.hash ?? '', { drop: 1, shrink: 12 }],
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
          coin(leg.funds.denom, leg.funds.amount),
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
      ...field(names.style, `Order ${i + 1}`, [`sent ${coins(funds, names)}`, result]),
      ...ids,
    ]
  })

/** One row for each leg or order message: the quote beside the fill, in atomics and in units. */
export function journalCsv(intents: readonly Intent[], tokens: Naming['tokens']): string {
  const names = namesOf({ tokens }, plainStyle)
  const units = (denom: string, amount: string | null) =>
    amount === null ? null : names.units({ denom, amount })
  const rows = intents.flatMap((intent) =>
    (intent.orders === undefined ? legRows : messageRows)(intent).map((row) => ({
      ...row,
      intent,
    })),
  )
  return csv(rows, [
    ['time', ({ intent }) => intent.created],
    ['id', ({ intent }) => intent.id],
    ['network', ({ intent }) => harmless(intent.network)],
    ['address', ({ intent }) => intent.address],
    ['key', ({ intent }) => harmless(intent.key ?? '')],
    ['once', ({ intent }) => harmless(intent.once ?? '')],
    ['status', ({ intent }) => shownStatus(intent)],
    ['quote_id', ({ intent }) => harmless(intent.quote_id ?? '')],
    ['leg', ({ message }) => message + 1],
    ['input_denom', ({ input }) => harmless(input?.denom ?? '')],
    ['input_amount', ({ input }) => input?.amount ?? null],
    ['input', ({ input }) => input && names.units(input)],
    ['output_denom', ({ output }) => harmless(output)],
    ['quoted_amount', ({ quote }) => quote],
    ['quoted', ({ output, quote }) => units(output, quote)],
    ['min_return_amount', ({ least }) => least],
    ['received_amount', ({ received }) => received],
    ['received', ({ output, received }) => units(output, received)],
    ['tx_hash', (row) => txOf(row)?.hash ?? null],
    ['height', (row) => txOf(row)?.height ?? null],
    ['code', (row) => txOf(row)?.code ?? null],
  ])
}

const txOf = ({ intent, message }: JournalRow) =>
  intent.txs.findLast(({ legs }) => legs.includes(message))

/** One row of the CSV; amounts are atomics. */
type JournalRow = MessageRow & { readonly intent: Intent }

type MessageRow = {
  /** Index of the leg or order message. */
  readonly message: number
  readonly input: CoinDocument | null
  readonly output: string
  readonly quote: string | null
  readonly least: string
  readonly received: string | null
}

function legRows(intent: Intent): readonly MessageRow[] {
  const report = swapReportOf(intent)
  return intent.legs.map(({ funds, output, quoted: quote, min_return: least }, message) => ({
    ...{ message, input: funds, output, quote, least },
    received: report.legs[message]?.received ?? null,
  }))
}

/** One row for each coin of an order message, which may send and receive two. */
const messageRows = (intent: Intent): readonly MessageRow[] =>
  orderReportOf(intent, intent.orders ?? []).orders.flatMap(
    ({ funds, expected, paid }, message) => {
      const denoms = [...new Set([...(expected ?? []), ...(paid ?? [])].map(({ denom }) => denom))]
      const amount = (list: typeof expected, denom: string) =>
        list === null ? null : (list.find((coin) => coin.denom === denom)?.amount ?? '0')
      return Array.from({ length: Math.max(1, funds.length, denoms.length) }, (_, i) => {
        const output = denoms[i] ?? ''
        return {
          ...{ message, input: funds[i] ?? null, output, least: '' },
          quote: output === '' ? null : amount(expected, output),
          received: output === '' ? null : amount(paid, output),
        }
      })
    },
  )

function shownStatus(intent: Intent): string {
  if (!isOpen(intent)) return statusOf(intent)
  return intent.txs.every(({ state }) => state === 'signed') ? 'signed' : 'open'
}

/** What a leg paid, if known. */
function receivedOf(intent: Intent, leg: number, received: string | undefined): string {
  if (received !== undefined) return `received ${received}`
  if (!legsLeft(intent).includes(leg)) return 'executed, amount not known'
  return isOpen(intent) ? 'not executed yet' : 'not executed'
}
