import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import type { PairState, Side } from '../../../src/engine/market/pair.js'
import { FRESH_POOL } from '../../../src/engine/market/venues/resting-pool.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { OwnerOrders } from '../../../src/engine/orders/order-ledger.js'
import type { OrderEntry } from '../../../src/engine/orders/order-message.js'
import { type OrderPreview, previewOrder } from '../../../src/engine/orders/preview-order.js'
import type { RestingOrder } from '../../../src/engine/orders/resting-order.js'
import { pairOf, pool, quotedMaker, stateWith } from '../../support/books.js'
import { must } from '../../support/matching.js'

const at = (side: Side, price: string | number, target: bigint | undefined): OrderEntry => ({
  side,
  price: typeof price === 'number' ? { bps: price } : { fixed: must(price) },
  target,
})

/** A pool of a book, whose sum and product are not known. */
const shownPool = (rate: string, total: bigint) => {
  const { sum: _, product: __, ...shown } = pool(rate, total)
  return shown
}

const bidAt9 = (own: Partial<RestingOrder> = {}): RestingOrder => ({
  side: 'bid',
  price: { fixed: must('9') },
  rate: must('9'),
  updatedAt: 5n,
  offered: 900n,
  remaining: 900n,
  filled: 0n,
  ...own,
})
const share = { amount: 900n, filled: 0n, ...FRESH_POOL }

const previewed = (
  state: PairState,
  entries: readonly OrderEntry[],
  owner: OwnerOrders = { orders: [], idlePools: [] },
): OrderPreview => {
  const preview = previewOrder(compileBook(state), owner, entries)
  assert.ok(!isOrderFailure(preview), isOrderFailure(preview) ? preview.why : '')
  return preview
}

/** A bid at 9 and, later in the message, what sells to it. */
const buy = at('bid', '9', 900n)
const sell = at('ask', '9', 50n)

describe('a preview is exact', () => {
  const withBid = stateWith({ bid: [pool('9', 900n)] })
  const shown = stateWith({ bid: [shownPool('9', 900n)] })
  const quoted = stateWith({
    makers: [
      quotedMaker('maker', {
        ask: [
          ['0.2', 50n],
          ['0.125', 50n],
        ],
      }),
    ],
  })
  const buyAt = (price: string) => at('bid', price, 100n)
  const rows: readonly (readonly [string, boolean, () => OrderPreview])[] = [
    ['of a fill of certain orders', true, () => previewed(withBid, [sell])],
    [
      'not of a fill of an uncertain one',
      false,
      () => previewed(stateWith({ bid: [{ ...pool('9', 900n), certain: false }] }), [sell]),
    ],
    [
      'not of a pair that is not',
      false,
      () => previewed(stateWith({ bid: [pool('9', 900n)], exact: false }), [buy]),
    ],
    [
      'of a fill of an own order with its share',
      true,
      () => previewed(withBid, [sell], { orders: [bidAt9({ share })] }),
    ],
    [
      'not of a fill of an own order without its share',
      false,
      () => previewed(withBid, [sell], { orders: [bidAt9()] }),
    ],
    [
      'not of a fill of an own order in a pool without sum and product',
      false,
      () => previewed(shown, [sell], { orders: [bidAt9({ share })] }),
    ],
    ['of a fill of an own new order', true, () => previewed(stateWith({}), [buy, sell])],
    [
      'not of a fill of an own new order where a pool may rest empty',
      false,
      () => previewed(stateWith({}), [buy, sell], { orders: [] }),
    ],
    [
      'of a fill of an own new order in place of a cancelled one',
      true,
      () => previewed(withBid, [at('bid', '9', 0n), buy, sell], { orders: [bidAt9({ share })] }),
    ],
    [
      'not of a fill of an own new order in a pool without sum and product',
      false,
      () => previewed(shown, [buy, sell]),
    ],
    ['of a fill of a maker known by its quotes', true, () => previewed(quoted, [buyAt('8')])],
    [
      'not of a second fill of a maker known by its quotes',
      false,
      () => previewed(quoted, [buyAt('8'), buyAt('9')]),
    ],
  ]
  for (const [what, exact, preview] of rows) test(what, () => assert.equal(preview().exact, exact))
})

describe('an order in a preview', () => {
  test('is estimated where the sum and the product of its pool are not known', () => {
    const state = stateWith({ bid: [shownPool('9', 1800n)] })
    const { orders } = previewed(state, [sell], { orders: [bidAt9()] })
    // 450 of 1800 are sold for 50.
    assert.deepEqual([orders[0]?.remaining, orders[0]?.filled], [675n, 25n])
    assert.equal(orders[0]?.share, undefined)
  })

  test('has a share where its pool is known, and keeps its time', () => {
    const known = previewed(stateWith({}), [buy]).orders[0]
    assert.deepEqual(known?.share, share)
    const unknown = previewed(stateWith({ bid: [shownPool('9', 1n)] }), [buy]).orders[0]
    assert.equal(unknown?.share, undefined)
    const raised = previewed(stateWith({ bid: [pool('9', 900n)] }), [at('bid', '9', 901n)], {
      orders: [bidAt9()],
    }).orders[0]
    assert.deepEqual([raised?.updatedAt, raised?.share], [5n, undefined])
  })

  test('at a price of which nothing is known beyond the read book is uncertain', () => {
    const state = stateWith({ bid: [pool('10', 5n)] })
    const bids = { ...state.bids, knownTo: must('10') }
    const { after } = previewed({ ...state, bids }, [at('bid', '9', 90n), at('bid', '11', 110n)])
    const certain = after.bids.fixed.map(({ rate, certain }) => [rate, certain])
    assert.deepEqual(certain, [
      [must('11'), true],
      [must('10'), true],
      [must('9'), false],
    ])
  })

  test('starts afresh in a pool that was drained, also where an idle one was before', () => {
    const precision = { sum: { mantissa: 7n, scale: 3 }, product: { mantissa: 93n, scale: 2 } }
    const { side, price } = buy
    const owner = { orders: [], idlePools: [{ side, price, ...precision }] }
    const drained = at('ask', '9', 100n)
    const { orders } = previewed(
      stateWith({}),
      [buy, drained, at('bid', '9', undefined), at('ask', '9', 0n), buy],
      owner,
    )
    assert.deepEqual(orders[0]?.share, share)
  })

  for (const side of ['ask', 'bid'] as const)
    test(`at a distance from the oracle has the rate of a pool at that distance: ${side}`, () => {
      const oraclePool = { ...pool('9', 900n, 'oracle'), bps: -15 }
      const state = stateWith({ [side]: [oraclePool] })
      const { orders } = previewed(state, [at(side, -15, 90n)])
      assert.equal(orders[0]?.rate, must('9'))
    })
})

describe('the capital that an arbitrage step needs', () => {
  for (const version of ['1.0.0', '1.1.0'])
    test(`is refused where the pair does not hold it: ${version}`, () => {
      const crossed = { ask: [pool('9', 100n)], bid: [pool('10', 1000n)] }
      const pair = pairOf({ version })
      const balances = { base: 0n, quote: 0n }
      const state = stateWith({ ...crossed, pair, balances })
      const preview = previewOrder(compileBook(state), { orders: [] }, [])
      assert.equal(isOrderFailure(preview) && preview.refused, 'arb_capital')
    })
})
