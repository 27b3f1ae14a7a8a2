import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import type { Side } from '../../../src/engine/market/pair.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { OrderEntry } from '../../../src/engine/orders/order-message.js'
import type { RestingOrder } from '../../../src/engine/orders/resting-order.js'
import { planOrder } from '../../../src/engine/orders/review-order.js'
import { pairOf, pool, stateWith } from '../../support/books.js'
import { must } from '../../support/matching.js'
import { restingOrder } from '../../support/orders.js'

const entry = (side: Side, price: string, target: bigint): OrderEntry => ({
  side,
  target,
  price: { fixed: must(price) },
})

/** What becomes of entries that may cross 1 %, on asks of 1000 at each of these prices and one bid at 9. */
function reviewed(
  asks: readonly string[],
  entries: readonly OrderEntry[],
  own: readonly RestingOrder[] = [],
): string {
  const state = stateWith({
    ask: asks.map((price) => pool(price, 1000n)),
    bid: [pool('9', 1000n)],
    pair: pairOf({ version: '1.1.0' }),
  })
  const plan = planOrder(compileBook(state), { orders: own }, entries, { maxCrossBps: 100 })
  return isOrderFailure(plan) ? `${plan.refused}: ${plan.why}` : 'planned'
}

/** Buys the 1000 that rest at a price. */
const whole = (price: string): OrderEntry => entry('bid', price, BigInt(Number(price) * 1000))

describe('the distance that the entries of one message may cross', () => {
  test('is at most the one that is allowed', () => {
    assert.equal(reviewed(['10'], [entry('bid', '10.1', 5n)]), 'planned')
    assert.match(
      reviewed(['10'], [entry('bid', '10.1001', 5n)]),
      /^beyond_max_cross: .*more than 1 % across the best price of the other side, 10$/,
    )
    assert.match(reviewed(['10'], [entry('ask', '8.9', 5n)]), /^beyond_max_cross/)
    assert.equal(reviewed(['10'], [entry('ask', '8.91', 5n)]), 'planned')
  })

  test('is measured from the best price before the message, not from what earlier entries left', () => {
    assert.equal(reviewed(['10', '10.1'], [whole('10'), whole('10.1')]), 'planned')
    assert.match(
      reviewed(['10', '10.1', '10.2'], [whole('10'), whole('10.1'), whole('10.2')]),
      /^beyond_max_cross: buy 10\.2 is .* the best price of the other side, 10$/,
    )
  })

  test('holds where earlier entries took all of the other side', () => {
    assert.match(reviewed(['10'], [whole('10'), entry('bid', '500', 1000n)]), /^beyond_max_cross/)
    assert.match(
      reviewed(['10'], [entry('ask', '9', 200n), entry('ask', '1', 1000n)]),
      /^beyond_max_cross/,
    )
  })

  test('does not count an own order that the message cancels before it takes anything', () => {
    const own = restingOrder('ask', '10', 1000n)
    const cancelled = [entry('ask', '10', 0n), whole('10.2')]
    assert.equal(reviewed(['10', '10.2'], cancelled, [own]), 'planned')
  })

  test('is measured from the price by other books where the other side is empty, if they have one', () => {
    const book = compileBook(stateWith({ bid: [pool('9', 1000n)], pair: pairOf({}) }))
    const plan = (each: OrderEntry, elsewhere?: string) => {
      const priceElsewhere = elsewhere === undefined ? undefined : must(elsewhere)
      const rules = { maxCrossBps: 100, priceElsewhere }
      const planned = planOrder(book, { orders: [] }, [each], rules)
      return isOrderFailure(planned) ? `${planned.refused}: ${planned.why}` : 'planned'
    }
    assert.equal(plan(entry('bid', '10.1', 1000n), '10'), 'planned')
    assert.match(
      plan(entry('bid', '10.2', 1000n), '10'),
      /^beyond_max_cross: buy 10\.2 is more than 1 % across the price by other books \(the other side is empty\), 10$/,
    )
    assert.equal(plan(entry('bid', '500', 1000n)), 'planned')
    assert.equal(plan(entry('ask', '8.95', 1000n), '10000'), 'planned')
  })
})
