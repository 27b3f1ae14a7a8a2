import { entryAddedTo } from '../../src/cli/commands/order/place.js'
import { parseDecimal } from '../../src/engine/math/decimal.js'
import { type OrderPlace, placeKey } from '../../src/engine/orders/order-price.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import type { OrderTask, SigningTerms } from '../../src/execution/task.js'
import { type OrderDraft, planOrders } from '../../src/operations/orders/order-preview.js'
import { rune, type Stage, usdc } from './stage.js'

/** A task of some drafts, for the account of a stage. */
export const orderTask = (
  { account, contracts }: Stage,
  drafts: readonly OrderDraft[],
  terms: SigningTerms,
): OrderTask => ({
  account,
  terms,
  count: drafts.length,
  plan: (market, indexes) =>
    planOrders(
      {
        openMarket: async () => ({ market, graph: graphOf(market) }),
        contracts: async () => contracts,
      },
      account.address,
      indexes.map((i) => drafts[i]!),
    ),
})

/** The pair of two tokens. */
export async function pairOf({ chain }: Stage, base: string, quote: string): Promise<string> {
  const { books } = await chain.market()
  for (const [address, { state }] of books)
    if (state.pair.base === base && state.pair.quote === quote) return address
  throw new Error(`no pair of ${base} and ${quote}`)
}

const bid = (price: string): OrderPlace => ({ side: 'bid', price: { fixed: parseDecimal(price)! } })

/** An order that adds an amount of USDC to the bid at a price of RUNE. */
export async function buyTask(
  at: Stage,
  price: string,
  amount: bigint,
  terms: SigningTerms,
): Promise<OrderTask> {
  const place = bid(price)
  const draft: OrderDraft = {
    pair: await pairOf(at, rune, usdc),
    places: [place],
    entries: (_, owner) => [entryAddedTo(place, amount, owner)],
  }
  return orderTask(at, [draft], terms)
}

/** What rests of the account's bid at a price of RUNE, in USDC. */
export async function resting(at: Stage, price: string): Promise<bigint> {
  const pair = await pairOf(at, rune, usdc)
  const question = { pair, owner: at.account.address }
  const [result] = await at.contracts.ownerOrders([question], at.real.height)
  if (result?.kind !== 'answered') throw new Error('the orders cannot be read')
  const place = placeKey(bid(price))
  return result.orders.orders.find((order) => placeKey(order) === place)?.remaining ?? 0n
}
