import { history, isTop, type LegsAnswer } from '../../../operations/history/history.js'
import type { HistoryPort } from '../../../operations/history/history-port.js'
import type { HistoryRequest } from '../../../operations/history/history-request.js'
import type { DateRange } from './date-range.js'

/** The largest page. */
const PAGE = 100

/**
 * All pages of a list as one, newest first, of the blocks of a range. Legs that another process indexes meanwhile move the
 * others to later pages: so many are skipped.
 */
export async function allLegs(
  port: HistoryPort,
  request: HistoryRequest,
  range: DateRange = { from: -Infinity, to: Infinity },
): Promise<LegsAnswer> {
  const first = await legsPage(port, request, 1)
  const found = [...first.items]
  let [last, skipped] = [first, 0]
  for (let page = 2; last.items.length === PAGE && timeOf(last) >= range.from; page += 1) {
    const next = await legsPage(port, request, page)
    skipped += next.total - last.total
    found.push(...next.items.slice(skipped))
    skipped = Math.max(0, skipped - next.items.length)
    last = next
  }
  const items = found.filter(({ time }) => {
    const at = Date.parse(time)
    return at >= range.from && at <= range.to
  })
  const { indexed_height, indexed_time } = first
  const total = items.length
  return { page: 1, limit: Math.max(1, total), total, items, indexed_height, indexed_time }
}

/** Block time of the oldest leg of a page. */
const timeOf = ({ items }: LegsAnswer): number => Date.parse(items.at(-1)!.time)

async function legsPage(
  port: HistoryPort,
  request: HistoryRequest,
  page: number,
): Promise<LegsAnswer> {
  const answer = await history(port, { ...request, page, limit: PAGE })
  if (isTop(answer)) throw new Error('a leaderboard has no pages')
  return answer
}
