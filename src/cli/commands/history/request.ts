import { invalidRequest } from '../../../engine/errors.js'
import type { HistoryRequest } from '../../../operations/history/history-documents.js'
import type { OrderHistoryRequest } from '../../../operations/history/order-history.js'
import { isTxHash } from '../../../operations/tx-hash.js'
import { DAY_MS, isOfCalendar } from '../../../platform/clock.js'
import { quote } from '../../../render/width.js'
import type { FlagValues } from '../../command.js'
import { formFlag } from '../../common-flags.js'
import { valueName } from '../../flags/checked-flag.js'
import { formatFlag, fromHeightFlag, type TaxFormat } from '../../flags/command-flags.js'
import { membersOf } from '../../flags/request-flags.js'
import { refuseBeside } from '../../invalid-request.js'

/** The parameters of the service's request. @throws SwapError INVALID_REQUEST */
export const historyRequestOf = (flags: FlagValues): HistoryRequest => {
  requireHash(flags['txHash'])
  return membersOf(
    'history',
    ['type', 'sender', 'txHash', 'affiliate', 'period', 'page', 'limit'],
    flags,
  )
}

function requireHash(text: FlagValues[string]): void {
  if (typeof text !== 'string' || isTxHash(text)) return
  throw invalidRequest(`${quote(text)} is not the hash of a transaction`, '/txHash', {
    why: 'a hash has 64 hexadecimal digits',
    hint: 'copy it whole; swap history --json does not shorten them',
  })
}

/** The range that is read in one piece: a date range, or all rows for a tax program. */
export type Export = {
  readonly range: DateRange | undefined
  readonly format: TaxFormat | undefined
}

/**
 * `--format`, `--from` and `--to`; `undefined` without any of them.
 *
 * @throws SwapError INVALID_REQUEST also beside flags of other lists
 */
export function exportOf(
  flags: FlagValues,
  { page, limit, period }: HistoryRequest,
): Export | undefined {
  const format = formatFlag.read(flags)
  const range = dateRangeOf(flags)
  if (format === undefined && range === undefined) return undefined
  const [written, form] = formFlag(flags) ?? ['']
  const flag = format !== undefined ? '--format' : flags['from'] !== undefined ? '--from' : '--to'
  refuseBeside(flag, `/${flag.slice(2)}`, [
    ['--page', page, 'all pages are read'],
    ['--limit', limit, 'all pages are read'],
    ['--period', period, 'it lists wallets, not swaps'],
    ['--quarantine', flags['quarantine'], 'it lists events, not swaps'],
    ['--watch', flags['watch'], 'it shows what comes, not what was'],
    ['--orders', format !== undefined && flags['orders'], 'the file is of swaps'],
    [written, format !== undefined && form === 'json', 'the file is CSV'],
  ])
  return { range, format }
}

/** What to index before answering; `undefined` if nothing. */
export type Filling = { readonly from: number | undefined; readonly reindex: boolean }

/** @throws SwapError INVALID_REQUEST for a height without anything to index */
export function fillingOf(flags: FlagValues): Filling | undefined {
  const from = fromHeightFlag.read(flags)
  const reindex = flags['reindex'] === true
  if (flags['sync'] === true || reindex) return { from, reindex }
  if (from === undefined) return undefined
  throw invalidRequest('--from-height needs --sync or --reindex', '/from_height', {
    why: 'it sets the first block to index, and no indexing was requested',
    hint: 'add --sync',
  })
}

/** Whether `--quarantine` is given. @throws SwapError INVALID_REQUEST beside a list of swaps */
export function isQuarantine(flags: FlagValues): boolean {
  if (flags['quarantine'] !== true) return false
  requireAlone(flags, 'quarantine', 'it lists events, which no filter of swaps selects', [
    ...swapFilters,
    'owner',
    'pair',
    'tx-hash',
    'orders',
    'watch',
  ])
  return true
}

/** The request of `--orders`; `undefined` without it. @throws SwapError INVALID_REQUEST beside filters of swaps */
export function orderHistoryRequestOf(flags: FlagValues): OrderHistoryRequest | undefined {
  if (flags['orders'] !== true) {
    const alone = ['owner', 'pair'].find((name) => flags[name] !== undefined)
    if (alone === undefined) return undefined
    throw invalidRequest(`--${alone} needs --orders`, `/${alone}`, {
      why: 'it selects changes of orders',
      hint: 'add --orders',
    })
  }
  const why = 'it lists changes of orders, which --owner, --pair and --tx-hash select'
  requireAlone(flags, 'orders', why, [...swapFilters, 'watch'])
  return membersOf('history-orders', ['owner', 'pair', 'txHash', 'page', 'limit'], flags)
}

const swapFilters = ['type', 'sender', 'affiliate', 'period']

function requireAlone(
  flags: FlagValues,
  flag: string,
  why: string,
  others: readonly string[],
): void {
  const values = others.map((name) => [`--${name}`, flags[valueName(`--${name}`)], why] as const)
  refuseBeside(`--${flag}`, `/${flag}`, values)
}

/** Block times in milliseconds, both included. */
export type DateRange = { readonly from: number; readonly to: number }

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
  const isDay = isOfCalendar(`${day}T00:00:00Z`)
  const first = time === undefined ? midnight : Date.parse(`${day}T${time}${seconds}${zone}`)
  if (isDay && !Number.isNaN(first))
    return { first, last: time === undefined ? first + DAY_MS - 1 : first }
  throw invalidRequest(`${quote(text)} cannot be used for ${flag}`, `/${flag.slice(2)}`, {
    why: /^\d+$/.test(text) ? 'a date is expected, not a height' : 'the calendar has no such date',
    hint: `write e.g. ${flag} 2026-01-31 or ${flag} 2026-01-31T12:00:00Z`,
  })
}
