import { counted } from '../../../engine/math/counted.js'
import type { MarketHead } from '../../../operations/document-schema.js'
import type { OrderDocument } from '../../../operations/orders/order-documents.js'
import type { OrdersAnswer } from '../../../operations/orders/order-operations.js'
import { type MarketOrders, unreadText } from '../../../operations/orders/read-orders.js'
import { orDash } from '../../../render/amount.js'
import {
  type CsvColumn,
  csv,
  foreignColumns,
  memberColumns,
  pairColumn,
  tabRows,
} from '../../../render/csv.js'
import {
  fields,
  formatTime,
  nextLine,
  paragraph,
  titledSections,
  titleLines,
} from '../../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../../render/names.js'
import { plainStyle, type Style } from '../../../render/style.js'
import { type Columns, table } from '../../../render/table.js'
import type { Context } from '../../command.js'
import { pipeLines } from '../../print-answer.js'

/** The orders of an account: a table for people; in a pipe tab-separated rows without a heading. */
export function renderOrders(answer: OrdersAnswer, naming: Naming, style: Style): string {
  const names = namesOf(naming, style)
  if (!style.tty) return tabRows(answer.orders, columns(names))
  const lines =
    answer.orders.length === 0
      ? paragraph(NO_ORDER, style)
      : table(answer.orders, style, orderColumns(names, answer.orders))
  return titledSections(names.short(answer.owner, 28), answer, style, [
    lines,
    unreadLines(answer.unread, style),
    fields(style, [
      ['Resting', coinPieces(answer.resting, names)],
      ['Claimable', coinPieces(answer.claimable, names)],
    ]),
    answer.orders.length === 0 ? [nextLine('swap help order buy', style)] : [],
  ])
}

/** Only where the orders of every pair could be read. */
export const NO_ORDER = 'No order of this account rests, and nothing can be claimed.'

/** Totals of orders, a piece each. */
export const coinPieces = (coins: OrdersAnswer['resting'], names: Names): readonly string[] =>
  coins.length === 0 ? ['nothing'] : coins.map((coin) => names.coin(coin))

export const orderColumns = (
  names: Names,
  orders: readonly OrderDocument[],
): Columns<OrderDocument> => [
  ['ORDER', (order) => names.order(order)],
  // The id has the price in atomics.
  orders.some(hasOtherDecimals(names)) && ['PRICE', quotePrice(names), { align: 'right' }],
  ['STATUS', statusText, { drop: 2 }],
  ['OFFERED', (order) => names.coin(coinOf(order, 'offered')), { align: 'right', drop: 3 }],
  ['RESTS', (order) => names.coin(coinOf(order, 'remaining')), { align: 'right' }],
  ['CLAIMABLE', (order) => names.coin(coinOf(order, 'claimable')), { align: 'right', drop: 1 }],
]

const hasOtherDecimals = (names: Names) => (order: OrderDocument) =>
  names.decimals(order.offer_denom) !== names.decimals(order.receive_denom)

const quotePrice =
  (names: Names) =>
  ({ rate, ...order }: OrderDocument): string => {
    const pair = denomsOf(order)
    return orDash(rate, (price) => `${names.price(price, pair)} ${names.symbol(pair.quote)}`)
  }

/** One order with the block and its owner, for people; in a pipe a line for each member. */
export function renderOrder(
  document: MarketHead & OrderDocument & { readonly owner: string },
  naming: Naming,
  style: Style,
): string {
  const names = namesOf(naming, style)
  if (!style.tty) return pipeLines(document, { names })
  const amount = (member: Amount) => names.coin(coinOf(document, member))
  const fills = `${amount('filled')} not claimed yet; a claim pays ${amount('claimable')}`
  return [
    ...titleLines(names.order(document), document, style),
    ...fields(style, [
      ['Status', [statusText(document)]],
      ['Price', [priceOf(document, names)]],
      ['Offered', [amount('offered')]],
      ['Rests', [amount('remaining')]],
      ['Filled', [document.filled === '0' ? 'nothing to claim' : fills]],
      ['Owner', [names.text(document.owner)]],
      document.updated_at !== null && ['Changed', [formatTime(document.updated_at)]],
    ]),
  ].join('\n')
}

const statusText = ({ status }: OrderDocument): string => status.replace('_', ' ')

type Amount = 'offered' | 'remaining' | 'filled' | 'claimable'

/** An amount of an order, in the token that it offers or receives. */
const coinOf = (order: OrderDocument, member: Amount) => ({
  denom: member === 'offered' || member === 'remaining' ? order.offer_denom : order.receive_denom,
  amount: order[member],
})

/** Quote units per base unit. */
function priceOf({ rate, oracle_bps: bps, ...order }: OrderDocument, names: Names) {
  const pair = denomsOf(order)
  const rated = rate === null ? 'unknown' : `${names.price(rate, pair)} ${names.per(pair)}`
  return bps === null ? rated : `${rated} now: the oracle price ${bps < 0 ? '' : '+'}${bps} bps`
}

export const ordersCsv = ({ orders }: OrdersAnswer, naming: Naming): string =>
  csv(orders, columns(namesOf(naming, plainStyle)))

const columns = (names: Names): readonly CsvColumn<OrderDocument>[] => [
  ['id', ({ id }) => id],
  pairColumn(names),
  ...memberColumns('side', 'rate'),
  ['price', ({ rate, ...order }) => rate && names.unitPrice(rate, denomsOf(order))],
  ...memberColumns('status'),
  ...foreignColumns('offer_denom', 'receive_denom'),
  ...(['offered', 'remaining', 'filled', 'claimable'] as const).flatMap(
    (member): readonly CsvColumn<OrderDocument>[] => [
      ...memberColumns(member),
      [`${member}_human`, (order) => names.units(coinOf(order, member))],
    ],
  ),
  ...memberColumns('updated_at'),
]

export const denomsOf = ({
  side,
  offer_denom,
  receive_denom,
}: Pick<OrderDocument, 'side' | 'offer_denom' | 'receive_denom'>) =>
  side === 'sell'
    ? { base: offer_denom, quote: receive_denom }
    : { base: receive_denom, quote: offer_denom }

/** A warning below a table that orders of some pairs are missing. */
export const unreadLines = ({ length }: MarketOrders['unread'], style: Style): readonly string[] =>
  length === 0 ? [] : paragraph(`Orders of ${counted(length, 'pair')} could not be read.`, style)

/** Notes on missing orders for outputs that do not contain them: in a pipe, CSV, with `-q`. */
export function noteUnread({ form, out }: Context, unread: MarketOrders['unread']): void {
  const isShown = form.kind === 'json' || (out.style.tty && form.kind !== 'csv' && form.quiet === 0)
  if (unread.length > 0 && !isShown) out.note(unreadText(unread))
}
