import type { OrderReport } from '../../execution/lifecycle/order-report.js'
import { counted } from '../../render/amount.js'
import { field, joinSections } from '../../render/layout.js'
import { type Names, namesOf } from '../../render/names.js'
import { plainStyle, type Style } from '../../render/style.js'
import { pipeLines } from '../pipe-lines.js'
import {
  checkedText,
  coins,
  coinText,
  evidenceMembers,
  type ReportContext,
  reportTitle,
  txLines,
} from './report-fields.js'

/** The result of signed orders: text on a terminal, key and value in a pipe. */
export function renderOrderReport(
  report: OrderReport,
  context: ReportContext,
  style: Style,
): string {
  if (!style.tty) return renderOrderReportPlain(report, context)
  const names = namesOf(context, style)
  return [
    ...reportTitle(counted(report.orders.length, 'order message'), report, style),
    joinSections(
      [
        report.orders.flatMap((order) => orderLines(order, names, style)),
        totalLines(report, names, style),
        txLines(report, context, style),
      ],
      style,
    ),
  ].join('\n')
}

/** The orders of a message and what it paid; the resting amounts if it was executed as previewed. */
function orderLines(
  { pair, entries, expected, paid }: OrderReport['orders'][number],
  names: Names,
  style: Style,
): readonly string[] {
  const isAsPreviewed = JSON.stringify(paid) === JSON.stringify(expected)
  const denoms = names.pairDenoms(pair)
  // The last entry of an order says how the message leaves it.
  const last = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
  return field(
    names.pair(pair),
    [
      ...last.map(({ id, rests: amount }) => {
        const denom = id.startsWith(`${pair}/buy/`) ? denoms?.quote : denoms?.base
        const name = names.text(id.slice(pair.length + 1))
        return isAsPreviewed && amount !== null && amount !== '0' && denom !== undefined
          ? `${name}: ${names.coin({ denom, amount })} rest`
          : name
      }),
      paid === null ? 'not executed' : `paid ${coins(paid, names)}`,
      ...(paid === null || expected === null || isAsPreviewed
        ? []
        : [`the preview was ${coins(expected, names)}`]),
    ],
    style,
  )
}

function totalLines(report: OrderReport, names: Names, style: Style): readonly string[] {
  const { spent, received, txs, verified, evidence } = report
  if (verified === null) return []
  const fees = txs.flatMap(({ fee }) => fee)
  return [
    ...field('Spent', [coins(spent, names), `fee ${coins(fees, names)}`], style),
    ...field('Received', [coins(received, names)], style),
    ...field('Checked', [checkedText(verified, evidence)], style),
  ]
}

/** One field a line under the names of the document; amounts are atomics, and counts from 1. */
function renderOrderReportPlain(report: OrderReport, context: ReportContext): string {
  const { orders, txs, verified, spent, received, ...members } = report
  return pipeLines(
    {
      ...members,
      order: orders.map(({ entries, funds, expected, paid, ...order }) => ({
        ...order,
        entry: entries,
        funds: funds.map(coinText),
        expected: expected?.map(coinText) ?? [],
        paid: paid?.map(coinText) ?? [],
      })),
      spent: spent.map(coinText),
      received: received.map(coinText),
      ...evidenceMembers({ txs, verified }),
    },
    { names: namesOf(context, plainStyle) },
  )
}

/** One row a message, coins in atomics. */
export function orderReportCsv({ orders }: OrderReport): string {
  const rows = orders.map(({ pair, entries, funds, expected, paid, tx_hash }) =>
    [
      ...[tx_hash ?? '', pair, entries.map(({ id }) => id).join(' ')],
      ...[funds, expected ?? [], paid ?? []].map((list) => list.map(coinText).join(' ')),
    ].join(','),
  )
  return ['tx_hash,pair,orders,funds,expected,paid', ...rows].join('\r\n')
}
