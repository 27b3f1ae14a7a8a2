import type { Intent } from '../../../execution/journal/intent.js'
import { orderReportOf, swapReportOf } from '../../../execution/lifecycle/reports.js'
import { csv, harmless } from '../../../render/csv.js'
import { type Naming, namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { type LegRow, legColumns } from '../../execution/report-fields.js'
import { shownStatus } from './render.js'

/** One row for each leg or order message: the quote beside the fill, in atomics and in units. */
export function journalCsv(intents: readonly Intent[], tokens: Naming['tokens']): string {
  const names = namesOf({ tokens }, plainStyle)
  const rows = intents.flatMap((intent) =>
    (intent.orders === undefined ? legRows : messageRows)(intent).map((row) => ({
      ...row,
      intent,
    })),
  )
  return csv(rows, [
    ['time', ({ intent }) => intent.created],
    ['id', ({ intent }) => intent.id],
    ['network', ({ intent }) => harmless(intent.network)],
    ['address', ({ intent }) => intent.address],
    ['key', ({ intent }) => harmless(intent.key ?? '')],
    ['once', ({ intent }) => harmless(intent.once ?? '')],
    ['status', ({ intent }) => shownStatus(intent)],
    ['quote_id', ({ intent }) => harmless(intent.quote_id ?? '')],
    ['leg', ({ message }) => message + 1],
    ...legColumns(names),
    ['tx_hash', (row) => txOf(row)?.hash ?? null],
    ['height', (row) => txOf(row)?.height ?? null],
    ['code', (row) => txOf(row)?.code ?? null],
  ])
}

const txOf = ({ intent, message }: JournalRow) =>
  intent.txs.findLast(({ legs }) => legs.includes(message))

/** One row of the CSV; amounts are atomics. */
type JournalRow = MessageRow & { readonly intent: Intent }

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
