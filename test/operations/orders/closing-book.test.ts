import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Side } from '../../../src/engine/market/pair.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { RestingOrder } from '../../../src/engine/orders/resting-order.js'
import { planOrder } from '../../../src/engine/orders/review-order.js'
import { closingBook, onlyCloses } from '../../../src/operations/orders/closing-book.js'
import { pairOf } from '../../support/books.js'
import { must } from '../../support/matching.js'

const pair = {
  ...pairOf({ version: '1.1.0', makerFee: must('0.1') }),
  oracles: ['a', 'b'] as const,
}

const fixed = (side: Side, price: string, remaining: bigint, filled = 0n): RestingOrder => ({
  ...{ side, price: { fixed: must(price) }, rate: must(price), updatedAt: 0n },
  ...{ offered: remaining, remaining, filled },
})
const oracle: RestingOrder = {
  ...{ side: 'ask', price: { bps: 25 }, rate: undefined, updatedAt: 0n },
  ...{ offered: 70n, remaining: 70n, filled: 0n },
}

function closed(orders: readonly RestingOrder[], target: bigint | undefined) {
  const entries = orders.map(({ side, price }) => ({ side, price, target }))
  const plan = planOrder(closingBook(pair, orders), { orders }, entries)
  assert.ok(!isOrderFailure(plan), isOrderFailure(plan) ? plan.why : '')
  return plan.preview
}

describe('the preview of a message to a pair without a readable book', () => {
  test('returns what rests and pays what is filled, and is an estimate', () => {
    const { paid, exact, orders } = closed([fixed('bid', '9', 900n, 50n)], 0n)
    assert.deepEqual(paid, [
      { denom: 'base', amount: 45n },
      { denom: 'quote', amount: 900n },
    ])
    assert.deepEqual([exact, orders], [false, []])
  })
  test('claims without cancelling', () => {
    const { paid, orders } = closed([fixed('ask', '9', 100n, 50n)], undefined)
    assert.deepEqual(paid, [{ denom: 'quote', amount: 45n }])
    assert.equal(orders[0]?.remaining, 100n)
  })
  test('does not match orders of the account with each other', () => {
    const { paid } = closed([fixed('ask', '9', 100n), fixed('bid', '10', 900n)], 0n)
    assert.deepEqual(paid, [
      { denom: 'base', amount: 100n },
      { denom: 'quote', amount: 900n },
    ])
  })
  test('cancels an oracle order whose price is not known', () => {
    assert.deepEqual(closed([oracle, fixed('ask', '9', 30n)], 0n).paid, [
      { denom: 'base', amount: 100n },
    ])
  })
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
