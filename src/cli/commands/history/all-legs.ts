import { history, isTop, type LegsAnswer } from '../../../operations/history/history.js'
import type { HistoryPort } from '../../../operations/history/history-port.js'
import type { HistoryRequest } from '../../../operations/history/history-request.js'
import type { DateRange } from './date-range.js'

/** The largest page. */
const PAGE = 100

/** A page of rows of blocks, newest first. */
type Page = {
  readonly limit: number
  readonly total: number
  readonly items: readonly { readonly time: string }[]
}

/** All pages of the executed legs as one, newest first. */
export const allLegs = (
  port: HistoryPort,
  request: HistoryRequest,
  range?: DateRange,
): Promise<LegsAnswer> =>
  allPages(async (window) => {
    const answer = await history(port, { ...request, ...window })
    if (isTop(answer)) throw new Error('a leaderboard has no pages')
    return answer
  }, range)

/**
 * All pages of a list as one, newest first, of the blocks of a range. Rows that another process indexes meanwhile move the
 * others to later pages: so many are skipped.
 */
export async function allPages<Answer extends Page>(
  read: (window: { readonly page: number; readonly limit: number }) => Promise<Answer>,
  range: DateRange = { from: -Infinity, to: Infinity },
): Promise<Answer> {
  const first = await read({ page: 1, limit: PAGE })
  const found = [...first.items]
  let [last, skipped] = [first, 0]
  for (let page = 2; last.items.length === PAGE && timeOf(last) >= range.from; page += 1) {
    const next = await read({ page, limit: PAGE })
    skipped += next.total - last.total
    found.push(...next.items.slice(skipped))
    skipped = Math.max(0, skipped - next.items.length)
    last = next
  }
  const items = found.filter(({ time }) => {
    const at = Date.parse(time)
    return at >= range.from && at <= range.to
  })
  const total = items.length
  return { ...first, limit: Math.max(1, total), total, items }
}

/** Block time of the oldest row of a page. */
const timeOf = ({ items }: Page): number => Date.parse(items.at(-1)!.time)
