import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import type { Side } from '../../../src/engine/market/pair.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { OrderEntry } from '../../../src/engine/orders/order-message.js'
import type { RestingOrder } from '../../../src/engine/orders/resting-order.js'
import { type OrderRules, planOrder } from '../../../src/engine/orders/review-order.js'
import { pairOf, pool, stateWith } from '../../support/books.js'
import { must } from '../../support/matching.js'
import { restingOrder } from '../../support/orders.js'

const entry = (side: Side, price: string | number, target?: bigint): OrderEntry => ({
  side,
  price: typeof price === 'number' ? { bps: price } : { fixed: must(price) },
  target,
})

/** Asks of 1000 at 10 and at 11, bids of 9007 at 9 and own ones; no amounts that meet by rounding. */
const plan = (
  entries: readonly OrderEntry[],
  options: {
    readonly own?: readonly RestingOrder[]
    readonly version?: string
    readonly makerFee?: string
    readonly rules?: OrderRules
  } = {},
) => {
  const { own = [], version = '1.1.0', makerFee = '0.1', rules } = options
  const ownBids = own.filter(({ side, remaining }) => side === 'bid' && remaining > 0n)
  const bid = [...ownBids.map(({ rate, remaining }) => ({ rate, remaining }))]
    .map(({ rate, remaining }) => ({ ...pool('1', remaining), rate: rate! }))
    .concat(pool('9', 9007n))
  const state = stateWith({
    ask: [pool('10', 1000n), pool('11', 1000n)],
    bid,
    pair: pairOf({ version, makerFee: must(makerFee) }),
  })
  return planOrder(compileBook(state), { orders: own }, entries, rules)
}

const planned = (...args: Parameters<typeof plan>) => {
  const result = plan(...args)
  assert.ok(!isOrderFailure(result), isOrderFailure(result) ? result.why : '')
  return result
}

const refusedAs = (...args: Parameters<typeof plan>) => {
  const result = plan(...args)
  return isOrderFailure(result) ? `${result.refused}: ${result.why}` : 'planned'
}

describe('the review of an order message', () => {
  test('passes a new order on unchanged', () => {
    const entries = [entry('bid', '9.5', 100n)]
    const result = planned(entries)
    assert.deepEqual(result.entries, entries)
    assert.deepEqual(result.notices, [])
    assert.deepEqual(result.preview.funds, [{ denom: 'quote', amount: 100n }])
  })

  test('refuses an order that takes nothing and is cancelled by the same message', () => {
    const immediate = (side: Side, price: string, amount: bigint) =>
      refusedAs([entry(side, price, amount), entry(side, price, 0n)])
    assert.match(
      immediate('bid', '9.5', 100n),
      /^nothing_taken: buy 9.5 takes nothing.*the best price of the other side is 10$/,
    )
    assert.match(immediate('ask', '9.5', 100n), /^nothing_taken: .* other side is 9$/)
    assert.match(immediate('bid', '10', 1n), /^nothing_taken: .* too small to be paid for$/)
    assert.equal(immediate('bid', '10', 100n), 'planned')
    assert.match(immediate('bid', '10', 109n), /^nothing_taken: .* at 10 is rounded down, to a/)
    const book = compileBook(stateWith({ bid: [pool('0.5', 100n)] }))
    const sale = planOrder(book, { orders: [] }, [entry('ask', '0.5', 1n), entry('ask', '0.5', 0n)])
    assert.match(isOrderFailure(sale) ? sale.why : '', /too small to be paid for$/)
  })

  test('refuses to cancel an order that does not exist', () => {
    assert.equal(
      refusedAs([entry('bid', '9.5', 0n)]),
      'nothing_to_cancel: there is no order buy 9.5',
    )
  })

  test('passes the cancel of an immediate-or-cancel order, whether it finds something or not', () => {
    for (const amount of [1000n, 100_000n]) {
      const { preview, notices } = planned([entry('bid', '10', amount), entry('bid', '10', 0n)])
      assert.deepEqual([preview.orders, notices], [[], []])
    }
  })

  test('lets an order rest that replaces a cancelled one, or stays while another is cancelled', () => {
    const own = [restingOrder('bid', '9.5', 10_007n)]
    const replaced = planned([entry('bid', '9.5', 0n), entry('bid', '9.5', 700n)], { own })
    assert.deepEqual(
      replaced.preview.orders.map(({ remaining }) => remaining),
      [700n],
    )
    const other = planned([entry('bid', '9.4', 100n), entry('bid', '9.5', 0n)], { own })
    assert.deepEqual(
      other.preview.orders.map(({ remaining }) => remaining),
      [100n],
    )
  })

  test('says of an empty side that an immediate order finds nothing, and lets others rest', () => {
    const book = compileBook(stateWith({ bid: [pool('9', 9007n)] }))
    const rules = { maxCrossBps: 0 }
    const immediate = [entry('bid', '9.5', 100n), entry('bid', '9.5', 0n)]
    const result = planOrder(book, { orders: [] }, immediate, rules)
    assert.match(isOrderFailure(result) ? result.why : '', /: the other side of the book is empty$/)
    const rests = planOrder(book, { orders: [] }, [entry('bid', '9.5', 100n)], rules)
    assert.ok(!isOrderFailure(rests))
  })

  test('passes a reduction on, also to an amount that is paid nothing alone', () => {
    const own = [restingOrder('bid', '9.5', 10_007n)]
    assert.deepEqual(planned([entry('bid', '9.5', 1n)], { own }).notices, [])
  })

  test('says that an order of the amount that rests only claims its fills', () => {
    const own = [{ ...restingOrder('bid', '9.5', 10_007n, 40n), offered: 20_000n }]
    const { notices, preview } = planned([entry('bid', '9.5', 10_007n)], { own })
    assert.equal(preview.orders[0]?.offered, 20_000n)
    assert.deepEqual(
      notices.map(({ kind, text }) => [kind, text]),
      [['only_claims', '10007 rest at buy 9.5 already: only its fills are claimed']],
    )
  })

  test('refuses to claim where nothing was filled', () => {
    const own = [restingOrder('bid', '9.5', 10_007n)]
    assert.match(refusedAs([entry('bid', '9.5')], { own }), /^nothing_to_claim: nothing was filled/)
    assert.match(refusedAs([entry('ask', '12')]), /^nothing_to_claim: there is no order sell 12$/)
  })

  test('refuses an order that adds nothing', () => {
    const own = [restingOrder('bid', '9.5', 10_007n)]
    assert.match(
      refusedAs([entry('bid', '9.5', 10_007n)], { own }),
      /^nothing_added: 10007 rest at/,
    )
  })

  test('says that cancelling a filled order only claims', () => {
    const own = [restingOrder('bid', '9.5', 0n, 50n)]
    const { notices, preview } = planned([entry('bid', '9.5', 0n)], { own })
    assert.deepEqual(
      notices.map(({ kind }) => kind),
      ['only_claims'],
    )
    assert.deepEqual(preview.paid, [{ denom: 'base', amount: 45n }])
    assert.deepEqual(preview.makerFees, [{ denom: 'base', amount: 5n }])
    const partly = [restingOrder('bid', '9.5', 10_007n, 50n)]
    assert.deepEqual(planned([entry('bid', '9.5', 0n)], { own: partly }).notices, [])
  })

  test('says that the claim of a single atomic pays nothing', () => {
    const own = [restingOrder('bid', '9.5', 0n, 1n)]
    const { notices, preview } = planned([entry('bid', '9.5')], { own })
    assert.equal(notices[0]?.kind, 'claim_pays_nothing')
    assert.deepEqual(preview.paid, [])
    assert.deepEqual(planned([entry('bid', '9.5')], { own, makerFee: '0' }).notices, [])
  })

  test('says that an order worth less than one atomic of the other token is paid nothing', () => {
    const empty = compileBook(stateWith({ pair: pairOf({}) }))
    const rows: readonly (readonly [side: Side, price: string, amount: bigint, kinds: string[]])[] =
      [
        ['bid', '5', 4n, ['fills_pay_nothing']],
        ['bid', '5', 5n, []],
        ['ask', '0.4', 2n, ['fills_pay_nothing']],
        ['ask', '0.4', 3n, []],
      ]
    for (const [side, price, amount, kinds] of rows) {
      const result = planOrder(empty, { orders: [] }, [entry(side, price, amount)])
      assert.ok(!isOrderFailure(result))
      assert.deepEqual(
        result.notices.map(({ kind }) => kind),
        kinds,
      )
    }
  })

  test('does not take an order for immediate that a later entry changes without a cancel', () => {
    const entries = [entry('bid', '9.5', 200n), entry('bid', '9.5', 300n)]
    assert.deepEqual(planned(entries).entries, entries)
    assert.match(
      refusedAs([entry('bid', '9.5', 200n), entry('bid', '9.5', 0n)]),
      /^nothing_taken: .* the best price of the other side is 10$/,
    )
  })

  test('rewrites a raise at a price that crosses by now as a cancel and a new order', () => {
    const own = [restingOrder('bid', '10', 0n, 50n)]
    const { entries, notices, preview } = planned([entry('bid', '10', 200n)], { own })
    assert.deepEqual(entries, [entry('bid', '10', 0n), entry('bid', '10', 200n)])
    assert.equal(notices[0]?.kind, 'raise_rewritten')
    assert.equal(preview.entries[1]?.taken.received, 20n)
  })

  test('compares with the book as the arbitrage step leaves it', () => {
    const state = stateWith({
      ask: [pool('8', 100n), pool('10', 1000n)],
      bid: [pool('9', 9007n)],
    })
    const entries = [entry('bid', '9.5', 90n)]
    const result = planOrder(compileBook(state), { orders: [] }, entries, { maxCrossBps: 0 })
    assert.ok(!isOrderFailure(result), isOrderFailure(result) ? result.why : '')
  })

  test('leaves a raise that does not cross', () => {
    const own = [restingOrder('bid', '9.5', 10_007n)]
    const { entries, preview } = planned([entry('bid', '9.5', 10_037n)], { own })
    assert.deepEqual(entries, [entry('bid', '9.5', 10_037n)])
    assert.deepEqual(preview.funds, [{ denom: 'quote', amount: 30n }])
  })

  test('refuses a price that crosses where the version lets no order take', () => {
    assert.match(
      refusedAs([entry('bid', '10', 200n)], { version: '1.0.0' }),
      /^crosses_unprotected/,
    )
    assert.equal(refusedAs([entry('bid', '9.5', 200n)], { version: '1.0.0' }), 'planned')
  })

  test('names the nearest price on the tick that is no worse', () => {
    assert.match(refusedAs([entry('bid', '9.123456', 1n)]), /^invalid_price: .* is 9\.12345$/)
    assert.match(refusedAs([entry('ask', '9.123456', 1n)]), /^invalid_price: .* is 9\.12346$/)
  })

  test('names the least and the greatest price where none on the tick is as good', () => {
    const far = { rules: { maxCrossBps: undefined } }
    const greatest = '340282366920938463463.374607431768211455'
    assert.match(
      refusedAs([entry('ask', greatest, 1n)], far),
      /^invalid_price: .* the greatest is 340282000000000000000, and /,
    )
    assert.match(
      refusedAs([entry('bid', greatest, 1n)], far),
      /^invalid_price: .* is 340282000000000000000$/,
    )
    const least = '0.000000000000000001'
    assert.match(
      refusedAs([entry('bid', least, 1n)], far),
      /^invalid_price: .* the least is 0\.0000000000001, and /,
    )
    assert.match(
      refusedAs([entry('ask', least, 1n)], far),
      /^invalid_price: .* is 0\.0000000000001$/,
    )
  })

  test('refuses an ask at a price whose inverse is zero, and takes a bid and the cancel of such an ask', () => {
    const above = '1000010000000000000'
    assert.match(refusedAs([entry('ask', above, 1n)]), /^invalid_price: .* 1000000000000000000, /)
    planned([entry('ask', '1000000000000000000', 1n)])
    planned([entry('bid', above, 1n)])
    planned([entry('ask', above, 0n)], { own: [restingOrder('ask', above, 1n)] })
  })

  test('refuses an oracle price on a pair without oracles, and where no oracle price is known', () => {
    assert.match(refusedAs([entry('bid', -25, 5n)]), /^no_oracle: the pair has no oracles/)
    const state = stateWith({ pair: pairOf({ oracles: [{}, {}] }) })
    const result = planOrder(compileBook(state), { orders: [] }, [entry('bid', -25, 5n)])
    assert.ok(isOrderFailure(result) && result.refused === 'no_oracle')
    const known = planOrder(compileBook(state), { orders: [], oracle: must('2') }, [
      entry('bid', -25, 5n),
    ])
    assert.ok(!isOrderFailure(known))
    assert.equal(known.preview.orders[0]?.rate, must('1.995'))
  })

  test('says that an order takes one of the same owner', () => {
    const own = [restingOrder('bid', '9.5', 10_007n)]
    const { notices } = planned([entry('ask', '9.5', 20n)], { own })
    assert.deepEqual(
      notices.map(({ kind }) => kind),
      ['takes_own_order'],
    )
    assert.deepEqual(planned([entry('ask', '9.5', 20n)]).notices, [])
    const untaken = [restingOrder('ask', '11', 5n)]
    assert.deepEqual(planned([entry('bid', '10', 20n)], { own: untaken }).notices, [])
    const filled = [restingOrder('bid', '9', 0n, 50n)]
    assert.deepEqual(planned([entry('ask', '9', 20n)], { own: filled }).notices, [])
  })

  test('pays a replaced order into the new one', () => {
    const own = [restingOrder('bid', '9.5', 10_007n)]
    const { preview } = planned([entry('bid', '9.5', 0n), entry('bid', '9.4', 10_007n)], { own })
    assert.deepEqual([preview.funds, preview.paid], [[], []])
  })
})
