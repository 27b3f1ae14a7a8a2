import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decodeOrder, decodeOrders } from '../../../src/chain/queries/order.js'
import { compileBook } from '../../../src/engine/market/book.js'
import { drainedSum, liveGroup, takeGroup } from '../../../src/engine/market/group.js'
import { priceLevels } from '../../../src/engine/market/price-levels.js'
import { finRules } from '../../../src/engine/market/venues/fin-rules.js'
import { endShare, FRESH_POOL } from '../../../src/engine/market/venues/resting-pool.js'
import { formatDecimal } from '../../../src/engine/math/decimal.js'
import { claimOf } from '../../../src/engine/orders/order-entry.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import {
  type OrderEntry,
  orderMessage,
  WIRE_SIDES,
} from '../../../src/engine/orders/order-message.js'
import { type OrderPrice, oracleRate } from '../../../src/engine/orders/order-price.js'
import { previewOrder } from '../../../src/engine/orders/preview-order.js'
import type { RestingOrder } from '../../../src/engine/orders/resting-order.js'
import { statusOf } from '../../../src/engine/orders/resting-order.js'
import { rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import { pairOf, pool, stateWith } from '../../support/books.js'
import { must } from '../../support/matching.js'
import { readJson } from '../../support/vectors.js'

type WireEntry = readonly [
  side: 'base' | 'quote',
  price: { readonly fixed: string } | { readonly oracle: number },
  target: string | null,
]
type Message = { readonly order: readonly [readonly WireEntry[], null] }
type OrdersAnswer = { readonly orders: readonly { readonly owner: string }[] }

const recorded = readJson<{
  queries: { orders: OrdersAnswer; order: { owner: string }; maker10: OrdersAnswer }
  messages: readonly {
    readonly name: string
    readonly fin_version: string
    readonly owner: string
    readonly message: Message
    readonly sent: readonly string[]
    readonly paid: readonly string[]
    readonly events: readonly Readonly<Record<string, string>>[]
  }[]
  claim: {
    msg: Message
    fee_maker: string
    events: { withdraw: string; paid: string; fee: string }
  }
}>('orders.json')

const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

const entriesOf = ({ order: [entries] }: Message): readonly OrderEntry[] =>
  entries.map(([side, price, target]) => ({
    side: side === 'base' ? 'ask' : 'bid',
    price: 'fixed' in price ? { fixed: must(price.fixed) } : { bps: price.oracle },
    target: target === null ? undefined : BigInt(target),
  }))

const priceOf = (price: OrderPrice): string =>
  'fixed' in price ? `fixed:${formatDecimal(price.fixed)}` : `oracle:${price.bps}`

const coins = (list: readonly { readonly denom: string; readonly amount: bigint }[]) =>
  list.map(({ denom, amount }) => `${amount}${denom}`).join(',')

/** The recorded orders at rest before a message, from the query that was recorded after the placement. */
const resting = (): readonly RestingOrder[] => {
  const { owner } = recorded.queries.order
  return decodeOrders(owner)(rootCursor(recorded.queries.orders))
}

describe('recorded order messages', () => {
  for (const { name, fin_version, message, sent, paid, events } of recorded.messages)
    test(`spend and pay what the preview says, with the same message: ${name}`, () => {
      const entries = entriesOf(message)
      assert.deepEqual(orderMessage(entries), message)
      const orders = name.endsWith('retract') ? resting() : []
      const pools = (side: 'ask' | 'bid') =>
        orders
          .filter((order) => order.side === side)
          .map(({ rate, remaining }) => pool(formatDecimal(rate!), remaining))
      const pair = pairOf({ base: 'rune', quote: USDC, version: fin_version })
      const state = stateWith({ pair, ask: pools('ask'), bid: pools('bid') })
      const preview = previewOrder(compileBook(state), { orders }, entries)
      assert.ok(!isOrderFailure(preview))
      assert.equal(coins(preview.funds), sent.join(','))
      assert.equal(coins(preview.paid), paid.join(','))
      assert.deepEqual(
        preview.entries.map(({ entry, rests, returned }) => ({
          side: WIRE_SIDES[entry.side],
          price: priceOf(entry.price),
          amount: `${returned > 0n ? returned : rests}`,
        })),
        events.map(({ side, price, offer, amount }) => ({ side, price, amount: offer ?? amount })),
      )
    })

  test('a claim on mainnet pays the fills less the maker fee, rounded up', () => {
    const { msg, events, fee_maker } = recorded.claim
    const [entry] = entriesOf(msg)
    const filled = BigInt(events.withdraw)
    assert.deepEqual(claimOf(must(fee_maker), filled), {
      filled,
      fee: BigInt(events.fee),
      paid: BigInt(events.paid),
    })
    const pair = pairOf({ makerFee: must(fee_maker), oracles: [{}, {}] })
    const order: RestingOrder = {
      side: 'bid',
      price: entry!.price,
      rate: undefined,
      updatedAt: 0n,
      offered: 5000n,
      remaining: 0n,
      filled,
    }
    const preview = previewOrder(compileBook(stateWith({ pair })), { orders: [order] }, [entry!])
    assert.ok(!isOrderFailure(preview))
    assert.deepEqual(orderMessage([entry!]), msg)
    assert.equal(coins(preview.paid), `${events.paid}base`)
    assert.equal(coins(preview.makerFees), `${events.fee}base`)
    assert.deepEqual([preview.orders, preview.exact], [[], true])
    assert.equal(oracleRate(must('1'), -10), must('0.999'))
  })
})

describe('recorded answers of orders', () => {
  test('are read with their rates, amounts and status', () => {
    const { maker10, order } = recorded.queries
    assert.deepEqual(resting().map(statusOf), ['open', 'open'])
    const filled = decodeOrders(maker10.orders[0]!.owner)(rootCursor(maker10))
    assert.deepEqual(filled.map(statusOf), ['filled', 'filled', 'filled'])
    assert.equal(filled[0]!.filled, 1_121_681_100_197n)
    assert.deepEqual(decodeOrder(order.owner)(rootCursor(order)), resting()[1])
  })

  test('have the fills that an order’s share gives after the recorded trades', () => {
    const rows = [
      ['0.510781', 1_886_051_080_550n, [960_497_965_914n, 2_861_091_061n], 963_359_056_975n],
      [
        '0.509764',
        2_200_392_927_308n,
        [77_910_218_894n, 77_665_903_978n, 778_701_603_580n, 187_403_373_746n],
        1_121_681_100_197n,
      ],
    ] as const
    for (const [price, amount, buys, owed] of rows) {
      const group = priceLevels(stateWith({ ask: [pool(price, amount)] }), 'ask').next().value
      const live = liveGroup(group as Exclude<typeof group, boolean>)
      for (const buy of buys) takeGroup(finRules('1.0.0'), live, buy)
      const sum = drainedSum(live.pools[0]!)
      assert.ok(sum !== undefined)
      assert.equal(endShare({ amount, filled: 0n, ...FRESH_POOL }, sum).filled, owed)
    }
  })
})
