import { counted, groupThousands } from '../../../engine/math/counted.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import type {
  LegDocument,
  LegsAnswer,
  QuarantineAnswer,
  QuarantinedDocument,
  TopAnswer,
} from '../../../operations/history/history-documents.js'
import { fromBase64 } from '../../../platform/encoding.js'
import { centsOf, dollarCell } from '../../../render/amount.js'
import { type CsvColumn, csv, foreignColumns, memberColumns, tabRows } from '../../../render/csv.js'
import {
  fields,
  formatUtc,
  formOf,
  inParts,
  paragraph,
  titledSections,
  withoutBreaks,
} from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import { bar, rangeOf } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { truncate } from '../../../render/width.js'
import {
  FILL,
  type HistoryContext,
  pagesLines,
  renderList,
  shortTime,
  standingLines,
} from './render-context.js'

/** Minimum columns of an address and a hash. */
const SHORT = 11
const SHORTEST = 9

/** Columns of a token's name in a narrow table. */
const SYMBOL = 12

/** Executed legs: a table for people, newest first; in a pipe tab-separated rows without a heading. */
export function renderLegs(answer: LegsAnswer, context: HistoryContext, style: Style): string {
  if (!style.tty) return tabRows(answer.items, legColumns)
  const names = namesOf(context, style)
  const sections = [legLines(answer, names), legNotes(answer, context, style)]
  return renderList(listText(answer, context, names), context.network, answer, sections, style)
}

/** The title of the list. */
function listText(
  { total }: LegsAnswer,
  { request: { type, sender, txHash, affiliate } }: HistoryContext,
  names: Names,
): string {
  const count = (one: string) => (total === 0 ? `no ${one}s` : counted(total, one))
  if (sender !== undefined) return `${count('swap')} of ${names.short(sender, 20)}`
  if (affiliate !== undefined) return `${count('swap')} of affiliate ${names.short(affiliate, 20)}`
  if (txHash !== undefined) return `${count('leg')} of transaction ${names.short(txHash, 15)}`
  return count(type ?? 'swap')
}

function legLines({ items }: LegsAnswer, names: Names): readonly string[] {
  const { style } = names
  if (formOf(style) === 'stacked') return items.flatMap((leg) => stackedRow(leg, names))
  const isWide = formOf(style) === 'wide'
  // A denom without a symbol is cut, so that the table fits 80 columns.
  const coinText = (coin: CoinDocument) =>
    isWide
      ? names.coin(coin)
      : `${names.amount(coin)} ${names.short(names.symbol(coin.denom), SYMBOL)}`
  const wallet = ({ sender }: LegDocument) => names.short(sender, isWide ? 20 : SHORTEST)
  const hash = ({ tx_hash }: LegDocument) => names.short(tx_hash, isWide ? SHORT : SHORTEST)
  return table(items, style, [
    ['UTC', ({ time }) => (isWide ? formatUtc(time) : shortTime(time).join(' '))],
    ['WALLET', wallet, { shrink: SHORTEST, drop: 1 }],
    ['WHAT', ({ type }) => type, { drop: 3, isWide: true }],
    ['IN', ({ input }) => coinText(input), { align: 'right' }],
    ['OUT', ({ output }) => coinText(output), { align: 'right' }],
    ['$', ({ volume_usd }) => dollarCell(volume_usd, style), { align: 'right' }],
    ['VIA', ({ path }) => names.path(path.slice(1, -1)), { drop: 4, isWide: true }],
    ['TX', hash, { shrink: SHORTEST, drop: 2 }],
  ])
}

function stackedRow(leg: LegDocument, names: Names): readonly string[] {
  const { style } = names
  const worth = leg.volume_usd !== null && `$${dollarCell(leg.volume_usd, style)}`
  const [day, second] = shortTime(leg.time)
  return fields(style, [
    [day, [second, names.short(leg.sender, 16)]],
    ['', [names.coin(leg.input), names.path(leg.path)].map(withoutBreaks)],
    ['', [withoutBreaks(names.coin(leg.output)), worth]],
  ])
}

function legNotes(
  answer: LegsAnswer,
  { request, standing }: HistoryContext,
  style: Style,
): readonly string[] {
  const { items, indexed_height } = answer
  if (indexed_height === null) return paragraph(FILL, style)
  const unknown = `No swap of it went through the router, or its block is not among those indexed, up to ${indexed_height}.`
  const isUnknown = items.length === 0 && request.txHash !== undefined && answer.total === 0
  const notes = isUnknown ? paragraph(unknown, style) : pagesLines(answer, style)
  return [...notes, ...standingLines(standing, style)]
}

/** A leg in a pipe: input and output in atomics, unknown values empty. */
const legColumns: readonly CsvColumn<LegDocument>[] = [
  ...memberColumns('time', 'tx_hash', 'msg_index', 'type', 'sender', 'recipient'),
  ['in_atomic', ({ input }) => input.amount],
  ['in_denom', ({ input }) => input.denom],
  ['out_atomic', ({ output }) => output.amount],
  ['out_denom', ({ output }) => output.denom],
  ...memberColumns('volume_usd', 'affiliate'),
  ['path', ({ path }) => path.join(' > ')],
]

/** Terminal columns of the longest bar. */
const BAR = 20

const DAYS = { '1d': 'one day', '7d': '7 days', '30d': '30 days' } as const

/** The largest traders: a table with bars; in a pipe tab-separated rows without a heading. */
export function renderTop(answer: TopAnswer, context: HistoryContext, style: Style): string {
  const { items } = answer
  if (!style.tty) return tabRows(items, memberColumns('rank', 'sender', 'swaps', 'volume_usd'))
  const names = namesOf(context, style)
  const [, most] = rangeOf(items.map(({ volume_usd }) => centsOf(volume_usd ?? '0')))
  const lines = table(items, style, [
    ['#', ({ rank }) => `${rank}`, { align: 'right' }],
    ['WALLET', ({ sender }) => names.short(sender, 20), { shrink: SHORT }],
    ['SWAPS', ({ swaps }) => groupThousands(`${swaps}`), { align: 'right' }],
    ['$', ({ volume_usd }) => dollarCell(volume_usd, style), { align: 'right' }],
    ['', ({ volume_usd }) => bar(centsOf(volume_usd ?? '0'), most, BAR, style), { drop: 1 }],
  ])
  const { period, from, to } = answer
  const span = from === null || to === null ? '' : `, ${formatUtc(from)} to ${formatUtc(to)}`
  const title = `who swapped most in ${DAYS[period]}${span}`
  const sections = [lines, notesOf(answer, context, style)]
  return titledSections(title, { network: context.network }, style, sections)
}

function notesOf(
  { items, to }: TopAnswer,
  { standing }: HistoryContext,
  style: Style,
): readonly string[] {
  if (to === null) return paragraph(`Nothing is indexed yet. ${FILL}`, style)
  return [
    ...(items.length === 0 ? paragraph('No wallet is on this page.', style) : []),
    ...standingLines(standing, style),
  ]
}

/** Columns of an event in the table for people; other formats print all of it. */
const SHOWN = 240

const eventColumns = memberColumns('height', 'tx_index', 'event_index', 'reason', 'bytes')

/** Quarantined events: entries for people, newest first; in a pipe tab-separated rows. */
export function renderQuarantine(
  answer: QuarantineAnswer,
  context: HistoryContext,
  style: Style,
): string {
  if (!style.tty) return tabRows(answer.items, eventColumns)
  const names = namesOf(context, style)
  const entries = answer.items.map((item) => entryLines(item, names))
  const count = answer.total === 0 ? 'nothing' : counted(answer.total, 'event')
  const sections = [...entries, quarantineNotes(answer, style)]
  return renderList(`${count} kept aside`, context.network, answer, sections, style)
}

function entryLines(
  { height, tx_index, event_index, reason, bytes }: QuarantinedDocument,
  names: Names,
): readonly string[] {
  const { style } = names
  const transaction = tx_index === null ? 'outside of transactions' : `transaction ${tx_index}`
  const place = event_index === null ? transaction : `${transaction}, event ${event_index}`
  const event = names.text(fromBase64(bytes).toString('utf8'))
  const text = truncate(event, SHOWN, glyphsOf(style).ellipsis)
  return fields(style, [
    [`block ${groupThousands(`${height}`)}`, [place]],
    ['why', [names.text(reason)]],
    ['event', inParts(text, style)],
  ])
}

function quarantineNotes(answer: QuarantineAnswer, style: Style): readonly string[] {
  if (answer.indexed_height === null) return paragraph(FILL, style)
  if (answer.total === 0) return paragraph('Every event of the router could be read.', style)
  return [
    ...paragraph('No list and no sum has them as swaps. All of their bytes: --json', style),
    ...pagesLines(answer, style),
  ]
}

/** Rows with a heading, for a spreadsheet. */
export const quarantineCsv = ({ items }: QuarantineAnswer): string =>
  csv(items, [
    ...memberColumns('height', 'tx_index', 'event_index'),
    ...foreignColumns('reason'),
    ...memberColumns('bytes'),
  ])
