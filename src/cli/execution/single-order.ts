import BigNumber from 'bignumber.js'
import { counted } from '../../engine/math/counted.js'
import { divFloor } from '../../engine/math/decimal.js'
import { givenDenom, wantedDenom } from '../../engine/orders/order-message.js'
import { ORDER_VERBS, parseOrderId } from '../../engine/orders/order-price.js'
import type { OrderReport } from '../../execution/lifecycle/report-schema.js'
import type { Names } from '../../render/names.js'
import { orderPriceText } from './render-confirm.js'

type OrderMessage = OrderReport['orders'][number]

/** The one order of a report, otherwise the number of messages. @example 'buy 10 RUNE at 0.52 USDC per RUNE' */
export function ordersTitle({ orders }: Pick<OrderReport, 'orders'>, names: Names): string {
  const [message, second] = orders
  const order =
    message === undefined || second !== undefined ? undefined : onlyOrder(message, names)
  if (order === undefined) return counted(orders.length, 'order message')
  const { verb, price, denoms, entry, sent } = order
  const at = `at ${orderPriceText(denoms, price, names)}`
  if (entry.target === null) return `claim: ${verb} ${at}`
  if (entry.target === '0') return `cancel: ${verb} ${at}`
  if (sent === undefined) return `${verb} ${at}`
  if (verb === 'sell') return `sell ${names.coin(sent)} ${at}`
  if ('bps' in price) return `buy ${names.symbol(denoms.base)} for ${names.coin(sent)} ${at}`
  const bought = divFloor(BigInt(sent.amount), price.fixed)
  return `buy ${names.coin({ denom: denoms.base, amount: `${bought}` })} ${at}`
}

/** The order of a message that has one entry, with the coin that was sent for it. */
function onlyOrder({ pair, entries, funds }: OrderMessage, names: Names) {
  const [entry, second] = entries
  const denoms = names.pairDenoms(pair)
  const place = entry && parseOrderId(entry.id)
  if (entry === undefined || place === undefined) return undefined
  if (second !== undefined || denoms === undefined) return undefined
  const { side, price } = place
  const given = givenDenom(denoms, side)
  const sent = funds.find(({ denom }) => denom === given)
  return { verb: ORDER_VERBS[side], price, denoms, entry, sent, wanted: wantedDenom(denoms, side) }
}

/**
 * The price after fees of what a new order took, if it was executed as previewed and the message paid nothing else.
 *
 * @example 'on average 0.5186 USDC per RUNE'
 */
export function averageText(message: OrderMessage, names: Names): string | false {
  const order = onlyOrder(message, names)
  const [paid, second] = message.paid ?? []
  if (order === undefined || paid === undefined || second !== undefined) return false
  const { verb, denoms, entry, sent, wanted } = order
  const isNew = sent !== undefined && sent.amount === entry.target
  if (!isNew || entry.rests === null || paid.denom !== wanted) return false
  const taken = new BigNumber(sent.amount).minus(entry.rests)
  if (!taken.isPositive() || taken.isZero() || paid.amount === '0') return false
  const rate = verb === 'buy' ? taken.div(paid.amount) : new BigNumber(paid.amount).div(taken)
  const price = names.price(rate.toFixed(), denoms)
  return `on average ${price} ${names.symbol(denoms.quote)} per ${names.symbol(denoms.base)}`
}
