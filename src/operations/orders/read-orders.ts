import { SwapError } from '../../engine/errors.js'
import type { Excluded, Market } from '../../engine/market/market.js'
import type { Pair } from '../../engine/market/pair.js'
import { addCoin, type Coin, type CoinSums, coinsOf } from '../../engine/market/token.js'
import { counted } from '../../engine/math/counted.js'
import { claimOf } from '../../engine/orders/order-entry.js'
import { givenDenom, wantedDenom } from '../../engine/orders/order-message.js'
import type { RestingOrder } from '../../engine/orders/resting-order.js'
import type { Contracts, OrdersResult } from '../chain-port.js'
import { pairNotOpen } from '../names.js'

/** One owner's orders on several pairs, at one height. */
export type MarketOrders = {
  readonly orders: readonly { readonly pair: Pair; readonly order: RestingOrder }[]
  /** Pairs whose orders are unreadable, and why. */
  readonly unread: readonly { readonly address: string; readonly reason: string }[]
}

/** A pair whose orders are read; of an excluded one only the address may be known. */
type ReadPair = Pick<Excluded, 'address' | 'pair' | 'isRetired'>

/**
 * An owner's orders on one pair, or on all: the market's in their order, then the excluded ones, since orders
 * can be read without a book. A retired pair that does not respond is reported as unread only if it was
 * requested by name.
 *
 * @throws SwapError NOT_FOUND if no pair has the address
 */
export async function readMarketOrders(
  contracts: Contracts,
  market: Market,
  owner: string,
  address?: string,
): Promise<MarketOrders> {
  const pairs = address === undefined ? allPairs(market) : [onePair(market, address)]
  const questions = pairs.map(({ address: pair }) => ({ pair, owner }))
  const results = await contracts.ownerOrders(questions, market.height)
  const read = pairs.map((pair, i) => ordersOf(pair, results[i], address !== undefined))
  return {
    orders: read.flatMap(({ orders }) => orders),
    unread: read.flatMap(({ unread }) => unread),
  }
}

function ordersOf(
  { address, pair, isRetired = false }: ReadPair,
  result: OrdersResult | undefined,
  isNamed: boolean,
): MarketOrders {
  const unreadable = (reason: string): MarketOrders => ({
    orders: [],
    unread: [{ address, reason }],
  })
  if (result?.kind !== 'answered')
    return isRetired && !isNamed
      ? { orders: [], unread: [] }
      : unreadable(result?.why ?? 'there is no answer')
  const { orders } = result.orders
  if (orders.length > 0 && pair === undefined)
    return unreadable(
      `it has ${counted(orders.length, 'order')}, and its denoms and fees are not known`,
    )
  return { orders: orders.map((order) => ({ pair: pair!, order })), unread: [] }
}

const allPairs = ({ books, excluded }: Market): readonly ReadPair[] => [
  ...[...books.values()].map(({ state: { pair } }) => ({ address: pair.address, pair })),
  ...excluded,
]

function onePair(market: Market, address: string): ReadPair {
  const found = allPairs(market).find((pair) => pair.address === address)
  if (found === undefined) throw pairNotOpen(market, address)
  return found
}

/** A note on pairs whose orders are missing. */
export const unreadText = (unread: MarketOrders['unread']): string =>
  `the orders on ${counted(unread.length, 'pair')} could not be read`

/** Why orders are unreadable, and a hint to retry with `call`. */
export const unreadFacts = ([first]: MarketOrders['unread'], call?: string) => ({
  why: `${first!.address}: ${first!.reason}`,
  hint: `they stay as they are: ask again after a moment${call === undefined ? '' : `, ${call}`}`,
})

/** The error of a call that needs only unreadable orders. */
export const ordersUnread = (unread: MarketOrders['unread'], call?: string): SwapError =>
  new SwapError('UPSTREAM_INVALID_DATA', unreadText(unread), {
    ...unreadFacts(unread, call),
    members: { upstream: 'the chain', unread },
  })

/** The totals by denom of resting amounts and claims. */
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
