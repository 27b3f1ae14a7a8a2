import type { CoinDocument } from '../../../operations/document-schema.js'
import type { LegDocument, LegsAnswer } from '../../../operations/history/history-documents.js'
import { counted, formatDollarsAndCents } from '../../../render/amount.js'
import { field, formOf, joinSections, paragraph, unbroken } from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { standingLines } from './index-state.js'
import { FILL, type HistoryContext, listTitle, minuteOf, pagesLines } from './render-context.js'

/** Columns that an address and a hash keep at least. */
const SHORT = 11
const SHORTEST = 9

/** Columns of the name of a token in a narrow table. */
const SYMBOL = 12

/** Executed legs: a table for people, newest first; in a pipe tab-separated rows without a heading. */
export function renderLegs(answer: LegsAnswer, context: HistoryContext, style: Style): string {
  if (!style.tty) return answer.items.map((leg) => plainRow(leg, context)).join('\n')
  const names = namesOf(context, style)
  return [
    ...listTitle(listed(answer, context, names), context.network, answer.indexed_height, style),
    joinSections([legLines(answer, names, style), noteLines(answer, context, style)], style),
  ].join('\n')
}

/** What is listed, in words. */
function listed(
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

function legLines({ items }: LegsAnswer, names: Names, style: Style): readonly string[] {
  if (formOf(style) === 'stacked') return items.flatMap((leg) => stacked(leg, names, style))
  const isWide = formOf(style) === 'wide'
  const columns = [
    { head: isWide ? 'TIME (UTC)' : 'UTC' },
    { head: 'WALLET', shrink: SHORT, drop: 1 },
    { head: 'WHAT', drop: 3, isWide: true },
    { head: 'IN', align: 'right' },
    { head: 'OUT', align: 'right' },
    { head: '$', align: 'right' },
    { head: 'VIA', drop: 4, isWide: true },
    { head: 'TX', shrink: SHORTEST, drop: 2 },
  ] as const
  // A denom without a symbol is cut, so that the table fits 80 columns.
  const coinText = (coin: CoinDocument) =>
    isWide
      ? names.coin(coin)
      : `${names.amount(coin)} ${names.short(names.symbol(coin.denom), SYMBOL)}`
  const rows = items.map((leg) => [
    isWide ? minuteOf(leg.time) : minuteOf(leg.time).slice(5),
    names.short(leg.sender, isWide ? 20 : SHORT),
    leg.type,
    coinText(leg.input),
    coinText(leg.output),
    dollarText(leg.volume_usd, style),
    viaOf(leg, names),
    names.short(leg.tx_hash, isWide ? SHORT : SHORTEST),
  ])
  return table(columns, rows, style)
}

/** The denoms between the first and the last. */
const viaOf = ({ path }: LegDocument, names: Names): string => names.path(path.slice(1, -1))

const dollarText = (usd: string | null, style: Style): string =>
  usd === null ? '-' : formatDollarsAndCents(usd, { group: style.tty }).slice(1)

function stacked(leg: LegDocument, names: Names, style: Style): readonly string[] {
  const worth =
    leg.volume_usd === null ? [] : [formatDollarsAndCents(leg.volume_usd, { group: style.tty })]
  return [
    ...field(minuteOf(leg.time).slice(5), [names.short(leg.sender, 24)], style),
    ...field('', [names.coin(leg.input), names.path(leg.path)].map(unbroken), style),
    ...field('', [names.coin(leg.output), ...worth].map(unbroken), style),
  ]
}

function noteLines(
  answer: LegsAnswer,
  { request, standing }: HistoryContext,
  style: Style,
): readonly string[] {
  const { items, indexed_height } = answer
  if (indexed_height === null) return paragraph(FILL, style)
  if (items.length === 0 && request.txHash !== undefined && answer.total === 0)
    return [
      ...paragraph(
        `No swap of it went through the router, or its block is not among those indexed, up to ${indexed_height}.`,
        style,
      ),
      ...standingLines(standing, style),
    ]
  return [...pagesLines(answer, style), ...standingLines(standing, style)]
}

/**
 * Time, transaction, message, type, sender, recipient, what went in and came out in atomics, dollars
 * (empty if not known), affiliate, path.
 */
function plainRow(leg: LegDocument, context: HistoryContext): string {
  const { text } = namesOf(context, plainStyle)
  return [
    leg.time,
    leg.tx_hash,
    `${leg.msg_index}`,
    leg.type,
    leg.sender,
    leg.recipient,
    leg.input.amount,
    leg.input.denom,
    leg.output.amount,
    leg.output.denom,
    leg.volume_usd ?? '',
    leg.affiliate ?? '',
    leg.path.join(' > '),
  ]
    .map(text)
    .join('\t')
}
