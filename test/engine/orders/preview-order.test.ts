import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { OrderEntry } from '../../../src/engine/orders/order-message.js'
import { previewOrder } from '../../../src/engine/orders/preview-order.js'
import { pairOf, pool, stateWith } from '../../support/books.js'
import { must } from '../../support/matching.js'

const at = (side: 'ask' | 'bid', price: string, target: bigint | undefined): OrderEntry => ({
  side,
  price: { fixed: must(price) },
  target,
})

describe('a preview of several entries', () => {
  test('places an order again at the sum and product that its cancel leaves', () => {
    const lowPrecision = { sum: { mantissa: 7n, scale: 3 }, product: { mantissa: 93n, scale: 2 } }
    const rested = { ...pool('9', 50_000n), ...lowPrecision }
    const [price, share] = [{ fixed: must('9') }, { amount: 50_000n, filled: 0n, ...lowPrecision }]
    const amounts = { offered: 50_000n, remaining: 50_000n, filled: 0n, updatedAt: 1n }
    const owner = {
      orders: [{ side: 'bid' as const, price, rate: must('9'), ...amounts, share }],
      idlePools: [],
    }
    const book = compileBook(stateWith({ bid: [rested] }))
    const preview = previewOrder(book, owner, [at('bid', '9', 0n), at('bid', '9', 700n)])
    assert.ok(!isOrderFailure(preview))
    assert.deepEqual(preview.after.bids.fixed, [{ ...rested, total: 700n }])
    assert.deepEqual(preview.orders[0]?.share, { ...share, amount: 700n })
    assert.deepEqual([preview.funds, preview.exact], [[], true])
    assert.deepEqual(preview.paid, [{ denom: 'quote', amount: 49_300n }])
  })

  test('sends coins for an order of the message, although a later entry returns a part of it', () => {
    const [price, amounts] = [{ fixed: must('9') }, { offered: 50n, remaining: 50n, filled: 0n }]
    const order = { side: 'bid' as const, price, rate: must('9'), ...amounts, updatedAt: 1n }
    const book = compileBook(stateWith({ bid: [pool('9', 50n)] }))
    const entries = [at('bid', '9', 0n), at('bid', '9', 700n), at('bid', '9', 30n)]
    const preview = previewOrder(book, { orders: [order] }, entries)
    assert.ok(!isOrderFailure(preview))
    assert.deepEqual(preview.funds, [{ denom: 'quote', amount: 650n }])
    assert.deepEqual(preview.paid, [{ denom: 'quote', amount: 670n }])
  })

  test('cancels nothing where there is no order, without the oracle price of its place', () => {
    const book = compileBook(stateWith({ ask: [pool('10', 1000n)] }))
    const entry: OrderEntry = { side: 'bid', price: { bps: -15 }, target: 0n }
    const preview = previewOrder(book, { orders: [] }, [entry])
    assert.ok(!isOrderFailure(preview))
    assert.deepEqual([preview.funds, preview.paid, preview.orders], [[], [], []])
  })

  test('refuses the whole message where its coins do not cover the entries', () => {
    const book = compileBook(stateWith({ pair: pairOf() }))
    const funds = [
      { denom: 'quote', amount: 9n },
      { denom: 'base', amount: 1n },
    ]
    const failure = previewOrder(book, { orders: [] }, [at('bid', '9', 10n)], funds)
    assert.ok(isOrderFailure(failure))
    assert.equal(failure.contractText, 'InsufficientFunds required 10quote got 1base,9quote')
  })

  test('sells what an entry before it received, and needs no coins for that', () => {
    const state = stateWith({ ask: [pool('10', 1000n)] })
    const entries = [at('bid', '10', 5_000n), at('ask', '20', 500n)]
    const paidFor = [{ denom: 'quote', amount: 5_000n }]
    const preview = previewOrder(compileBook(state), { orders: [] }, entries, paidFor)
    assert.ok(!isOrderFailure(preview))
    assert.deepEqual(
      preview.entries.map(({ taken, rests }) => [taken.received, rests]),
      [
        [500n, 0n],
        [0n, 500n],
      ],
    )
    assert.deepEqual(preview.paid, [])
  })
})
