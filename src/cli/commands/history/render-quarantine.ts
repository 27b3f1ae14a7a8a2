import type {
  QuarantineAnswer,
  QuarantinedDocument,
} from '../../../operations/history/history-documents.js'
import { fromBase64 } from '../../../platform/encoding.js'
import { counted, groupThousands } from '../../../render/amount.js'
import { type CsvColumn, csv, foreign } from '../../../render/csv.js'
import { field, joinSections, paragraph, roomOf } from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import { glyphsOf, plainStyle, type Style } from '../../../render/style.js'
import { truncate } from '../../../render/width.js'
import { FILL, type HistoryContext, listTitle, pagesLines } from './render-context.js'

/** Columns of an event that are shown to people; all of it is in the other forms. */
const SHOWN = 240

/** What could not be read as swaps: entries for people, newest first; in a pipe tab-separated rows. */
export function renderQuarantine(
  answer: QuarantineAnswer,
  context: HistoryContext,
  style: Style,
): string {
  if (!style.tty) return answer.items.map(plainRow).join('\n')
  const names = namesOf(context, style)
  const entries = answer.items.map((item) => entryLines(item, names, style))
  const count = answer.total === 0 ? 'nothing' : counted(answer.total, 'event')
  return [
    ...listTitle(`${count} kept aside`, context.network, answer.indexed_height, style),
    joinSections([...entries, noteLines(answer, style)], style),
  ].join('\n')
}

function entryLines(
  { height, tx_index, event_index, reason, bytes }: QuarantinedDocument,
  names: Names,
  style: Style,
): readonly string[] {
  const place = [
    tx_index === null ? 'outside of transactions' : `transaction ${tx_index}`,
    ...(event_index === null ? [] : [`event ${event_index}`]),
  ].join(', ')
  const text = truncate(names.text(textOf(bytes)), SHOWN, glyphsOf(style).ellipsis)
  return [
    ...field(`block ${groupThousands(`${height}`)}`, [place], style),
    ...field('why', [names.text(reason)], style),
    ...field('event', slices(text, roomOf(style)), style),
  ]
}

/** Bytes are no words: lines end where they are full. */
const slices = (text: string, width: number): readonly string[] =>
  text.match(new RegExp(`.{1,${Math.max(1, width)}}`, 'gsu')) ?? []

const textOf = (bytes: string): string => fromBase64(bytes).toString('utf8')

function noteLines(answer: QuarantineAnswer, style: Style): readonly string[] {
  if (answer.indexed_height === null) return paragraph(FILL, style)
  if (answer.total === 0) return paragraph('Every event of the router could be read.', style)
  return [
    ...paragraph('They are no swaps of any list or sum. All of their bytes: --json', style),
    ...pagesLines(answer, style),
  ]
}

/** Block, transaction, event (both empty where there is none), why, bytes in base64. */
const plainRow = (item: QuarantinedDocument): string =>
  [
    `${item.height}`,
    `${item.tx_index ?? ''}`,
    `${item.event_index ?? ''}`,
    namesOf({ tokens: new Map() }, plainStyle).text(item.reason),
    item.bytes,
  ].join('\t')

/** The same with a heading, for a spreadsheet. */
export function quarantineCsv({ items }: QuarantineAnswer): string {
  const names = namesOf({ tokens: new Map() }, plainStyle)
  const columns: readonly CsvColumn<QuarantinedDocument>[] = [
    ['height', ({ height }) => height],
    ['tx_index', ({ tx_index }) => tx_index],
    ['event_index', ({ event_index }) => event_index],
    ['reason', ({ reason }) => foreign(names, reason)],
    ['bytes', ({ bytes }) => bytes],
  ]
  return csv(columns, items)
}
