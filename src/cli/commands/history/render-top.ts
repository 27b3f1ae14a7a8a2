import type { TopAnswer } from '../../../operations/history/history-documents.js'
import { formatDollarsAndCents, groupThousands } from '../../../render/amount.js'
import { joinSections, paragraph } from '../../../render/layout.js'
import { namesOf } from '../../../render/names.js'
import { bar, rangeOf } from '../../../render/picture.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { standingLines } from './index-state.js'
import { FILL, type HistoryContext, minuteOf, plainTitle } from './render-context.js'

/** Terminal columns of the longest bar. */
const BAR = 20

const DAYS = { '1d': 'one day', '7d': '7 days', '30d': '30 days' } as const

/** Who swapped most: a table with bars; in a pipe tab-separated rows without a heading. */
export function renderTop(answer: TopAnswer, context: HistoryContext, style: Style): string {
  const { items } = answer
  if (!style.tty) return items.map(plainRow).join('\n')
  const names = namesOf(context, style)
  const [, most] = rangeOf(items.map(({ volume_usd }) => centsOf(volume_usd)))
  const rows = items.map(({ rank, sender, swaps, volume_usd }) => [
    `${rank}`,
    names.short(sender, 20),
    groupThousands(`${swaps}`),
    volume_usd === null ? '-' : formatDollarsAndCents(volume_usd, { group: style.tty }).slice(1),
    bar(centsOf(volume_usd), most, BAR, style),
  ])
  const columns = [
    { head: '#', align: 'right' },
    { head: 'WALLET', shrink: 11 },
    { head: 'SWAPS', align: 'right' },
    { head: '$', align: 'right' },
    { head: '', drop: 1 },
  ] as const
  return [
    ...titleOf(answer, context, style),
    joinSections([table(columns, rows, style), notesOf(answer, context, style)], style),
  ].join('\n')
}

function titleOf(
  { period, from, to }: TopAnswer,
  { network }: HistoryContext,
  style: Style,
): readonly string[] {
  const span = from === null || to === null ? '' : `, ${minuteOf(from)} to ${minuteOf(to)}`
  return plainTitle(`who swapped most in ${DAYS[period]}${span}`, network, style)
}

function notesOf(
  { items, to }: TopAnswer,
  { standing }: HistoryContext,
  style: Style,
): readonly string[] {
  if (to === null) return paragraph(`Nothing is indexed yet. ${FILL}`, style)
  return [
    ...(items.length === 0 ? paragraph('No wallet did.', style) : []),
    ...standingLines(standing, style),
  ]
}

/** What bars are drawn from: whole cents, rounded down. */
function centsOf(usd: string | null): bigint {
  const [whole = '0', fraction = ''] = (usd ?? '0').split('.')
  return BigInt(whole + fraction.slice(0, 2).padEnd(2, '0'))
}

/** Rank, wallet, swaps, dollars (empty if not known). */
const plainRow = ({ rank, sender, swaps, volume_usd }: TopAnswer['items'][number]): string =>
  [
    `${rank}`,
    namesOf({ tokens: new Map() }, plainStyle).text(sender),
    `${swaps}`,
    volume_usd ?? '',
  ].join('\t')
