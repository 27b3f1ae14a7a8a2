import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import type { Side } from '../../../src/engine/market/pair.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { OrderEntry } from '../../../src/engine/orders/order-message.js'
import { orderId } from '../../../src/engine/orders/order-price.js'
import { type OrderRules, planOrder } from '../../../src/engine/orders/review-order.js'
import { offeredCoins, orderRecord } from '../../../src/execution/plan/prepare-orders.js'
import { pairOf, pool, stateWith } from '../../support/books.js'
import { must } from '../../support/matching.js'

const entry = (side: Side, price: string, target?: bigint): OrderEntry => ({
  side,
  price: { fixed: must(price) },
  target,
})

/** The plan of a message of an account whose bid at a price has an amount left, beside asks at 10 and 11. */
function planned(
  entries: readonly OrderEntry[],
  own: { readonly price: string; readonly amount: bigint; readonly filled?: bigint },
  rules: OrderRules = {},
) {
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
  return plan
}

/** What it offers. */
const offered = (...call: Parameters<typeof planned>): readonly string[] =>
  offeredCoins(planned(...call).preview).map((coin) => `${coin.amount} ${coin.denom}`)

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

test('the record of an order message has what its preview expects, and without one only what was signed', () => {
  const entries = [entry('bid', '9'), entry('bid', '8', 7n)]
  const { preview } = planned(entries, { ...own, filled: 20n })
  const [claim, placed] = preview.entries
  assert.ok(claim!.claimed.paid > 0n && placed!.rests > 0n)
  const order = { pair: 'thor1pair', entries, funds: [{ denom: 'quote', amount: 7n }] }
  const signed = {
    pair: 'thor1pair',
    entries: [
      { id: orderId('thor1pair', entries[0]!), target: null, rests: null },
      { id: orderId('thor1pair', entries[1]!), target: '7', rests: null },
    ],
    funds: [{ denom: 'quote', amount: '7' }],
    expected: null,
  }
  assert.deepEqual(orderRecord(order), signed)
  assert.deepEqual(orderRecord(order, preview), {
    ...signed,
    entries: [
      { ...signed.entries[0], rests: `${claim!.rests}`, claimed: `${claim!.claimed.paid}` },
      { ...signed.entries[1], rests: `${placed!.rests}`, claimed: '0' },
    ],
    expected: preview.paid.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
  })
})
