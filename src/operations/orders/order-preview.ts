import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Pair } from '../../engine/market/pair.js'
import { formatDecimal } from '../../engine/math/decimal.js'
import type { EntryPreview } from '../../engine/orders/order-entry.js'
import { isOrderFailure } from '../../engine/orders/order-failure.js'
import type { OwnerOrders } from '../../engine/orders/order-ledger.js'
import { type OrderEntry, orderMessage } from '../../engine/orders/order-message.js'
import { type OrderPlan, planOrder } from '../../engine/orders/review-order.js'
import type { OperationContext } from '../context.js'
import { requireAddress, requireBook } from '../names.js'
import { contractsOf, requireContracts } from '../require-chain.js'
import { route } from '../route/route.js'
import { coinDocument, marketHead } from '../route-document.js'
import { orderDocument, placeDocument } from './order-document.js'
import type { OrderPreviewAnswer } from './order-preview-answer.js'
import { entriesOf, fundsOf, type OrderPreviewRequest } from './order-preview-request.js'
import { orderRefused } from './order-refused.js'

export type { OrderPreviewAnswer } from './order-preview-answer.js'

/** A reviewed message with its pair, as of a height. */
export type PlannedOrder = {
  readonly market: Market
  readonly pair: Pair
  /** What the pair knew of the owner before the message. */
  readonly owner: OwnerOrders
  readonly plan: OrderPlan
}

/**
 * Reviews an order message and previews it on the market of the context. Signs and sends nothing.
 *
 * @throws SwapError ORDER_REFUSED where it would be refused or do nothing
 */
export async function planOrderOf(
  context: OperationContext,
  request: OrderPreviewRequest,
): Promise<PlannedOrder> {
  const { market } = await context.openMarket()
  await requireAddress(market, request.owner, '/owner')
  const book = requireBook(market, request.pair)
  const { pair } = book.state
  const entries = entriesOf(request, pair.tick)
  const owner = await ownerOrders(context, market, pair, request.owner, entries)
  const plan = planOrder(book, owner, entries, {
    maxCrossBps: request.max_cross_bps,
    funds: fundsOf(request),
  })
  if (isOrderFailure(plan)) throw orderRefused(plan)
  return { market, pair, owner, plan }
}

/** As `planOrderOf`, as a document, beside what the router pays for what is taken at once. */
export async function orderPreview(
  context: OperationContext,
  request: OrderPreviewRequest,
): Promise<OrderPreviewAnswer> {
  const planned = await planOrderOf(context, request)
  const { market, pair, plan } = planned
  const { preview, notices } = plan
  return {
    ...marketHead(market),
    ...{ pair: pair.address, base: pair.base, quote: pair.quote },
    owner: request.owner ?? null,
    notices,
    entries: preview.entries.map((entry) => effectDocument(pair, entry)),
    funds: preview.funds.map(coinDocument),
    paid: preview.paid.map(coinDocument),
    maker_fees: preview.makerFees.map(coinDocument),
    orders: preview.orders.map((order) => orderDocument(pair, order)),
    exact: preview.exact,
    router: await routerComparison(context, preview.entries),
    tx: { contract: pair.address, msg: orderMessage(plan.entries) },
  }
}

/** Without an owner none are read, but oracle prices and idle pools are, where there is a chain. */
async function ownerOrders(
  context: OperationContext,
  market: Market,
  pair: Pair,
  owner: string | undefined,
  entries: readonly OrderEntry[],
): Promise<OwnerOrders> {
  if (owner === undefined && (contractsOf(context) === undefined || pair.oracles === null))
    return { orders: [] }
  const contracts = await requireContracts(context, 'the orders of an account')
  const preview = {
    places: entries.map(({ side, price }) => ({ side, price })),
    oracles: pair.oracles,
  }
  // Any account will do for the oracle price: the pair's own has no orders.
  const question = { pair: pair.address, owner: owner ?? pair.address, preview }
  const [result] = await contracts.ownerOrders([question], market.height)
  if (result?.kind === 'answered') return result.orders
  throw new SwapError('UPSTREAM_INVALID_DATA', 'the orders of the account cannot be read', {
    why: result?.why ?? 'there is no answer',
    hint: 'ask again after a moment',
    members: { upstream: 'the chain', pair: pair.address },
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
      ...{ offered: `${offered}`, gross: `${gross}`, fee: `${fee}`, received: `${received}` },
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

/** The best route for what the entries of one side take together; of two sides there is none. */
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
    if (!(error instanceof SwapError)) throw error
    // No route takes this amount: there is nothing to compare with.
    return null
  }
}
