import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { RestingOrder } from '../../../src/engine/orders/resting-order.js'
import { planOrder } from '../../../src/engine/orders/review-order.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { closingBook, onlyCloses } from '../../../src/operations/orders/closing-book.js'
import { fixedDraft, planOrders } from '../../../src/operations/orders/order-preview.js'
import { pairOf } from '../../support/books.js'
import { must } from '../../support/matching.js'
import { restingOrder } from '../../support/orders.js'
import { smallMarket } from '../../support/small-market.js'

const pair = {
  ...pairOf({ version: '1.1.0', makerFee: must('0.1') }),
  oracles: ['a', 'b'] as const,
}

/** An account of the market, and the sum and product of a pool of which a half was sold since it began. */
const OWNER = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'
const HALVED = { sum: { mantissa: 5n, scale: 2 }, product: { mantissa: 5n, scale: 1 } }

const oracle: RestingOrder = {
  side: 'ask',
  price: { bps: 25 },
  rate: undefined,
  updatedAt: 0n,
  offered: 70n,
  remaining: 70n,
  filled: 0n,
}

function closed(orders: readonly RestingOrder[], target: bigint | undefined) {
  const entries = orders.map(({ side, price }) => ({ side, price, target }))
  const plan = planOrder(closingBook(pair), { orders }, entries)
  assert.ok(!isOrderFailure(plan), isOrderFailure(plan) ? plan.why : '')
  return plan.preview
}

describe('the preview of a message to a pair without a readable book', () => {
  test('returns what rests and pays what is filled, and is an estimate', () => {
    const { paid, exact, orders } = closed([restingOrder('bid', '9', 900n, 50n)], 0n)
    assert.deepEqual(paid, [
      { denom: 'base', amount: 45n },
      { denom: 'quote', amount: 900n },
    ])
    assert.deepEqual([exact, orders], [false, []])
  })
  test('claims without cancelling', () => {
    const { paid, orders } = closed([restingOrder('ask', '9', 100n, 50n)], undefined)
    assert.deepEqual(paid, [{ denom: 'quote', amount: 45n }])
    assert.equal(orders[0]?.remaining, 100n)
  })
  test('does not match orders of the account with each other', () => {
    const { paid } = closed([restingOrder('ask', '9', 100n), restingOrder('bid', '10', 900n)], 0n)
    assert.deepEqual(paid, [
      { denom: 'base', amount: 100n },
      { denom: 'quote', amount: 900n },
    ])
  })
  test('cancels an oracle order whose price is not known', () => {
    assert.deepEqual(closed([oracle, restingOrder('ask', '9', 30n)], 0n).paid, [
      { denom: 'base', amount: 100n },
    ])
  })
})

test('an order that was filled in part is closed by what is left of it, and not by its share', async () => {
  const share = { amount: 900n, filled: 0n, ...HALVED }
  const order = { ...restingOrder('bid', '9', 900n), remaining: 450n, filled: 50n, share }
  const excluded = { address: pair.address, pair, status: 'unreadable', reason: 'no book' }
  const empty = smallMarket({}, { dialect: 'forward' })
  const market = { ...empty, router: { ...empty.router, address: OWNER }, excluded: [excluded] }
  const place = { side: order.side, price: order.price }
  const app = {
    openMarket: async () => ({ market, graph: graphOf(market) }),
    contracts: async () => ({
      ownerOrders: async () => [{ kind: 'answered', orders: { orders: [order] } }],
    }),
  } as never
  const draft = fixedDraft(pair.address, [{ ...place, target: 0n }])
  const [planned] = await planOrders(app, OWNER, [draft])
  assert.deepEqual(planned?.plan.preview.paid, [
    { denom: 'base', amount: 45n },
    { denom: 'quote', amount: 450n },
  ])
})

test('entries that place something need a book', () => {
  const place = { side: 'ask', price: { fixed: must('9') } } as const
  assert.equal(
    onlyCloses([
      { ...place, target: 0n },
      { ...place, target: undefined },
    ]),
    true,
  )
  assert.equal(
    onlyCloses([
      { ...place, target: 0n },
      { ...place, target: 1n },
    ]),
    false,
  )
})
