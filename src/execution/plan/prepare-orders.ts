import { SwapError } from '../../engine/errors.js'
import { orderGas, transactionGas } from '../../engine/market/gas.js'
import type { Market } from '../../engine/market/market.js'
import { addCoin, type Coin, coinsOf, sumsOf } from '../../engine/market/token.js'
import { orderMessage } from '../../engine/orders/order-message.js'
import { orderId } from '../../engine/orders/order-price.js'
import type { OrderPreview } from '../../engine/orders/preview-order.js'
import { stagesIn } from '../../engine/routing/message.js'
import { coinDocument } from '../../operations/document-parts.js'
import { onlyCloses } from '../../operations/orders/closing-book.js'
import type { PlannedOrder } from '../../operations/orders/order-preview.js'
import type { BookPrice } from '../../operations/orders/taker-price.js'
import { GasLimitExceeded, simulationFailed } from '../failures.js'
import { throwIfInterrupted } from '../interrupted.js'
import type { OrderRecord } from '../journal/intent.js'
import type { Session } from '../session.js'
import { messagesOf, type OrderTask } from '../task.js'
import { requireAgreement, type SimulatedCalls } from './agreement.js'
import { type BuiltTx, build, type TxCalls } from './build.js'
import { expectedOrders } from './compare.js'
import { type PreparedTx, requireLimits, signedContent, type TaskRecords } from './prepared.js'
import { type DecodedOrder, decodedOrders, type OrderView } from './signing-view.js'
import { countedMicroUsd, soldMicroUsd } from './sold-worth.js'

/**
 * Reviews, previews, builds, simulates and decodes order messages. In mode `legs`, if all of them need more gas than
 * the network allows, the transaction holds as many as fit. Nothing is signed or confirmed.
 *
 * Simulations are compared only where a price comes from a book: a given price bounds the cost of a wrong answer.
 *
 * @param left indexes of the messages that remain; all by default
 */
export async function prepareOrders(
  session: Session,
  task: OrderTask,
  left: readonly number[] = messagesOf(task),
): Promise<PreparedTx<OrderView>> {
  const { chain, progress } = session
  const { account } = task
  const market = await chain.market()
  throwIfInterrupted(session)
  if (task.pricedBy) await requireAgreement(session, comparedOrder(task.pricedBy), task.terms)
  const planned = await task.plan(market, left)
  await requireAgreement(session, comparedTokens(market, planned), task.terms)
  progress({ stage: 'quoted', height: market.height })
  const worthOf = (orders: readonly PlannedOrder[]) =>
    soldMicroUsd(
      market,
      orders.flatMap(({ plan }) => offeredCoins(plan.preview)),
    )
  const worthMicroUsd = await worthOf(planned)
  requireLimits(session, task, { worth: worthMicroUsd, market })
  throwIfInterrupted(session)
  const { built, count } = await buildMost(session, task, planned)
  if (built.gasUsed !== undefined) progress({ stage: 'simulated', gas: `${built.gasUsed}` })
  progress({ stage: 'built', sequence: `${built.decoded.sequence}` })
  throwIfInterrupted(session)
  const common = { market, built, worthMicroUsd }
  const now = planned.slice(0, count)
  const txWorth = count === planned.length ? worthMicroUsd : await worthOf(now)
  return {
    ...common,
    txMicroUsd: async (fee) =>
      now.every(({ plan }) => onlyCloses(plan.entries))
        ? txWorth
        : countedMicroUsd(market, txWorth, fee),
    indexes: now.map((_, i) => i),
    records: orderRecords(
      account.address,
      planned.map(({ pair: { address: pair }, plan: { entries, preview } }) =>
        orderRecord({ pair, entries, funds: preview.funds }, preview),
      ),
    ),
    view: {
      ...signedContent(session, account.name, common),
      kind: 'order',
      messages: decodedOrders(built.decoded).map((decoded, i) => ({ decoded, planned: now[i]! })),
      later: planned.length - count,
    },
    async recheck(newer) {
      const again = await task.plan(newer, left.slice(0, count))
      if (callsText(again) !== callsText(now)) throw marketMoved(newer.height)
    },
  }
}

/** The router's swap of the offer over the pair alone. */
const comparedOrder = ({ market, pair, offer, output, slippageBps }: BookPrice): SimulatedCalls => {
  const { address: contract, dialect } = market.router
  const hop = { address: pair, offered: offer.denom, produced: output }
  return {
    what: 'order',
    market,
    denoms: [],
    toleranceBps: slippageBps,
    questions: [{ contract, funds: offer, output, stages: stagesIn(dialect, [hop]) }],
  }
}

/** The tokens whose units amounts and prices of new orders are typed in. */
const comparedTokens = (market: Market, planned: readonly PlannedOrder[]): SimulatedCalls => ({
  what: 'order',
  market,
  questions: [],
  toleranceBps: 0,
  denoms: planned
    .filter(({ plan }) => !onlyCloses(plan.entries))
    .flatMap(({ pair: { base, quote } }) => [base, quote]),
})

/** Builds a transaction of as many messages as fit the network's gas limit, halving their number. */
async function buildMost(
  { chain }: Session,
  task: OrderTask,
  planned: readonly PlannedOrder[],
): Promise<{ readonly built: BuiltTx; readonly count: number }> {
  for (let count = planned.length; ; count = Math.ceil(count / 2))
    try {
      return { built: await build(chain, task, workOf(planned.slice(0, count))), count }
    } catch (error) {
      const canHalve = task.terms.mode === 'legs' && count > 1
      if (!(error instanceof GasLimitExceeded) || !canHalve) throw error
    }
}

function workOf(planned: readonly PlannedOrder[]): TxCalls {
  const [{ market, pair }] = planned as [PlannedOrder]
  return {
    market,
    action: 'order',
    calls: planned.map(({ pair: { address }, plan }) => ({
      contract: address,
      message: orderMessage(plan.entries),
      funds: plan.preview.funds,
    })),
    expected: expectedOrders(planned),
    gas: transactionGas(
      market.gas,
      planned.map(({ plan }) => orderGas(market.gas, plan.entries.length)),
    ),
    simulationFailed: (why) => simulationFailed(why, 'order', planned.length, pair.address),
  }
}

/** Messages and coins, which identify the transaction of a plan. */
const callsText = (planned: readonly PlannedOrder[]): string =>
  JSON.stringify(
    expectedOrders(planned).map((call) => ({ ...call, funds: call.funds.map(coinDocument) })),
  )

const marketMoved = (height: number): SwapError =>
  new SwapError('QUOTE_EXPIRED', 'the market or your orders changed, so nothing was signed', {
    why: `at block ${height} the same orders need another message than the one that was shown`,
    hint: 'run the command again',
    members: { height },
  })

/** The members of an intent that is of order messages. */
export const orderRecords = (owner: string, orders: readonly OrderRecord[]): TaskRecords => ({
  contract: orders[0]!.pair,
  recipient: owner,
  affiliate: null,
  slippage_bps: null,
  legs: [],
  orders,
})

/** An order message as the journal stores it; bytes signed elsewhere have no preview. */
export const orderRecord = (
  { pair, entries, funds }: DecodedOrder,
  preview?: OrderPreview,
): OrderRecord => ({
  pair,
  entries: entries.map(({ target, ...place }, i) => ({
    id: orderId(pair, place),
    target: target === undefined ? null : `${target}`,
    rests: preview === undefined ? null : `${preview.entries[i]!.rests}`,
    ...(preview && { claimed: `${preview.entries[i]!.claimed.paid}` }),
  })),
  funds: funds.map(coinDocument),
  expected: preview?.paid.map(coinDocument) ?? null,
})

/**
 * The coins that an order message newly offers: what its entries take from the book at once and add to it, including
 * amounts that cancelled orders pay for. At least the coins sent, since the part that is returned depends on the
 * resting orders at execution.
 */
export function offeredCoins({
  entries,
  funds,
}: Pick<OrderPreview, 'entries' | 'funds'>): readonly Coin[] {
  const offered = sumsOf([])
  for (const { given, taken, added } of entries) addCoin(offered, given, taken.offered + added)
  for (const { denom, amount } of funds)
    if (amount > (offered.get(denom) ?? 0n)) offered.set(denom, amount)
  return coinsOf(offered)
}
