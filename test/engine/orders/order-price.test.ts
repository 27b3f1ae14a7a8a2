import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { orderMessage } from '../../../src/engine/orders/order-message.js'
import {
  type OrderPlace,
  oracleRate,
  orderId,
  parseOrderId,
  parsePriceText,
} from '../../../src/engine/orders/order-price.js'
import { statusOf } from '../../../src/engine/orders/resting-order.js'
import { must } from '../../support/matching.js'

const places: readonly (readonly [string, OrderPlace])[] = [
  ['thor1pair/buy/0.499', { side: 'bid', price: { fixed: must('0.499') } }],
  ['thor1pair/sell/12', { side: 'ask', price: { fixed: must('12') } }],
  ['thor1pair/sell/oracle+0bps', { side: 'ask', price: { bps: 0 } }],
  ['thor1pair/buy/oracle-25bps', { side: 'bid', price: { bps: -25 } }],
]

describe('the id of an order', () => {
  for (const [id, place] of places)
    test(`${id} is written and read back`, () => {
      assert.equal(orderId('thor1pair', place), id)
      assert.deepEqual(parseOrderId(id), { pair: 'thor1pair', ...place })
    })

  test('of a pair with a slash in its name keeps the name whole', () => {
    assert.equal(parseOrderId('x/ruji/rune/buy/1')?.pair, 'x/ruji/rune')
  })

  test('is refused in any other form', () => {
    for (const id of [
      '',
      'a/buy',
      'a/hold/1',
      'a/buy/0',
      'a/buy/-1',
      'a/buy/1e3',
      'a/buy/oracle1bps',
      'a/buy/1oracle+1bps',
      'a/buy/oracle+1bps1',
    ])
      assert.equal(parseOrderId(id), undefined, id)
  })

  test('takes deviations from -10000 to 32767 basis points', () => {
    assert.deepEqual(parsePriceText('oracle-10000bps'), { bps: -10_000 })
    assert.deepEqual(parsePriceText('oracle+32767bps'), { bps: 32_767 })
    assert.deepEqual(parsePriceText('oracle-0bps'), { bps: 0 })
    assert.equal(parsePriceText('oracle-10001bps'), undefined)
    assert.equal(parsePriceText('oracle+32768bps'), undefined)
  })
})

test('the rate of an oracle price is rounded down', () => {
  assert.equal(oracleRate(must('100000'), 1), must('100010'))
  assert.equal(oracleRate(must('100000'), -1000), must('90000'))
  assert.equal(oracleRate(must('0.000000000000000001'), -1), 0n)
})

test('an order message has the two orders that were recorded on mainnet', () => {
  assert.deepEqual(orderMessage([{ side: 'ask', price: { bps: -51 }, target: 45000n }]), {
    order: [[['base', { oracle: -51 }, '45000']], null],
  })
  assert.deepEqual(orderMessage([{ side: 'bid', price: { bps: -10 }, target: undefined }]), {
    order: [[['quote', { oracle: -10 }, null]], null],
  })
})

test('the status of an order follows from what rests and what was filled', () => {
  const of = (offered: bigint, remaining: bigint, filled: bigint) =>
    statusOf({ offered, remaining, filled })
  assert.equal(of(10n, 10n, 0n), 'open')
  assert.equal(of(10n, 4n, 3n), 'partly_filled')
  assert.equal(of(10n, 4n, 0n), 'partly_filled')
  assert.equal(of(10n, 0n, 9n), 'filled')
  assert.equal(of(10n, 0n, 0n), 'cancelled')
})
