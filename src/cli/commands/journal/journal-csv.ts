import type { Intent } from '../../../execution/journal/intent.js'
import { orderReportOf, swapReportOf } from '../../../execution/lifecycle/reports.js'
import { csv, foreignColumns, memberColumns } from '../../../render/csv.js'
import { type Naming, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { type LegRow, legColumns } from '../../execution/report-fields.js'
import { shownStatus } from './render.js'

/** One row for each leg or order message: the quote beside the fill, in atomics and in units. */
export function journalCsv(intents: readonly Intent[], tokens: Naming['tokens']): string {
  const names = namesOf({ tokens }, plainStyle)
  const rows = intents.flatMap((intent) =>
    (intent.orders === undefined ? legRows : messageRows)(intent).map((row) => ({
      ...intent,
      ...row,
      status: shownStatus(intent),
      tx: intent.txs.findLast(({ legs }) => legs.includes(row.message)),
    })),
  )
  return csv(rows, [
    ['time', ({ created }) => created],
    ...memberColumns('id'),
    ...foreignColumns('network'),
    ...memberColumns('address'),
    ...foreignColumns('key', 'once'),
    ...memberColumns('status'),
    ...foreignColumns('quote_id'),
    ['leg', ({ message }) => message + 1],
    ...legColumns(names),
    ['tx_hash', ({ tx }) => tx?.hash ?? null],
    ['height', ({ tx }) => tx?.height ?? null],
    ['code', ({ tx }) => tx?.code ?? null],
  ])
}

/** One row of the CSV; amounts are atomics. */
type MessageRow = LegRow & {
  /** Index of the leg or order message. */
  readonly message: number
}

function legRows(intent: Intent): readonly MessageRow[] {
  const report = swapReportOf(intent)
  return intent.legs.map(({ funds, output, quoted, min_return }, message) => ({
    message,
    input: funds,
    output,
    quoted,
    min_return,
    received: report.legs[message]?.received ?? null,
  }))
}

/** One row for each coin of an order message, which may send and receive two. */
const messageRows = (intent: Intent): readonly MessageRow[] =>
  orderReportOf(intent, intent.orders ?? []).orders.flatMap(
    ({ funds, expected, paid }, message) => {
      const denoms = [...new Set([...(expected ?? []), ...(paid ?? [])].map(({ denom }) => denom))]
      const amount = (list: typeof expected, denom: string) =>
        list === null ? null : (list.find((coin) => coin.denom === denom)?.amount ?? '0')
      return Array.from({ length: Math.max(1, funds.length, denoms.length) }, (_, i) => {
        const output = denoms[i] ?? ''
        return {
          message,
          input: funds[i] ?? null,
          output,
          min_return: null,
          quoted: output === '' ? null : amount(expected, output),
          received: output === '' ? null : amount(paid, output),
        }
      })
    },
  )
