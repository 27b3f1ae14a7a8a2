import BigNumber from 'bignumber.js'
import { counted } from '../../engine/math/counted.js'
import { divFloor } from '../../engine/math/decimal.js'
import { givenDenom, wantedDenom } from '../../engine/orders/order-message.js'
import { ORDER_VERBS, parseOrderId } from '../../engine/orders/order-price.js'
import type { OrderReport, SwapReport } from '../../execution/lifecycle/report-schema.js'
import { formatPrice, formatSignedBps } from '../../render/amount.js'
import { csv, memberColumns } from '../../render/csv.js'
import { field, fields, joinSections } from '../../render/layout.js'
import { type Names, type Naming, namesOf } from '../../render/names.js'
import { glyphsOf, plainStyle, type Style } from '../../render/style.js'
import { coinText, pipeLines } from '../print-answer.js'
import { orderPriceText } from './render-confirm.js'
import {
  checkedText,
  coins,
  evidenceMembers,
  legColumns,
  payments,
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
    ...reportTitle(ordersTitle(report, names), report, style),
    joinSections(style, [
      report.orders.flatMap((order) => orderLines(order, names)),
      totalLines(report, names),
      txLines(report, context, style),
    ]),
  ].join('\n')
}

/** The orders of a message and the coins it paid; resting amounts only if it was executed as previewed. */
function orderLines(message: OrderReport['orders'][number], names: Names): readonly string[] {
  const { pair, entries, expected, paid } = message
  const isAsPreviewed = JSON.stringify(paid) === JSON.stringify(expected)
  const denoms = names.pairDenoms(pair)
  // Of several entries for an order, the last one has its final state.
  const last = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
  return field(names.style, names.pair(pair), [
    ...last.map(({ id, rests: amount }) => {
      const denom = id.startsWith(`${pair}/buy/`) ? denoms?.quote : denoms?.base
      const name = names.text(id.slice(pair.length + 1))
      if (!isAsPreviewed || amount === null || denom === undefined) return name
      return `${name}: ${amount === '0' ? 'nothing rests' : `${names.coin({ denom, amount })} rest`}`
    }),
    paid === null ? 'not executed' : `paid ${coins(paid, names)}`,
    averageText(message, names, isAsPreviewed),
    paid !== null &&
      expected !== null &&
      !isAsPreviewed &&
      `the preview was ${coins(expected, names)}`,
  ])
}

function totalLines(report: OrderReport, names: Names): readonly string[] {
  const { spent, received, txs, verified, evidence } = report
  if (verified === null) return []
  const fees = txs.flatMap(({ fee }) => fee)
  return fields(names.style, [
    ['Spent', [payments(spent, names), `fee ${payments(fees, names)}`]],
    ['Received', [coins(received, names)]],
    ['Checked', [checkedText(verified, evidence)]],
  ])
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

/** One row for each message, coins in atomics. */
export const orderReportCsv = ({ orders }: OrderReport): string =>
  csv(orders, [
    ...memberColumns('tx_hash', 'pair'),
    ['orders', ({ entries }) => entries.map(({ id }) => id).join(' ')],
    ['funds', ({ funds }) => funds.map(coinText).join(' ')],
    ['expected', ({ expected }) => (expected ?? []).map(coinText).join(' ')],
    ['paid', ({ paid }) => (paid ?? []).map(coinText).join(' ')],
  ])

/** One row for each leg, amounts in atomics and in units. */
export function swapReportCsv({ legs }: SwapReport, tokens: Naming['tokens']): string {
  const columns = legColumns(namesOf({ tokens }, plainStyle))
  return csv(legs, [...memberColumns('tx_hash'), ...columns])
}

/** The result of an execution: text on a terminal, key and value in a pipe. */
export function renderSwapReport(report: SwapReport, context: ReportContext, style: Style): string {
  if (!style.tty) return renderSwapReportPlain(report, context)
  const names = namesOf(context, style)
  return [
    ...reportTitle(swapTitle(report, names), report, style),
    joinSections(style, [outcomeLines(report, names), txLines(report, context, style)]),
  ].join('\n')
}

function swapTitle({ amount_in, amount_out, min_return }: SwapReport, names: Names) {
  const bought = amount_out === null ? names.symbol(min_return.denom) : names.coin(amount_out)
  return `${names.payment(amount_in)} ${glyphsOf(names.style).arrow} ${bought}`
}

function outcomeLines(report: SwapReport, names: Names): readonly string[] {
  const { style } = names
  const { amount_out: out, min_return: least, vs_quote_bps: bps, vs_quote: by } = report
  if (out === null) return []
  const spare = BigInt(out.amount) - leastOf(report)
  const distance = names.coin({ ...least, amount: `${spare < 0n ? -spare : spare}` })
  const { quoted, returned, left_behind: left, verified } = report
  const fees = report.txs.flatMap(({ fee }) => fee)
  const against =
    by === null
      ? 'not all executed'
      : `${names.signedCoin({ ...out, amount: by })}, ${formatSignedBps(bps)}`
  // Other swaps may have changed the balances of the router as well.
  const grew = report.router_grew ?? []
  const hasGrown = verified?.router === false || grew.length > left.length
  return fields(style, [
    ['Received', [names.coin(out), `${distance} ${spare < 0n ? 'below' : 'above'} the minimum`]],
    // Externally signed bytes contain their minimum, but no quote.
    report.mode !== 'bytes' &&
      quoted !== null && ['Against', [`the quote of ${names.coin(quoted)}:`, against], ' '],
    priceField(report, names),
    ['Spent', [payments(report.spent, names), `fee ${payments(fees, names)}`]],
    returned.length > 0 && ['Returned', [coins(returned, names)]],
    ['Checked', [checkedOf(report)]],
    left.length > 0 && ['Left behind', [style.bad(coins(left, names)), LEFT_BEHIND]],
    hasGrown && [
      'Router',
      [`holds ${coins(grew, names)} more than before the block, by its balances`],
    ],
  ])
}

const LEFT_BEHIND = 'in the router, where any later swap can take it'

/** The minimum of the executed legs. */
const leastOf = ({ legs, min_return: all }: SwapReport): bigint =>
  legs.every(({ received }) => received !== null)
    ? BigInt(all.amount)
    : legs.reduce((sum, leg) => sum + (leg.received === null ? 0n : BigInt(leg.min_return)), 0n)

/** The paid price: output per unit spent; none for a loop, or for legs of several tokens. */
function priceField({ amount_out: out, amount_in, spent, legs }: SwapReport, names: Names) {
  const paid = spent.find(({ denom }) => denom === amount_in.denom)
  if (out === null || paid === undefined || paid.denom === out.denom) return false
  if (legs.some(({ input, output }) => input.denom !== paid.denom || output !== out.denom))
    return false
  const price = new BigNumber(names.units(out)).div(names.units(paid))
  const shown = formatPrice(price.toFixed(), names.style)
  const per = names.per({ base: paid.denom, quote: out.denom })
  return price.isFinite() && (['Price', [`${shown} ${per}`]] as const)
}

function checkedOf({ verified, evidence, left_behind }: SwapReport): string {
  if (verified === null) return 'nothing'
  const rest = left_behind.length === 0 ? '; nothing stayed in the router' : ''
  return `${checkedText(verified, evidence)}${rest}`
}

/** One field a line under the names of the document; amounts are atomics, and counts from 1. */
function renderSwapReportPlain(report: SwapReport, context: ReportContext): string {
  const { legs: _, txs, verified, router_grew, spent, returned, left_behind, ...members } = report
  return pipeLines(
    {
      ...members,
      amount_out: members.amount_out ?? { denom: null, amount: null },
      spent: spent.map(coinText),
      returned: returned.map(coinText),
      left_behind: left_behind.map(coinText),
      router_grew: router_grew?.map(coinText) ?? [],
      ...evidenceMembers({ txs, verified }),
    },
    { names: namesOf(context, plainStyle) },
  )
}

type OrderMessage = OrderReport['orders'][number]

/** The one order of a report, otherwise the number of messages. @example 'buy 10 RUNE at 0.52 USDC per RUNE' */
function ordersTitle({ orders }: Pick<OrderReport, 'orders'>, names: Names): string {
  const [message, second] = orders
  const order =
    message === undefined || second !== undefined ? undefined : onlyOrder(message, names)
  if (order === undefined) return counted(orders.length, 'order message')
  const { verb, price, denoms, entry, sent, isImmediate } = order
  const isTaking = message?.expected?.length !== 0
  const limit = verb === 'sell' ? 'down to' : 'up to'
  const at = `${isImmediate ? limit : 'at'} ${orderPriceText(denoms, price, names)}`
  if (entry.target === null) return `claim: ${verb} ${at}`
  if (entry.target === '0') return `cancel: ${verb} ${at}`
  if (sent === undefined) return `${verb} ${at}`
  if (verb === 'sell') return `sell ${names.payment(sent)} ${at}`
  // What an order takes is bought at the prices of the book, not at its own.
  if ('bps' in price || isTaking)
    return `buy ${names.symbol(denoms.base)} for ${names.payment(sent)} ${at}`
  const bought = divFloor(BigInt(sent.amount), price.fixed)
  return `buy ${names.coin({ denom: denoms.base, amount: `${bought}` })} ${at}`
}

/** The order of a message that has one, with the coin that was sent for it. An immediate one is followed by its cancel. */
function onlyOrder({ pair, entries, funds }: OrderMessage, names: Names) {
  const [entry, second] = entries
  const denoms = names.pairDenoms(pair)
  const place = entry && parseOrderId(entry.id)
  const isImmediate = second?.id === entry?.id && second?.target === '0' && entries.length === 2
  if (entry === undefined || place === undefined) return undefined
  if ((second !== undefined && !isImmediate) || denoms === undefined) return undefined
  const { side, price } = place
  const given = givenDenom(denoms, side)
  const sent = funds.find(({ denom }) => denom === given)
  const wanted = wantedDenom(denoms, side)
  return { verb: ORDER_VERBS[side], price, denoms, entry, sent, wanted, isImmediate }
}

/**
 * The price after fees of what a new order took: an immediate one, or one that was executed as previewed.
 *
 * @example 'on average 0.5186 USDC per RUNE'
 */
function averageText(message: OrderMessage, names: Names, isAsPreviewed: boolean): string | false {
  const order = onlyOrder(message, names)
  if (order?.sent === undefined || message.paid === null) return false
  const { verb, denoms, entry, sent, wanted, isImmediate } = order
  // Coins that rested there before are paid out as well.
  if (sent.amount !== entry.target || entry.claimed === undefined) return false
  const paid = message.paid.find(({ denom }) => denom === wanted)
  const returned = message.paid.find(({ denom }) => denom !== wanted)
  const previewed = isAsPreviewed && returned === undefined ? entry.rests : null
  const rests = isImmediate ? (returned?.amount ?? '0') : previewed
  if (rests === null || paid === undefined) return false
  const taken = new BigNumber(sent.amount).minus(rests)
  const received = new BigNumber(paid.amount).minus(entry.claimed)
  if (!taken.isGreaterThan(0) || !received.isGreaterThan(0)) return false
  const rate = verb === 'buy' ? taken.div(received) : received.div(taken)
  return `on average ${names.price(rate.toFixed(), denoms)} ${names.per(denoms)}`
}
