import { counted } from '../../../engine/math/counted.js'
import type { HistoryAccess, HistoryPort } from '../../../operations/history/history-port.js'
import {
  type OrderChangeDocument,
  type OrderHistoryAnswer,
  type OrderHistoryRequest,
  orderHistory,
} from '../../../operations/history/order-history.js'
import {
  amountColumns,
  type CsvColumn,
  csv,
  foreignColumns,
  memberColumns,
  pairColumn,
  tabRows,
} from '../../../render/csv.js'
import { fields, formatUtc, formOf, paragraph, withoutBreaks } from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { layOutTable } from '../../../render/table.js'
import type { Context } from '../../command.js'
import type { Output } from '../../output.js'
import { printAnswer } from '../../print-answer.js'
import { denomsOf } from '../order/render.js'
import { asOnePage, withoutPages } from './all-legs.js'
import {
  FILL,
  type HistoryContext,
  historyNaming,
  isTable,
  pagesLines,
  renderList,
  shortTime,
  standingLines,
  standingOf,
  withoutOrders,
} from './render-context.js'
import type { DateRange } from './request.js'

/** Prints a page of order changes, or all of a date range. */
export async function showOrders(
  context: Context,
  access: HistoryAccess,
  request: OrderHistoryRequest,
  range: DateRange | undefined,
): Promise<void> {
  const { out, form } = context
  const answer =
    range === undefined
      ? await orderHistory(access, request)
      : asOnePage(await orderHistory(withoutPages(access, range), request))
  const standing = await standingOf(context, access, answer.indexed_height === null)
  if (!isTable(context) && form.quiet < 2)
    for (const line of withoutOrders(answer.without_orders, plainStyle)) out.note(line)
  const denoms = answer.items.flatMap((item) => [item.offer_denom, item.receive_denom])
  const view = { ...historyNaming(context, access, denoms), request, standing }
  return printAnswer(context, answer, {
    quiet: () => [...new Set(answer.items.map(({ tx_hash }) => tx_hash))].join('\n'),
    csv: () => orderChangesCsv(answer, view),
    human: () => renderOrderChanges(answer, view, out.style),
  })
}

/** Says how many changes of an account's orders exchanged coins, for a file that has only swaps. */
export async function noteOrders(
  { note }: Pick<Output, 'note'>,
  access: HistoryPort,
  owner: string,
  range: DateRange | undefined,
): Promise<void> {
  const { items } = await orderHistory(withoutPages(access, range), { owner })
  const exchanges = items.filter(({ received }) => received !== '0').length
  if (exchanges > 0)
    note(
      `${counted(exchanges, 'exchange')} by limit orders ${exchanges === 1 ? 'is' : 'are'} not in the file: swap history --orders --owner ${owner} --csv`,
    )
}

/** Context of the rows: the request decides the title. */
type OrdersView = Naming &
  Pick<HistoryContext, 'network' | 'standing'> & { readonly request: OrderHistoryRequest }

/** Minimum columns of an address and a hash. */
const SHORT = 11

/** Changes of orders: a table for people, newest first; in a pipe tab-separated rows without a heading. */
export function renderOrderChanges(
  answer: OrderHistoryAnswer,
  view: OrdersView,
  style: Style,
): string {
  const names = namesIn(answer, view, style)
  if (!style.tty) return tabRows(answer.items, columns(names))
  const lines =
    (formOf(style) === 'stacked' ? undefined : tableLines(answer, view, names)) ??
    answer.items.flatMap((item) => stackedRow(item, names))
  const sections = [lines, noteLines(answer, view, style)]
  return renderList(listText(answer, view, names), view.network, answer, sections, style)
}

/** Pairs are named by the denoms of their orders. */
function namesIn({ items }: OrderHistoryAnswer, view: Naming, style: Style): Names {
  const pairs = new Map(items.map((item) => [item.pair, denomsOf(item)]))
  return namesOf({ ...view, pairs }, style)
}

/** The title of the list. */
function listText(
  { total }: OrderHistoryAnswer,
  { request: { owner, pair, txHash } }: OrdersView,
  names: Names,
): string {
  const count = `${total === 0 ? 'no changes' : counted(total, 'change')} of orders`
  if (owner !== undefined) return `${count} of ${names.short(owner, 20)}`
  if (pair !== undefined) return `${count} on ${names.pair(pair)}`
  return txHash === undefined ? count : `${count} in transaction ${names.short(txHash, 15)}`
}

/** A line for each item; `undefined` if they are too wide. */
function tableLines(
  { items }: OrderHistoryAnswer,
  { request }: OrdersView,
  names: Names,
): readonly string[] | undefined {
  const { style } = names
  const isWide = formOf(style) === 'wide'
  const time = ({ time }: OrderChangeDocument) =>
    isWide ? formatUtc(time) : shortTime(time).join(' ')
  const owner = ({ owner }: OrderChangeDocument) => names.short(owner, isWide ? 20 : SHORT)
  const rows = items.map((item) => ({ ...item, amounts: amountsOf(item, names) }))
  const { head, rows: lines } = layOutTable(rows, style, [
    ['UTC', time],
    request.owner === undefined && ['OWNER', owner, { shrink: SHORT, drop: 1 }],
    ['WHAT', ({ action }) => action],
    ['ORDER', names.order],
    ['RESTS', ({ amounts }) => amounts.rests, { align: 'right' }],
    ['SOLD', ({ amounts }) => amounts.sold, { align: 'right', drop: 3, isWide: true }],
    ['GOT', ({ amounts }) => amounts.got, { align: 'right' }],
    ['FEE', ({ amounts }) => amounts.fee, { align: 'right', drop: 4, isWide: true }],
    ['TX', ({ tx_hash }) => names.short(tx_hash, SHORT), { shrink: SHORT, drop: 2 }],
  ])
  return lines.every(({ length }) => length === 1) ? [...head, ...lines.flat()] : undefined
}

function stackedRow(item: OrderChangeDocument, names: Names): readonly string[] {
  const { rests, got } = amountsOf(item, names)
  const pieces = [rests, got].filter((piece) => piece !== '')
  const [day, second] = shortTime(item.time)
  return fields(names.style, [
    [day, [second, item.action, names.order(item)]],
    ['', pieces.map(withoutBreaks)],
  ])
}

/** Signed changes of the resting amount; zero is empty. */
function amountsOf(item: OrderChangeDocument, names: Names) {
  const { offer_denom, receive_denom, added, returned, action } = item
  const coin = (denom: string, amount: string) =>
    amount === '0' ? '' : names.coin({ denom, amount })
  const change = returned === '0' ? added : `-${returned}`
  return {
    rests: action === 'claim' ? '' : names.signedCoin({ denom: offer_denom, amount: change }),
    sold: coin(offer_denom, item.sold),
    got: coin(receive_denom, item.received),
    fee: coin(receive_denom, item.fee),
  }
}

function noteLines(
  answer: OrderHistoryAnswer,
  { standing }: OrdersView,
  style: Style,
): readonly string[] {
  if (answer.indexed_height === null) return paragraph(FILL, style)
  return [
    ...pagesLines(answer, style),
    ...withoutOrders(answer.without_orders, style).flatMap((line) => paragraph(line, style)),
    ...standingLines(standing, style),
  ]
}

export const orderChangesCsv = (answer: OrderHistoryAnswer, view: Naming): string =>
  csv(answer.items, columns(namesIn(answer, view, plainStyle)))

const columns = (names: Names): readonly CsvColumn<OrderChangeDocument>[] => [
  ...memberColumns('time', 'height', 'tx_hash', 'msg_index'),
  ...foreignColumns('owner'),
  ...memberColumns('action', 'id'),
  pairColumn(names),
  ...memberColumns('side', 'price', 'oracle_bps'),
  ...foreignColumns('offer_denom', 'receive_denom'),
  ...(['sold', 'added', 'returned', 'received', 'fee'] as const).flatMap((name) =>
    amountColumns<OrderChangeDocument>(name, names, (item) => ({
      denom: name === 'received' || name === 'fee' ? item.receive_denom : item.offer_denom,
      amount: item[name],
    })),
  ),
  ['price_human', ({ price, ...item }) => price && names.unitPrice(price, denomsOf(item))],
]
