import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import type { PairState, Side } from '../../../src/engine/market/pair.js'
import { FRESH_POOL } from '../../../src/engine/market/venues/resting-pool.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import type { OwnerOrders } from '../../../src/engine/orders/order-ledger.js'
import type { OrderEntry } from '../../../src/engine/orders/order-message.js'
import { previewOrder } from '../../../src/engine/orders/preview-order.js'
import type { RestingOrder } from '../../../src/engine/orders/resting-order.js'
import { planOrder } from '../../../src/engine/orders/review-order.js'
import { pairOf, pool, stateWith } from '../../support/books.js'
import { must } from '../../support/matching.js'

const oracle = must('100')
const pair = pairOf({ oracles: ['BTC.BTC', 'ETH.USDC'] })

const entry = (side: Side, bps: number, target: bigint | undefined): OrderEntry => ({
  side,
  price: { bps },
  target,
})
const oraclePool = (bps: number, rate: string, total = 500n) => ({
  ...pool(rate, total, 'oracle'),
  bps,
})
const own = (side: Side, bps: number, remaining: bigint): RestingOrder => ({
  side,
  price: { bps },
  rate: undefined,
  updatedAt: 1n,
  offered: remaining,
  remaining,
  filled: 0n,
})

const preview = (state: PairState, owner: OwnerOrders, entries: readonly OrderEntry[]) =>
  previewOrder(compileBook(state), owner, entries)

function previewed(...args: Parameters<typeof preview>) {
  const result = preview(...args)
  assert.ok(!isOrderFailure(result), isOrderFailure(result) ? result.why : '')
  return result
}

function failed(...args: Parameters<typeof preview>) {
  const result = preview(...args)
  assert.ok(isOrderFailure(result))
  return result
}

describe('an order at a distance from the oracle', () => {
  test('rests between the orders of smaller and of larger distances, the best price first', () => {
    const rows: readonly (readonly [Side, readonly number[], number, readonly number[]])[] = [
      ['ask', [10, 50], 20, [10, 20, 50]],
      ['ask', [10, 50], 5, [5, 10, 50]],
      ['ask', [10, 50], 60, [10, 50, 60]],
      ['bid', [-10, -50], -20, [-10, -20, -50]],
      ['bid', [-10, -50], -5, [-5, -10, -50]],
      ['bid', [-10, -50], -60, [-10, -50, -60]],
    ]
    for (const [side, held, bps, order] of rows) {
      const rates = held.map((each) => `${(10_000 + each) / 100}`)
      const pools = held.map((each, at) => oraclePool(each, rates[at]!))
      const state = stateWith({ pair, [side]: pools })
      const { after } = previewed(state, { orders: [], oracle }, [entry(side, bps, 700n)])
      const { asks, bids } = after
      const resting = side === 'ask' ? asks : bids
      assert.deepEqual(
        resting.oracle.map((each) => each.bps),
        order,
      )
      assert.deepEqual(resting.fixed, [])
    }
  })

  test('joins the order of its own distance, whose rate it has where the oracle is not known', () => {
    const state = stateWith({ pair, ask: [oraclePool(10, '100.1'), oraclePool(50, '100.5')] })
    const { after, orders } = previewed(state, { orders: [] }, [entry('ask', 50, 700n)])
    assert.deepEqual(
      after.asks.oracle.map(({ bps, total }) => [bps, total]),
      [
        [10, 500n],
        [50, 1200n],
      ],
    )
    assert.equal(orders[0]?.rate, must('100.5'))
  })

  test('has no rate without a price of the oracle, for a pair without one as the contract says', () => {
    const entries = [entry('ask', 20, 700n)]
    const unknown = failed(
      stateWith({ pair, ask: [oraclePool(10, '100.1')] }),
      { orders: [] },
      entries,
    )
    assert.equal(unknown.refused, 'no_oracle')
    assert.equal(unknown.contractText, undefined)
    assert.equal(unknown.why, 'the oracle price of the pair is not known')
    const without = failed(stateWith({}), { orders: [] }, entries)
    assert.equal(without.contractText, 'No price to adjust for Premium')
  })

  test('is refused at a price of zero, which rounding down gives as well', () => {
    for (const side of ['ask', 'bid'] as const)
      for (const [bps, price] of [
        [-10_000, oracle],
        [-9999, must('0.000000000000000001')],
      ] as const) {
        const result = planOrder(compileBook(stateWith({ pair })), { orders: [], oracle: price }, [
          entry(side, bps, 700n),
        ])
        assert.ok(isOrderFailure(result))
        assert.equal(result.refused, 'no_oracle')
        assert.equal(result.why, 'the oracle price at this distance is zero')
      }
  })

  test('is taken out of the level of its rate in a book, which does not show the kind of an order', () => {
    const { sum: _, product: __, ...level } = pool('100.2', 900n)
    const owner = { orders: [own('ask', 20, 700n)], oracle }
    const cancel = [entry('ask', 20, 0n)]
    const { after, paid } = previewed(stateWith({ pair, ask: [level] }), owner, cancel)
    assert.deepEqual(
      after.asks.fixed.map(({ total }) => total),
      [200n],
    )
    assert.deepEqual(paid, [{ denom: 'base', amount: 700n }])
  })

  test('is cancelled without a change of the book if its level is not in it, as an estimate', () => {
    const owner = { orders: [own('ask', 20, 700n)], oracle }
    for (const ask of [[pool('100.2', 900n)], [pool('100.3', 900n)], []]) {
      const state = stateWith({ pair, ask })
      const { after, paid, exact } = previewed(state, owner, [entry('ask', 20, 0n)])
      assert.deepEqual(after.asks, state.asks)
      assert.deepEqual(paid, [{ denom: 'base', amount: 700n }])
      assert.equal(exact, false)
    }
  })

  test('is closed with the amounts that the pair lists, since a share needs the precision of its pool', () => {
    const { sum: _, product: __, ...level } = pool('100.2', 900n)
    const share = { amount: 700n, filled: 0n, ...FRESH_POOL }
    const order = { ...own('ask', 20, 600n), offered: 700n, filled: 40n, share }
    const owner = { orders: [order], oracle }
    const cancel = [entry('ask', 20, 0n)]
    for (const ask of [[level], []]) {
      const { entries, paid } = previewed(stateWith({ pair, ask }), owner, cancel)
      assert.equal(entries[0]?.claimed.filled, 40n)
      assert.deepEqual(paid[0], { denom: 'base', amount: 600n })
    }
  })

  test('is not taken out of a level that holds less', () => {
    const owner = { orders: [own('ask', 20, 700n)], oracle }
    const state = stateWith({ pair, ask: [oraclePool(20, '100.2', 699n)] })
    assert.equal(failed(state, owner, [entry('ask', 20, 0n)]).refused, 'withdraw_error')
  })
})

test('a message whose payments the pair cannot make is refused, with what is missing', () => {
  const state = stateWith({ pair, ask: [oraclePool(20, '100.2', 700n)] })
  const owner = { orders: [own('ask', 20, 700n)], oracle }
  const short = { ...state, balances: { base: 699n, quote: 0n } }
  const { refused, why } = failed(short, owner, [entry('ask', 20, 0n)])
  assert.equal(refused, 'pair_balance')
  assert.match(why, /^the pair holds 1 base too little for the payments of this message$/)
  const enough = { ...state, balances: { base: 700n, quote: 0n } }
  assert.deepEqual(previewed(enough, owner, [entry('ask', 20, 0n)]).after.balances, {
    base: 0n,
    quote: 0n,
  })
})
