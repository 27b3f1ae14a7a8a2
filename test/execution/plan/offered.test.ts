import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import type { Side } from '../../../src/engine/market/pair.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { OrderEntry } from '../../../src/engine/orders/order-message.js'
import { type OrderRules, planOrder } from '../../../src/engine/orders/review-order.js'
import { offeredCoins } from '../../../src/execution/plan/prepare-orders.js'
import { pairOf, pool, stateWith } from '../../support/books.js'
import { must } from '../../support/matching.js'

const entry = (side: Side, price: string, target?: bigint): OrderEntry => ({
  side,
  price: { fixed: must(price) },
  target,
})

/** What a message offers of an account whose bid at a price has an amount left, beside asks at 10 and 11. */
function offered(
  entries: readonly OrderEntry[],
  own: { readonly price: string; readonly amount: bigint; readonly filled?: bigint },
  rules: OrderRules = {},
): readonly string[] {
  const { price, amount, filled = 0n } = own
  const rate = must(price)
  const bid = [{ ...pool('1', amount), rate: rate as never }, pool('5', 9007n)]
  const state = stateWith({
    ask: [pool('10', 1000n), pool('11', 1000n)],
    bid,
    pair: pairOf({ version: '1.1.0' }),
  })
  const order = {
    side: 'bid' as const,
    price: { fixed: rate },
    rate,
    updatedAt: 0n,
    offered: amount,
    remaining: amount,
    filled,
  }
  const plan = planOrder(compileBook(state), { orders: [order] }, entries, rules)
  if (isOrderFailure(plan)) throw new Error(plan.why)
  return offeredCoins(plan.preview).map((coin) => `${coin.amount} ${coin.denom}`)
}

const own = { price: '9', amount: 10_000n }

describe('the amount that an order message newly offers', () => {
  test('is the whole order where an order is moved, although the cancelled one pays for it', () => {
    const moved = [entry('bid', '9', 0n), entry('bid', '8', 10_000n)]
    assert.deepEqual(offered(moved, own), ['10000 quote'])
  })

  test('is what an order takes at once and what remains in the book', () => {
    const across = [entry('bid', '9', 0n), entry('bid', '10', 30_000n)]
    assert.deepEqual(offered(across, own), ['30000 quote'])
  })

  test('is the increase of an order that is raised', () => {
    assert.deepEqual(offered([entry('bid', '9', 10_007n)], own), ['7 quote'])
  })

  test('is the whole order where a raise becomes a cancel and a new order', () => {
    const crossed = { price: '10', amount: 50n }
    assert.deepEqual(offered([entry('bid', '10', 100n)], crossed), ['100 quote'])
  })

  test('is zero for a cancel, a claim or a lower amount', () => {
    for (const target of [0n, undefined, 9_000n])
      assert.deepEqual(offered([entry('bid', '9', target)], { ...own, filled: 20n }), [])
  })

  test('is at least what is sent', () => {
    const funds = [{ denom: 'quote', amount: 500n }]
    assert.deepEqual(offered([entry('bid', '9', 10_007n)], own, { funds }), ['500 quote'])
    assert.deepEqual(offered([entry('bid', '9', 0n)], own, { funds }), ['500 quote'])
  })
})
