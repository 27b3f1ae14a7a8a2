import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Excluded } from '../../../src/engine/market/market.js'
import type { RestingOrder } from '../../../src/engine/orders/resting-order.js'
import type { Contracts, OrdersResult } from '../../../src/operations/chain-port.js'
import { orderDocument } from '../../../src/operations/orders/order-documents.js'
import { ordersUnread, readMarketOrders } from '../../../src/operations/orders/read-orders.js'
import { documentOf, marketOf, pairOf } from '../../support/markets.js'
import { must } from '../../support/matching.js'

const { market } = marketOf(documentOf([pairOf(['p', 'a', 'b'], {})]))
const excluded: readonly Excluded[] = [
  { address: 'retired', status: 'retired', reason: 'it is retired', isRetired: true },
  { address: 'unknown', status: 'unreadable', reason: 'its config cannot be read' },
]
const withExcluded = { ...market, excluded }

const order: RestingOrder = {
  side: 'ask',
  price: { fixed: must('1') },
  rate: must('1'),
  updatedAt: 1_700_000_000_123_456_789n,
  offered: 9n,
  remaining: 7n,
  filled: 2n,
}
const answered = (...orders: readonly RestingOrder[]): OrdersResult => ({
  kind: 'answered',
  orders: { orders },
})
const silent: OrdersResult = { kind: 'refused', why: 'it is paused' }

/** What is read of each pair, where every pair answers this. */
const readOf = (result: OrdersResult, address?: string) => {
  const ownerOrders = async (questions: readonly object[]) => questions.map(() => result)
  const contracts = { ownerOrders } as unknown as Contracts
  return readMarketOrders(contracts, withExcluded, 'owner', address)
}

describe('the orders of an account on pairs', () => {
  test('are unread on an excluded pair only where it has orders, or does not answer and is not retired', async () => {
    assert.deepEqual(await readOf(answered()), { orders: [], unread: [] })
    const { orders, unread } = await readOf(answered(order))
    assert.deepEqual(
      orders.map(({ pair }) => pair.address),
      ['p'],
    )
    const reason = 'it has 1 order, and its denoms and fees are not known'
    assert.deepEqual(unread, [
      { address: 'retired', reason },
      { address: 'unknown', reason },
    ])
    const paused = await readOf(silent)
    assert.deepEqual(
      paused.unread.map(({ address }) => address),
      ['p', 'unknown'],
    )
  })

  test('are unread on a retired pair that is named and does not answer', async () => {
    const { unread } = await readOf(silent, 'retired')
    assert.deepEqual(unread, [{ address: 'retired', reason: 'it is paused' }])
    const error = ordersUnread(unread, 'swap order list')
    assert.match(
      `${error.why} ${error.hint}`,
      /^retired: it is paused .*a moment, swap order list$/,
    )
  })

  test('are refused for an address that is not a pair of the market', async () => {
    await assert.rejects(readOf(answered(), 'nowhere'), { code: 'NOT_FOUND' })
  })
})

describe('the document of an order', () => {
  const documentWith = (change: Partial<RestingOrder>) =>
    orderDocument(market.books.get('p')!.state.pair, { ...order, ...change })

  test('has its time in milliseconds, and null where the pair reports none', () => {
    assert.equal(documentWith({}).updated_at, '2023-11-14T22:13:20.123Z')
    for (const updatedAt of [0n, 10n ** 30n])
      assert.equal(documentWith({ updatedAt }).updated_at, null)
  })

  test('has the rate of this height, and null without an oracle price', () => {
    assert.equal(documentWith({ rate: must('2') }).rate, '2')
    assert.equal(documentWith({ rate: undefined }).rate, null)
  })
})
