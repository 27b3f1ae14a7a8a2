import type { Market } from '../../engine/market/market.js'
import type { Pair } from '../../engine/market/pair.js'
import type { Coin } from '../../engine/market/token.js'
import { addCoin, type CoinSums, coinsOf } from '../../engine/orders/coin-sums.js'
import { claimOf } from '../../engine/orders/order-entry.js'
import { givenDenom, wantedDenom } from '../../engine/orders/order-message.js'
import type { RestingOrder } from '../../engine/orders/resting-order.js'
import type { Contracts } from '../chain-port.js'

/** One owner's orders over many pairs, as of one height. */
export type MarketOrders = {
  readonly orders: readonly { readonly pair: Pair; readonly order: RestingOrder }[]
  /** Pairs whose orders cannot be read, and why. */
  readonly unread: readonly { readonly address: string; readonly reason: string }[]
}

/** An owner's orders on these pairs, by default all open ones, in the order of the market. */
export async function readMarketOrders(
  contracts: Contracts,
  market: Market,
  owner: string,
  pairs: readonly Pair[] = [...market.books.values()].map(({ state }) => state.pair),
): Promise<MarketOrders> {
  const questions = pairs.map(({ address }) => ({ pair: address, owner }))
  const results = await contracts.ownerOrders(questions, market.height)
  return {
    orders: results.flatMap((result, i) =>
      result.kind === 'answered'
        ? result.orders.orders.map((order) => ({ pair: pairs[i]!, order }))
        : [],
    ),
    unread: results.flatMap((result, i) =>
      result.kind === 'refused' ? [{ address: pairs[i]!.address, reason: result.why }] : [],
    ),
  }
}

/** What rests and what claims would pay, by denom. */
export function sumsOfOrders({ orders: list }: MarketOrders): {
  readonly resting: readonly Coin[]
  readonly claimable: readonly Coin[]
} {
  const [resting, claimable]: [CoinSums, CoinSums] = [new Map(), new Map()]
  for (const { pair, order } of list) {
    addCoin(resting, givenDenom(pair, order.side), order.remaining)
    const { paid } = claimOf(pair.makerFee, order.filled)
    addCoin(claimable, wantedDenom(pair, order.side), paid)
  }
  return { resting: coinsOf(resting), claimable: coinsOf(claimable) }
}
