import { SwapError } from '../../../engine/errors.js'
import { counted } from '../../../engine/math/counted.js'
import { history, isTop } from '../../../operations/history/history.js'
import type { HistoryRequest, LegsAnswer } from '../../../operations/history/history-documents.js'
import type { HistoryPort, RowPlace } from '../../../operations/history/history-port.js'
import type { DateRange } from './request.js'

/** The largest page that the index returns. */
const PAGE = 100

/** A page of legs, newest first. */
type Page = { readonly total: number; readonly items: readonly RowPlace[] }

/** All pages of the executed legs as one, newest first. */
export async function allLegs(
  port: HistoryPort,
  request: HistoryRequest,
  range?: DateRange,
): Promise<LegsAnswer> {
  return asOnePage(await legsOf(withoutPages(port, range), request))
}

/** A page of the executed legs. */
export async function legsOf(port: HistoryPort, request: HistoryRequest): Promise<LegsAnswer> {
  const answer = await history(port, request)
  if (isTop(answer)) throw new Error('a leaderboard has no pages')
  return answer
}

/** A view of the index that returns all legs of a date range as one page. */
export const withoutPages = (port: HistoryPort, range?: DateRange): HistoryPort => ({
  ...port,
  page: (of) => ofOneIndex(port, () => allPages((window) => port.page(of, window), range)),
  orders: (of) => ofOneIndex(port, () => allPages((window) => port.orders(of, window), range)),
})

/** Refuses legs of an index that was rebuilt during reading, or whose rebuild has not finished. */
async function ofOneIndex<Answer>(port: HistoryPort, read: () => Promise<Answer>): Promise<Answer> {
  const before = await port.rebuild()
  const answer = await read()
  const { count, left } = await port.rebuild()
  if (count === before.count && left === 0) return answer
  const why =
    count === before.count
      ? `its rebuild has still to index ${counted(left, 'block')}`
      : 'blocks were removed from it while its pages were read'
  throw new SwapError('NOT_READY', 'the index of the history is being rebuilt', {
    why: `${why}: rows would be missing`,
    hint: 'try again when `swap history --reindex` has ended; `swap history --sync` continues one that was interrupted',
    members: { retry_after_ms: 5_000 },
  })
}

/** The answer of an index without pages. */
export const asOnePage = <Answer extends { readonly total: number }>(answer: Answer): Answer => ({
  ...answer,
  page: 1,
  limit: Math.max(1, answer.total),
})

/**
 * Reads all pages of a list. Rows indexed meanwhile shift later pages, so each page contributes only rows
 * older than those already read.
 */
async function allPages<Answer extends Page>(
  read: (window: { readonly page: number; readonly limit: number }) => Promise<Answer>,
  range: DateRange = { from: -Infinity, to: Infinity },
): Promise<Answer> {
  const first = await read({ page: 1, limit: PAGE })
  const found = [...first.items]
  let last: Page = first
  for (
    let page = 2;
    last.items.length === PAGE && Date.parse(last.items.at(-1)!.time) >= range.from;
    page += 1
  ) {
    last = await read({ page, limit: PAGE })
    const oldest = found.at(-1)!
    found.push(...last.items.filter((row) => isOlder(row, oldest)))
  }
  const items = found.filter(({ time }) => {
    const at = Date.parse(time)
    return at >= range.from && at <= range.to
  })
  return { ...first, total: items.length, items }
}

const isOlder = (row: RowPlace, than: RowPlace): boolean => {
  const differing = (['height', 'txIndex', 'msgIndex', 'eventIndex'] as const).find(
    (each) => row[each] !== than[each],
  )
  return differing !== undefined && row[differing] < than[differing]
}
