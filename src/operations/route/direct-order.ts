import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import { ContractFailure, isRefusal } from '../../engine/market/refusal.js'
import { amountIn, type Coin, type Denom } from '../../engine/market/token.js'
import { walk } from '../../engine/market/walk.js'
import { ArithmeticAbort, type Decimal, formatDecimal } from '../../engine/math/decimal.js'
import { bpsBelow } from '../../engine/math/rational.js'
import { isOrderFailure } from '../../engine/orders/order-failure.js'
import { type OrderEntry, orderMessage } from '../../engine/orders/order-message.js'
import { ORDER_VERBS } from '../../engine/orders/order-price.js'
import { previewOrder } from '../../engine/orders/preview-order.js'
import { takerLimit } from '../../engine/orders/taker-rate.js'
import { attempt } from '../../platform/attempt.js'
import { coinDocument } from '../document-parts.js'
import type { DirectOrder } from './route-documents.js'

/**
 * The immediate-or-cancel order that sells the input on a pair of both tokens, if it pays more than the
 * router's best route, because it is free of the protocol fee. `null` if none does, or a book takes only a
 * part.
 */
export function directOrder(
  market: Market,
  input: Coin,
  output: Denom,
  { slippageBps, routeOutput }: { readonly slippageBps: number; readonly routeOutput: bigint },
): DirectOrder {
  let best: DirectOrder = null
  for (const book of market.books.values()) {
    const order = orderOn(book, input, output, slippageBps)
    if (order === undefined || order.received <= BigInt(best?.expected_output ?? routeOutput))
      continue
    const { pair } = book.state
    const [{ side, price }] = order.entries
    best = {
      pair: pair.address,
      side: ORDER_VERBS[side],
      price: formatDecimal(price.fixed),
      amount: `${order.amount}`,
      expected_output: `${order.received}`,
      gain_bps: -bpsBelow(order.received, routeOutput),
      funds: order.funds.map(coinDocument),
      tx: orderMessage(order.entries),
    }
  }
  return best
}

type FixedOrder = OrderEntry & { readonly price: { readonly fixed: Decimal } }

function orderOn(book: Book, { denom, amount: offer }: Coin, output: Denom, slippageBps: number) {
  const { pair } = book.state
  const isAsk = pair.base === denom && pair.quote === output
  if (!isAsk && !(pair.quote === denom && pair.base === output)) return undefined
  if (pair.rules.newOrders !== 'take') return undefined
  const after = book.afterArbitrage()
  if (isRefusal(after)) return undefined
  return attempt(
    () => {
      const side = isAsk ? 'ask' : 'bid'
      const { trades, unsold, gross } = walk(after.state, isAsk ? 'bid' : 'ask', offer)
      const worstRate = trades.at(-1)?.rate
      if (worstRate === undefined || unsold > 0n) return undefined
      const price = takerLimit(side, worstRate, slippageBps, pair.tick)
      const place = { side, price: { fixed: price } } as const
      const entries: readonly [FixedOrder, FixedOrder] = [
        { ...place, target: offer },
        { ...place, target: 0n },
      ]
      const preview = previewOrder(book, { orders: [] }, entries)
      if (isOrderFailure(preview) || !preview.exact || preview.entries[0]!.rests > 0n)
        return undefined
      const received = amountIn(preview.paid, output)
      return { entries, amount: isAsk ? offer : gross, received, funds: preview.funds }
    },
    ContractFailure,
    ArithmeticAbort,
  )
}
