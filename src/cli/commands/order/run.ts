import { invalidRequest, type Json, SwapError } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import { counted } from '../../../engine/math/counted.js'
import { claimOf } from '../../../engine/orders/order-entry.js'
import { type OrderPlace, placeKey } from '../../../engine/orders/order-price.js'
import type { RestingOrder } from '../../../engine/orders/resting-order.js'
import type { Report } from '../../../execution/lifecycle/result.js'
import type { Account } from '../../../execution/ports.js'
import { requireContracts } from '../../../operations/context.js'
import { requireBook } from '../../../operations/names.js'
import type { OrderDraft } from '../../../operations/orders/order-preview.js'
import { orderRefused } from '../../../operations/orders/order-refused.js'
import {
  type MarketOrders,
  ordersUnread,
  readMarketOrders,
  unreadFacts,
  unreadText,
} from '../../../operations/orders/read-orders.js'
import { namesOf } from '../../../render/names.js'
import { quote } from '../../../render/width.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { withShare } from '../../execution/balance-share.js'
import { maxCrossFlag } from '../../flags/command-flags.js'
import { missingArgument } from '../../invalid-request.js'
import { marketNaming } from '../../print-answer.js'
import { type NamedOrder, orderNamed } from './list.js'
import {
  entryAddedTo,
  ladderDraft,
  orderAt,
  placeDraft,
  priceOf,
  requireSide,
  requireWords,
  showPriceOf,
} from './place.js'
import { signOrders } from './sign.js'

/** `swap order buy` and `swap order sell`. The amount sold may be a share of the balance. */
export const runPlace =
  (verb: 'buy' | 'sell'): Run =>
  async (context, args, flags) => {
    requireWords(context, args, verb)
    return signOrders(context, [verb, ...args], flags, async ({ address }: Account) => {
      const { words, ...share } =
        verb === 'sell' ? await withShare(context, args, address, flags) : { words: args }
      return { drafts: [await placeDraft(context, words, flags, verb)], ...share }
    })
  }

/** `swap order ladder`. The amount offered may be a share of the balance. */
export const runLadder: Run = async (context, [verb = '', ...args], flags) => {
  requireSide(verb)
  requireWords(context, args, `ladder ${verb}`)
  return signOrders(context, ['ladder', verb, ...args], flags, async ({ address }) => {
    const { words, ...share } = await withShare(context, args, address, flags)
    return { drafts: [await ladderDraft(context, verb, words, flags)], ...share }
  })
}

/** `swap order claim` and `swap order cancel`. */
export const runClose =
  (verb: 'claim' | 'cancel'): Run =>
  async (context, args, flags) => {
    requireIdsOrAll(args, flags, verb)
    return signOrders(context, [verb, ...args], flags, async ({ address }) => {
      const owner = flags['all'] === true ? address : undefined
      const { drafts, unread } = await closingDrafts(context, args, verb, owner)
      if (unread.length === 0) return { drafts }
      return { drafts, incomplete: (report) => leftUnread(unread, verb, report) }
    })
  }

function requireIdsOrAll(args: readonly string[], flags: FlagValues, verb: string): void {
  const isAll = flags['all'] === true
  if (!isAll && args.length === 0)
    throw missingArgument('the id of an order', `swap order ${verb} <id...>, or --all`)
  if (isAll && args.length > 0)
    throw invalidRequest('--all takes no ids', '/all', {
      why: `${args.length} given beside it`,
      hint: `name the orders, or say --all: swap order ${verb} --all`,
    })
}

/** `swap order replace`. */
export const runReplace: Run = (context, args, flags) =>
  signOrders(context, ['replace', ...args], flags, async () => ({
    drafts: [await replaceDraft(context, args, flags)],
  }))

/** Messages that close orders, and pairs whose orders could not be read. */
type Closing = {
  readonly drafts: readonly OrderDraft[]
  readonly unread: MarketOrders['unread']
}

/**
 * One message for each pair that claims orders, or claims and cancels them.
 *
 * @param owner closes all orders of this account; `undefined`: those of the ids
 */
async function closingDrafts(
  context: Context,
  args: readonly string[],
  verb: 'claim' | 'cancel',
  owner: string | undefined,
): Promise<Closing> {
  const { market } = await context.app.openMarket()
  const { named, unread } =
    owner === undefined
      ? { named: args.map((text) => orderNamed(context, market, text)), unread: [] }
      : await allOrders(context, market, owner, verb)
  const target = verb === 'cancel' ? 0n : undefined
  const drafts = [...new Set(named.map(({ pair }) => pair))].map((pair) => {
    const places = named.flatMap((each) => (each.pair === pair ? [each.place] : []))
    // An order may be named twice.
    const entries = new Map(places.map((place) => [placeKey(place), { ...place, target }]))
    return { pair, places: [], onlyCloses: true, entries: () => [...entries.values()] }
  })
  return { drafts, unread }
}

/**
 * Every order with something to claim or cancel, all at one height.
 *
 * @throws SwapError ORDER_REFUSED if there is none, UPSTREAM_INVALID_DATA if not all could be read
 */
async function allOrders(
  context: Context,
  market: Market,
  owner: string,
  verb: 'claim' | 'cancel',
): Promise<Pick<Closing, 'unread'> & { readonly named: readonly Omit<NamedOrder, 'id'>[] }> {
  const contracts = await requireContracts(context.app, 'orders')
  const { orders, unread } = await readMarketOrders(contracts, market, owner)
  if (unread.length > 0) context.out.note(`${unreadText(unread)}, and are left as they are`)
  const isMeant = ({ filled, remaining }: RestingOrder, paid: bigint) =>
    verb === 'claim' ? paid > 0n : remaining > 0n || filled > 0n
  const meant = orders.filter(({ pair, order }) =>
    isMeant(order, claimOf(pair.makerFee, order.filled).paid),
  )
  if (meant.length === 0 && unread.length > 0)
    throw ordersUnread(unread, `swap order ${verb} --all`)
  if (meant.length === 0)
    throw orderRefused({
      refused: verb === 'claim' ? 'nothing_to_claim' : 'nothing_to_cancel',
      why: `at block ${market.height} the account has ${counted(orders.length, 'order')}, and nothing to ${verb}`,
    })
  const named = meant.map(({ pair, order }) => ({
    pair: pair.address,
    place: { side: order.side, price: order.price },
  }))
  return { named, unread }
}

/** The error after closing all orders except those of unreadable pairs. */
function leftUnread(
  unread: Closing['unread'],
  verb: 'claim' | 'cancel',
  { id, status, txs, ...report }: Report,
): SwapError {
  const tx = txs.at(-1)
  return new SwapError('PARTIALLY_EXECUTED', `the others are done, but ${unreadText(unread)}`, {
    ...unreadFacts(unread, `swap order ${verb} --all`),
    members: {
      id,
      state: status,
      tx_hash: tx?.hash ?? null,
      cause: 'UPSTREAM_INVALID_DATA',
      unread,
      ...('orders' in report && { orders: report.orders as unknown as Json }),
    },
  })
}

/** `swap order replace`: cancels an order and offers its remainder at another price, in one message. */
async function replaceDraft(
  context: Context,
  [text = '']: readonly string[],
  flags: FlagValues,
): Promise<OrderDraft> {
  const { market } = await context.app.openMarket()
  const { pair, place } = orderNamed(context, market, text)
  const names = namesOf(marketNaming(market, context.config), context.out.noteStyle)
  const words = { pair: requireBook(market, pair).state.pair, names }
  const price = priceOf(words, flags, 'replace')
  const next: OrderPlace = { side: place.side, price }
  if (placeKey(next) === placeKey(place))
    throw orderRefused({ refused: 'nothing_added', why: 'the order has this price already' })
  return {
    pair,
    places: [next],
    maxCrossBps: maxCrossFlag.read(flags),
    showPrice: showPriceOf(words),
    entries(_, owner) {
      const rests = orderAt(place, owner)?.remaining ?? 0n
      if (rests === 0n)
        throw orderRefused({ refused: 'nothing_to_cancel', why: `nothing rests of ${quote(text)}` })
      return [{ ...place, target: 0n }, entryAddedTo(next, rests, owner)]
    },
  }
}
