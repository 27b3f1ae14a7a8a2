import assert from 'node:assert/strict'
import { test } from 'vitest'
import { orderRefused } from '../../../src/operations/orders/order-refused.js'

test('a refusal that follows from what the node shows of the pair does not ask for another order', () => {
  for (const refused of ['pair_balance', 'withdraw_error'] as const) {
    const { hint } = orderRefused({ refused, why: 'the pool of the order has less' })
    assert.match(JSON.stringify(hint), /name another node: --rpc/)
  }
})
