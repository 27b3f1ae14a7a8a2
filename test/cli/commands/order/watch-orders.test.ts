import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  fillsBetween,
  haveChanged,
  ordersCondition,
} from '../../../../src/cli/commands/order/watch-orders.js'
import type { OrdersAnswer } from '../../../../src/operations/orders/order-operations.js'

/** An answer with an order, or without its pair. */
const listed = (filled?: string, isRead = true, updated_at: string | null = null) =>
  ({
    orders:
      filled === undefined
        ? []
        : [
            {
              id: 'one/sell/2',
              pair: 'one',
              filled,
              claimable: filled,
              remaining: '5',
              updated_at,
            },
          ],
    unread: isRead ? [] : [{ address: 'one', reason: 'no answer' }],
  }) as unknown as OrdersAnswer

const amountsOf = (before: OrdersAnswer, now: OrdersAnswer) =>
  fillsBetween(before, now).map((body) => (body as unknown as { amount: string }).amount)

describe('the fills between two answers', () => {
  test('are what an order was paid since the first one', () => {
    assert.deepEqual(amountsOf(listed('3'), listed('7')), ['4'])
    assert.deepEqual(amountsOf(listed('7'), listed('7')), [])
    assert.deepEqual(amountsOf(listed('7'), listed('0')), [])
  })

  test('are all that an order was paid that is new', () => {
    assert.deepEqual(amountsOf(listed(), listed('7')), ['7'])
    assert.deepEqual(amountsOf(listed(), listed('0')), [])
  })

  test('are all that an order was paid since its owner claimed or changed it', () => {
    assert.deepEqual(amountsOf(listed('7'), listed('2')), ['2'])
    const [first, second] = ['2026-05-01T12:00:00.000Z', '2026-05-01T12:00:01.000Z']
    assert.deepEqual(amountsOf(listed('3', true, first), listed('7', true, second)), ['7'])
    assert.deepEqual(amountsOf(listed('3', true, first), listed('7', true, first)), ['4'])
  })

  test('are unknown of an order whose pair was not read before', () => {
    assert.deepEqual(amountsOf(listed(undefined, false), listed('7')), [])
  })
})

test('orders have changed where one is new or gone, or an amount moved by so many basis points', () => {
  const hasChanged = (before: OrdersAnswer, now: OrdersAnswer) => haveChanged(now, before, 5000n)
  assert.ok(hasChanged(listed(), listed('0')) && hasChanged(listed('0'), listed()))
  assert.ok(hasChanged(listed('0'), listed('1')) && hasChanged(listed('10'), listed('15')))
  assert.ok(!hasChanged(listed('10'), listed('14')) && !hasChanged(listed('0'), listed('0')))
})

test.each([
  ['orders<1', listed(), true],
  ['orders<1', listed(undefined, false), false],
  ['orders>=1', listed('0'), true],
  ['claimable<1', listed('0'), true],
  ['claimable>=1', listed('7'), true],
])('--until %s of %j is %s: nothing is known while a pair is unread', (until, answer, expected) =>
  assert.equal(ordersCondition(until)({ answer }), expected),
)
