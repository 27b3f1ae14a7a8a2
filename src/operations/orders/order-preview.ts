import { type ErrorCode, SwapError } from '../../engine/errors.js'
import type { Book } from '../../engine/market/book.js'
import { type Market, prefixOf } from '../../engine/market/market.js'
import type { Pair } from '../../engine/market/pair.js'
import type { Coin } from '../../engine/market/token.js'
import { type Decimal, decimal, formatDecimal, ONE } from '../../engine/math/decimal.js'
import { over } from '../../engine/math/rational.js'
import type { EntryPreview } from '../../engine/orders/order-entry.js'
import { isOrderFailure } from '../../engine/orders/order-failure.js'
import type { OwnerOrders } from '../../engine/orders/order-ledger.js'
import { type OrderEntry, orderMessage } from '../../engine/orders/order-message.js'
import type { OrderPlace } from '../../engine/orders/order-price.js'
import { type OrderPlan, type OrderRules, planOrder } from '../../engine/orders/review-order.js'
import { formatCoin } from '../amount.js'
import { contractsOf, type OperationContext, requireContracts } from '../context.js'
import { coinDocument, marketHead } from '../document-parts.js'
import { requireAddress, requireBook } from '../names.js'
import { route } from '../route/route.js'
import type { SlippageChoice } from '../slippage/slippage-documents.js'
import { worthIn } from '../worth.js'
import { closingBook, onlyCloses } from './closing-book.js'
import { orderDocument, placeDocument } from './order-documents.js'
import {
  entriesOf,
  fundsOf,
  type OrderPreviewAnswer,
  type OrderPreviewRequest,
} from './order-preview-documents.js'
import { orderRefused } from './order-refused.js'
import { ordersUnread } from './read-orders.js'
import type { BookPrice } from './taker-price.js'

/** A reviewed message with its pair, at a height. */
export type PlannedOrder = {
  readonly market: Market
  readonly pair: Pair
  /** The owner's state on the pair before the message. */
  readonly owner: OwnerOrders
  readonly plan: OrderPlan
}

/** An order message that is not yet bound to the state of its pair and owner. */
export type OrderDraft = {
  readonly pair: string
  /** Places of all entries, whose orders and pools the preview needs. */
  readonly places: readonly OrderPlace[]
  /** The coins to send; by default those that the message needs. */
  readonly funds?: readonly Coin[] | undefined
  readonly maxCrossBps?: number | undefined
  readonly showPrice?: OrderRules['showPrice']
  /** Whether an order that would partly rest is refused. */
  readonly fillOrKill?: boolean
  /** The book that an immediate order is priced by, where no price is given. */
  readonly pricedBy?: BookPrice | undefined
  /** How the price of an immediate order was chosen. */
  readonly slippage?: SlippageChoice | undefined
  /** Whether it only claims and cancels, for which the pair needs no readable book. */
  readonly onlyCloses?: boolean
  /** Builds the entries for a book; `owner` has the orders and, if needed, the oracle price. */
  entries(book: Book, owner: OwnerOrders): readonly OrderEntry[]
}

/**
 * Reviews order messages of an account and previews each of them on the context's market. Nothing is signed
 * or sent.
 *
 * @param address `undefined`: an account without orders
 * @throws SwapError ORDER_REFUSED if a message would be refused or have no effect, INVALID_ADDRESS, NOT_FOUND,
 * MARKET_HALTED, UPSTREAM_INVALID_DATA if a pair could not be read, INVALID_REQUEST if there is no chain
 */
export async function planOrders(
  context: OperationContext,
  address: string | undefined,
  drafts: readonly OrderDraft[],
): Promise<readonly PlannedOrder[]> {
  const { market } = await context.openMarket()
  await requireAddress(address, prefixOf(market.router.address), '/owner')
  const pairs = drafts.map((draft) => requirePair(market, draft))
  const owners = await readOwners(context, market, address, drafts, pairs)
  return drafts.map((draft, i) => {
    const pair = pairs[i]!
    const owner = owners[i]!
    const book = market.books.get(pair.address) ?? closingBook(pair)
    const { maxCrossBps, funds, showPrice, fillOrKill = false } = draft
    const priceElsewhere = maxCrossBps === undefined ? undefined : priceByWorth(market, pair)
    const plan = planOrder(book, owner, draft.entries(book, owner), {
      maxCrossBps,
      priceElsewhere,
      funds,
      showPrice,
    })
    if (isOrderFailure(plan)) throw orderRefused(plan)
    if (fillOrKill) requireFilled(market, pair, plan)
    return { market, pair, owner, plan }
  })
}

/**
 * The price of a pair (quote per base) by the mid prices of its tokens in dollars, rounded down; `undefined` without
 * them. A book with an empty side does not count in those.
 */
function priceByWorth(market: Market, { base, quote }: Pair): Decimal | undefined {
  const worthOf = worthIn(market)
  const [ofBase, ofQuote] = [base, quote].map((denom) => worthOf({ denom, amount: 1n }))
  if (ofBase === undefined || ofQuote === undefined || ofQuote.numerator === 0n) return undefined
  const { numerator, denominator } = over(ofBase, ofQuote)
  const price = (numerator * ONE) / denominator
  return price === 0n ? undefined : decimal(price)
}

/** A pair with a book, or one without whose orders can be closed. */
function requirePair(
  market: Market,
  { pair, onlyCloses: closes }: Pick<OrderDraft, 'pair' | 'onlyCloses'>,
): Pair {
  const excluded = closes && market.excluded.find(({ address }) => address === pair)
  if (!excluded || excluded.status === 'halted') return requireBook(market, pair).state.pair
  if (excluded.pair !== undefined) return excluded.pair
  throw ordersUnread([{ address: pair, reason: excluded.reason }])
}

/** @throws SwapError ORDER_REFUSED if an order of the message would not be taken completely */
function requireFilled(market: Market, { base, quote }: Pair, { preview }: OrderPlan): void {
  const shortEntry = preview.entries.find(
    ({ entry, taken }) => (entry.target ?? 0n) > taken.offered,
  )
  if (shortEntry === undefined) return
  const { entry, taken } = shortEntry
  const sold = (amount: bigint) => formatCoin(market, entry.side === 'ask' ? base : quote, amount)
  throw orderRefused({
    refused: 'not_filled',
    why: `the book takes ${sold(taken.offered)} of ${sold(entry.target ?? 0n)} up to this price`,
  })
}

/** The effects of an order message, beside the router's output for what is taken at once. */
export async function orderPreview(
  context: OperationContext,
  request: OrderPreviewRequest,
): Promise<OrderPreviewAnswer> {
  const { market } = await context.openMarket()
  const draft = draftOf(request, tickOf(market, request.pair))
  const [planned] = await planOrders(context, request.owner, [draft])
  return previewDocument(context, planned!, request.owner)
}

/** The tick of a pair, with a book or without. @throws SwapError NOT_FOUND, MARKET_HALTED, UPSTREAM_INVALID_DATA */
export const tickOf = (market: Market, address: string): number =>
  requirePair(market, { pair: address, onlyCloses: true }).tick

/**
 * The message of a request, on a pair with this tick.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT, ORDER_REFUSED
 */
export function draftOf(request: OrderPreviewRequest, tick: number): OrderDraft {
  return {
    ...fixedDraft(request.pair, entriesOf(request, tick), fundsOf(request)),
    maxCrossBps: request.max_cross_bps,
  }
}

/** A message whose entries do not depend on the state of the pair. */
export const fixedDraft = (
  pair: string,
  entries: readonly OrderEntry[],
  funds?: readonly Coin[],
): OrderDraft => ({
  pair,
  places: entries,
  funds,
  entries: () => entries,
  onlyCloses: onlyCloses(entries),
})

/** A planned message as a document. */
export async function previewDocument(
  context: OperationContext,
  { market, pair, plan: { preview, notices, entries } }: PlannedOrder,
  owner: string | undefined,
): Promise<OrderPreviewAnswer> {
  return {
    ...marketHead(market),
    pair: pair.address,
    base: pair.base,
    quote: pair.quote,
    owner: owner ?? null,
    notices,
    entries: preview.entries.map((entry) => effectDocument(pair, entry)),
    funds: preview.funds.map(coinDocument),
    paid: preview.paid.map(coinDocument),
    maker_fees: preview.makerFees.map(coinDocument),
    orders: preview.orders.map((order) => orderDocument(pair, order)),
    exact: preview.exact,
    router: await routerComparison(context, preview.entries),
    tx: { contract: pair.address, msg: orderMessage(entries) },
  }
}

/**
 * Without an owner no orders are read; oracle prices and idle pools are only if there is a chain and one of the
 * pairs has oracles.
 */
async function readOwners(
  context: OperationContext,
  market: Market,
  address: string | undefined,
  drafts: readonly OrderDraft[],
  pairs: readonly Pair[],
): Promise<readonly OwnerOrders[]> {
  const hasOracles = pairs.some(({ oracles }) => oracles !== null)
  if (address === undefined && (contractsOf(context) === undefined || !hasOracles))
    return drafts.map(() => ({ orders: [] }))
  const contracts = await requireContracts(context, 'the orders of an account')
  const questions = drafts.map(({ pair, places }, i) => ({
    pair,
    // The oracle price can be queried with any account: the pair's own has no orders.
    owner: address ?? pair,
    preview: {
      places: places.map(({ side, price }) => ({ side, price })),
      oracles: pairs[i]!.oracles,
    },
  }))
  const results = await contracts.ownerOrders(questions, market.height)
  return drafts.map(({ pair }, i) => {
    const result = results[i]
    if (result?.kind === 'answered') return result.orders
    throw ordersUnread([{ address: pair, reason: result?.why ?? 'there is no answer' }])
  })
}

const effectDocument = (pair: Pair, preview: EntryPreview): OrderPreviewAnswer['entries'][0] => {
  const { entry, given, wanted, claimed, taken } = preview
  const { offered, gross, fee, received } = taken
  return {
    ...placeDocument(pair, entry),
    target: entry.target === undefined ? null : `${entry.target}`,
    offer_denom: given,
    receive_denom: wanted,
    claimed: { filled: `${claimed.filled}`, fee: `${claimed.fee}`, paid: `${claimed.paid}` },
    taken: {
      offered: `${offered}`,
      gross: `${gross}`,
      fee: `${fee}`,
      received: `${received}`,
      levels: taken.levels.map((level) => ({
        rate: formatDecimal(level.rate),
        offered: `${level.offered}`,
        received: `${level.received}`,
      })),
    },
    added: `${preview.added}`,
    returned: `${preview.returned}`,
    rests: `${preview.rests}`,
  }
}

/** Without a route there is nothing to compare with. Other errors, such as those of the chain, leave it unknown. */
const WITHOUT_ROUTE: readonly ErrorCode[] = [
  'NO_ROUTE',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_TOO_SMALL',
]

/**
 * The best route for what the entries of one side take together; `null` if none or both sides take, or there is
 * no route.
 *
 * @throws SwapError the chain's, if the route has to be confirmed
 */
async function routerComparison(
  context: OperationContext,
  entries: readonly EntryPreview[],
): Promise<OrderPreviewAnswer['router']> {
  const taking = entries.filter(({ taken }) => taken.offered > 0n)
  const [first] = taking
  if (first === undefined || taking.some(({ given }) => given !== first.given)) return null
  const sum = (of: (taken: EntryPreview['taken']) => bigint) =>
    taking.reduce((total, { taken }) => total + of(taken), 0n)
  const input = { denom: first.given, amount: `${sum(({ offered }) => offered)}` }
  try {
    const { routes } = await route(context, { input, output: { denom: first.wanted }, limit: 1 })
    const [best] = routes
    if (best === undefined) return null
    return {
      input,
      output: { denom: first.wanted, amount: best.expected_output },
      received: `${sum(({ received }) => received)}`,
      exact: best.exact,
    }
  } catch (error) {
    if (error instanceof SwapError && WITHOUT_ROUTE.includes(error.code)) return null
    throw error
  }
}
