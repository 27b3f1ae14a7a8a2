import { SwapError } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import { claimOf } from '../../../engine/orders/order-entry.js'
import { type OrderPlace, placeKey } from '../../../engine/orders/order-price.js'
import type { RestingOrder } from '../../../engine/orders/resting-order.js'
import { requireBook } from '../../../operations/names.js'
import type { OrderDraft } from '../../../operations/orders/order-preview.js'
import { orderRefused } from '../../../operations/orders/order-refused.js'
import { readMarketOrders } from '../../../operations/orders/read-orders.js'
import { requireContracts } from '../../../operations/require-chain.js'
import { missing } from '../../arguments/arguments.js'
import type { Context, FlagValues } from '../../command.js'
import { numberOf } from '../../flags/checked-flag.js'
import { maxCrossFlag } from './flags.js'
import { type NamedOrder, orderNamed } from './order-name.js'
import { added, orderAt, priceOf } from './place.js'

/**
 * A message a pair that claims, or claims and cancels, orders by their ids.
 *
 * @param owner whose orders all are meant; `undefined`: those of the ids
 */
export async function closingDrafts(
  context: Context,
  args: readonly string[],
  verb: 'claim' | 'cancel',
  owner: string | undefined,
): Promise<readonly OrderDraft[]> {
  const { market } = await context.app.openMarket()
  if (owner === undefined && args.length === 0)
    throw missing('the id of an order', `swap order ${verb} <id...>, or --all`)
  if (owner !== undefined && args.length > 0)
    throw new SwapError('INVALID_REQUEST', '--all takes no ids', {
      why: `${args.length} given beside it`,
      hint: `name the orders, or say --all: swap order ${verb} --all`,
      members: { errors: [{ pointer: '/all', detail: 'clashes with ids' }] },
    })
  const named =
    owner === undefined
      ? args.map((text) => orderNamed(context, market, text))
      : await allOrders(context, market, owner, verb)
  const byPair = new Map<string, Map<string, OrderPlace>>()
  for (const { pair, place } of named) {
    const places = byPair.get(pair) ?? new Map<string, OrderPlace>()
    byPair.set(pair, places.set(placeKey(place), place))
  }
  return [...byPair].map(([pair, places]) => ({
    pair,
    places: [],
    entries: () =>
      [...places.values()].map((place) => ({
        ...place,
        target: verb === 'cancel' ? 0n : undefined,
      })),
  }))
}

/** Every order that there is something to do for, all as of one height. @throws SwapError ORDER_REFUSED */
async function allOrders(
  context: Context,
  market: Market,
  owner: string,
  verb: 'claim' | 'cancel',
): Promise<readonly Pick<NamedOrder, 'pair' | 'place'>[]> {
  const contracts = await requireContracts(context.app, 'orders')
  const { orders, unread } = await readMarketOrders(contracts, market, owner)
  if (unread.length > 0)
    context.out.note(`orders of ${unread.length} pairs could not be read, and are left as they are`)
  const isMeant = ({ filled, remaining }: RestingOrder, paid: bigint) =>
    verb === 'claim' ? paid > 0n : remaining > 0n || filled > 0n
  const meant = orders.filter(({ pair, order }) =>
    isMeant(order, claimOf(pair.makerFee, order.filled).paid),
  )
  if (meant.length === 0)
    throw orderRefused({
      refused: verb === 'claim' ? 'nothing_to_claim' : 'nothing_to_cancel',
      why: `at block ${market.height} the account has ${orders.length} orders, and nothing to ${verb}`,
    })
  return meant.map(({ pair, order }) => ({
    pair: pair.address,
    place: { side: order.side, price: order.price },
  }))
}

/** `swap order replace`: cancels an order and offers what rested of it at another price, in one message. */
export async function replaceDraft(
  context: Context,
  [text = '']: readonly string[],
  flags: FlagValues,
): Promise<OrderDraft> {
  const { market } = await context.app.openMarket()
  const { pair, place, id } = orderNamed(context, market, text)
  const { base, quote } = requireBook(market, pair).state.pair
  const [baseToken, quoteToken] = [market.tokens.get(base)!, market.tokens.get(quote)!]
  const price = priceOf({ base: baseToken, quote: quoteToken }, flags, 'replace')
  const next: OrderPlace = { side: place.side, price }
  if (placeKey(next) === placeKey(place))
    throw orderRefused({
      refused: 'nothing_added',
      why: 'the order has this price already',
    })
  return {
    pair,
    places: [next],
    maxCrossBps: numberOf(maxCrossFlag, flags),
    entries(_, owner) {
      const rests = orderAt(place, owner)?.remaining ?? 0n
      if (rests === 0n)
        throw orderRefused({
          refused: 'nothing_to_cancel',
          why: `nothing rests of ${id}`,
        })
      return [{ ...place, target: 0n }, added(next, rests, owner)]
    },
  }
}
