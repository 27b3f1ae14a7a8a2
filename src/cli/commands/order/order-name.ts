import type { Market } from '../../../engine/market/market.js'
import { type OrderPlace, orderId, parseOrderId } from '../../../engine/orders/order-price.js'
import { quote } from '../../../render/width.js'
import { pairNamed } from '../../arguments/pair-name.js'
import type { Context } from '../../command.js'
import { invalidRequest } from '../../invalid-request.js'

/** An order that an argument names. */
export type NamedOrder = { readonly id: string; readonly pair: string; readonly place: OrderPlace }

/** The order of an id, whose pair may be named by its tokens. @throws SwapError INVALID_REQUEST */
export function orderNamed(context: Context, market: Market, text: string): NamedOrder {
  const parsed = parseOrderId(text)
  if (parsed === undefined)
    throw invalidRequest(`${quote(text)} is not the id of an order`, '/id', {
      why: 'an id is a pair, buy or sell, and a price: rune/usdc/buy/0.499',
      hint: 'list them: swap order list',
      detail: 'must be <pair>/buy|sell/<price>',
    })
  const { pair: name, ...place } = parsed
  const pair = pairNamed(context, market, name)
  return { id: orderId(pair, place), pair, place }
}
