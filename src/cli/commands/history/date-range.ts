import { quote } from '../../../render/width.js'
import type { FlagValues } from '../../command.js'
import { invalidRequest } from '../../invalid-request.js'

/** Block times in milliseconds, both included. */
export type DateRange = { readonly from: number; readonly to: number }

const DAY_MS = 86_400_000

/** `2026-01-31`, or `2026-01-31T12:00`, with seconds, `Z` or an offset where they are given. */
const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Reads `--from` and `--to`, in UTC unless an offset is given. A date without a time is its whole day; `undefined`
 * without either flag.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function dateRangeOf({ from, to }: FlagValues): DateRange | undefined {
  if (from === undefined && to === undefined) return undefined
  const range = {
    from: from === undefined ? -Infinity : dateOf(String(from), '--from').first,
    to: to === undefined ? Infinity : dateOf(String(to), '--to').last,
  }
  if (range.from <= range.to) return range
  throw invalidRequest(`${quote(String(to))} is before ${quote(String(from))}`, '/to', {
    why: '--to is the end of the range',
    hint: 'exchange the two',
  })
}

function dateOf(text: string, flag: string): { readonly first: number; readonly last: number } {
  const [, day, time, seconds = ':00', zone = 'Z'] = DATE.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const isDay = day !== undefined && new Date(midnight || 0).toISOString().startsWith(day)
  const first = time === undefined ? midnight : Date.parse(`${day}T${time}${seconds}${zone}`)
  if (isDay && !Number.isNaN(first))
    return { first, last: time === undefined ? first + DAY_MS - 1 : first }
  throw invalidRequest(`${quote(text)} cannot be used for ${flag}`, `/${flag.slice(2)}`, {
    why: /^\d+$/.test(text) ? 'a date is asked for, not a height' : 'it is no date of the calendar',
    hint: `write e.g. ${flag} 2026-01-31 or ${flag} 2026-01-31T12:00:00Z`,
  })
}
