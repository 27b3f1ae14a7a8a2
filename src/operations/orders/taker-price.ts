import type { Book } from '../../engine/market/book.js'
import type { Market } from '../../engine/market/market.js'
import type { Pair } from '../../engine/market/pair.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { inverse } from '../../engine/math/decimal.js'
import { toPercent } from '../../engine/math/rational.js'
import { givenDenom, wantedDenom } from '../../engine/orders/order-message.js'
import {
  type TakerOrder,
  takerLimit,
  takerOffer,
  takerRate,
} from '../../engine/orders/taker-rate.js'
import type { OperationContext } from '../context.js'
import { requireBook } from '../names.js'
import { chooseSlippage, type LegReplay } from '../slippage/choose-slippage.js'
import { orderRefused } from './order-refused.js'

/** The tolerance below the current price: fixed, or chosen from recorded blocks. */
export type TakerSlippage = { readonly bps: number; readonly isAuto: boolean }

/** The source of a price that is not the owner's: what the book of a pair pays for an offer. */
export type BookPrice = {
  readonly market: Market
  readonly pair: string
  readonly offer: Coin
  readonly output: Denom
  readonly slippageBps: number
}

/** The limit price of an immediate order, and how its slippage was chosen. */
export type TakerPrice = Awaited<ReturnType<typeof takerPrice>>

/**
 * Prices an order by the book: the rate of the last level taken now, with the slippage against the owner.
 *
 * @throws SwapError ORDER_REFUSED if the book holds less than the amount, NOT_FOUND, MARKET_HALTED
 */
export async function takerPrice(
  { openMarket, evidence }: OperationContext,
  pair: Pair,
  order: TakerOrder,
  { bps, isAuto }: TakerSlippage,
) {
  const { market } = await openMarket()
  const { address, tick } = pair
  const book = requireBook(market, address)
  const now = takerRate(book, order)
  if (now === undefined)
    throw orderRefused({
      refused: 'not_filled',
      why: 'the book holds less than the amount, so no price takes all of it',
    }).with({
      hint: {
        cli: 'offer less, or take what there is within a price: --ioc --price <price>',
        http: 'offer less, or name a price',
      },
    })
  const { chainId, height } = market
  const choice = isAuto
    ? await chooseSlippage(await evidence?.(height), {
        legs: [takerReplay(address, order)],
        chainId,
        height,
        configuredBps: bps,
        thinnest: { address, depth_used_percent: toPercent(now.depthUsed) },
      })
    : undefined
  const slippageBps = choice?.bps ?? bps
  const price = takerLimit(order.side, now.rate, slippageBps, tick)
  const source = {
    market,
    pair: address,
    slippageBps,
    offer: { denom: givenDenom(pair, order.side), amount: takerOffer(book, order, price) },
    output: wantedDenom(pair, order.side),
  }
  /** The rate is the worst of an execution now; the choice is that of automatic slippage. */
  return { price, rate: now.rate, slippageBps, source, choice }
}

/** The worst rate of an order on recorded markets, as received per offered. */
function takerReplay(address: string, order: TakerOrder): LegReplay {
  let before: { readonly book: Book; readonly received: bigint | undefined } | undefined
  return ({ books }) => {
    const book = books.get(address)
    if (book === undefined) return undefined
    if (book !== before?.book) {
      const rate = takerRate(book, order)?.rate
      before = { book, received: rate && (order.side === 'ask' ? rate : inverse(rate)) }
    }
    return before.received
  }
}
