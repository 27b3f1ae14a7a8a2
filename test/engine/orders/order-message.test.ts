import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { decimal, MAX_UINT128 } from '../../../src/engine/math/decimal.js'
import {
  type OrderEntry,
  orderMessage,
  parseOrderMessage,
} from '../../../src/engine/orders/order-message.js'
import { LEAST_BPS, MOST_BPS, type OrderPrice } from '../../../src/engine/orders/order-price.js'

const price: fc.Arbitrary<OrderPrice> = fc.oneof(
  fc.bigInt({ min: 1n, max: MAX_UINT128 }).map((fixed) => ({ fixed: decimal(fixed) })),
  fc
    .oneof(fc.constantFrom(LEAST_BPS, MOST_BPS), fc.integer({ min: LEAST_BPS, max: MOST_BPS }))
    .map((bps) => ({ bps })),
)
const entry: fc.Arbitrary<OrderEntry> = fc
  .tuple(
    fc.constantFrom('ask' as const, 'bid' as const),
    price,
    fc.option(fc.bigInt({ min: 0n, max: MAX_UINT128 }), { nil: undefined }),
  )
  .map(([side, price, target]) => ({ side, price, target }))

const valid = ['base', { fixed: '1.5' }, '7'] as const
const of = (...entries: readonly unknown[]) => ({ order: [entries, null] })

describe('an order message', () => {
  test('is read back from JSON as it was written', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), (entries) => {
        const wire: unknown = JSON.parse(JSON.stringify(orderMessage(entries)))
        assert.deepEqual(parseOrderMessage(wire), entries)
      }),
    )
  })

  const rows: readonly (readonly [string, unknown])[] = [
    ['no object', 'order'],
    ['null', null],
    ['another message', { swap: {} }],
    ['a second member', { ...of(valid), swap: {} }],
    ['no list of entries', { order: { entries: [valid] } }],
    ['no callback', { order: [[valid]] }],
    ['a callback', { order: [[valid], 'aGk='] }],
    ['something behind the callback', { order: [[valid], null, null] }],
    ['entries that are no list', { order: [{ 0: valid, length: 1 }, null] }],
    ['no entries', of()],
    ['an entry that is no list', of({ 0: 'base', 1: { fixed: '1' }, 2: '7', length: 3 })],
    ['an entry of two', of(valid.slice(0, 2))],
    ['an entry of four', of([...valid, null])],
    ['another side', of(['ask', { fixed: '1.5' }, '7'])],
    ['a price that is no object', of(['base', '1.5', '7'])],
    ['a price that is null', of(['base', null, '7'])],
    ['a price of two kinds', of(['base', { fixed: '1.5', oracle: 5 }, '7'])],
    ['a price without a kind', of(['base', {}, '7'])],
    ['a price as a number', of(['base', { fixed: 1.5 }, '7'])],
    ['a price of zero', of(['base', { fixed: '0' }, '7'])],
    ['a price of 19 places', of(['base', { fixed: '0.1000000000000000000' }, '7'])],
    ['an oracle distance as text', of(['base', { oracle: '5' }, '7'])],
    ['an oracle distance with a fraction', of(['base', { oracle: 0.5 }, '7'])],
    ['an oracle distance below the least', of(['base', { oracle: LEAST_BPS - 1 }, '7'])],
    ['an oracle distance above the most', of(['base', { oracle: MOST_BPS + 1 }, '7'])],
    ['an amount as a number', of(['base', { fixed: '1.5' }, 7])],
    ['an amount with a fraction', of(['base', { fixed: '1.5' }, '7.5'])],
    ['an amount above 128 bits', of(['base', { fixed: '1.5' }, `${MAX_UINT128 + 1n}`])],
    ['no amount', of(['base', { fixed: '1.5' }, undefined])],
    ['one wrong entry of two', of(valid, ['base', { fixed: '1.5' }, ''])],
  ]
  for (const [what, message] of rows)
    test(`is not read from ${what}`, () => assert.equal(parseOrderMessage(message), undefined))
})
