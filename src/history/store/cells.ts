import type { KyselyPlugin } from 'kysely'
import { parsePriceText } from '../../engine/orders/order-price.js'
import type { CoinDocument } from '../../operations/document-schema.js'
import type { ExecutedHop } from '../../operations/history/history-port.js'
import { unreadableRow } from './fault.js'

type Check = (cell: unknown) => boolean

/** The last millisecond of a date; heights and counts are far below. */
const LAST_MS = 8.64e15

const isInteger: Check = (cell) => Number.isInteger(cell) && Math.abs(cell as number) <= LAST_MS

/** Whether a value is the text of an unsigned integer. */
const isDigits: Check = (cell) => typeof cell === 'string' && /^\d+$/.test(cell)

const isBytes: Check = (cell) => cell instanceof Uint8Array

const isTime: Check = (cell) => typeof cell === 'string' && !Number.isNaN(Date.parse(cell))

/** Checks by column, of any table. */
const checks = new Map<string, Check>()
for (const [check, columns] of [
  [
    isInteger,
    'height tx_index msg_index event_index position first last time_ms swaps priced epoch id leader_pid indexed_height indexed_ms rebuilds rebuild_first rebuild_last rows',
  ],
  [
    isDigits,
    'input_amount output_amount fee_protocol fee_referral fee_affiliate volume_usd volume numerator sold added returned received fee',
  ],
  [(cell) => isDigits(cell) && !/^0+$/.test(`${cell}`), 'denominator'],
  [isBytes, 'hash results tx_hash bytes'],
  [isTime, 'time indexed_time'],
  [(cell) => cell === 'buy' || cell === 'sell', 'side'],
  [(cell) => parsePriceText(`${cell}`) !== undefined, 'price'],
] as const satisfies readonly (readonly [Check, string])[])
  for (const column of columns.split(' ')) checks.set(column, check)

const isText: Check = (cell) => typeof cell === 'string'

const isCoin = (value?: Partial<CoinDocument> | null): boolean =>
  isText(value?.denom) && isDigits(value?.amount)

const isHop = (value?: Partial<ExecutedHop> | null): boolean =>
  isText(value?.address) &&
  isInteger(value?.trades) &&
  [value?.input, value?.unsold, value?.output, value?.fee].every(isCoin)

/** @throws SyntaxError, StoreFault for a list that is never stored */
function listIn(cell: string, column: string, isElement: Check): unknown {
  const list: unknown = JSON.parse(cell)
  if (Array.isArray(list) && list.every((each) => isElement(each))) return list
  throw unreadableRow(`${column} has an impossible value`)
}

export const pathIn = (cell: string) => listIn(cell, 'path', isText) as readonly string[]

export const hopsIn = (cell: string) =>
  listIn(cell, 'hops', isHop as Check) as readonly ExecutedHop[]

/** Refuses rows with cells that are never stored: SQLite stores any value in any column, and a file can be edited. */
export const checkedCells: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    for (const row of result.rows)
      for (const column in row) {
        const cell = row[column]
        const check = checks.get(column) ?? isText
        if (cell !== null && !check(cell)) throw unreadableRow(`${column} has an impossible value`)
      }
    return result
  },
}
