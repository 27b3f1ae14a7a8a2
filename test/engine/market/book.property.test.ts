import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  compileBook,
  executeBook,
  type Fill,
  quoteBook,
  settleBook,
  simulateBook,
} from '../../../src/engine/market/book.js'
import type { MakerOrder } from '../../../src/engine/market/commit.js'
import {
  type Maker,
  type PairState,
  restingOf,
  type Side,
  type XykMaker,
} from '../../../src/engine/market/pair.js'
import { priceLevels } from '../../../src/engine/market/price-levels.js'
import { isRefusal, type Refusal } from '../../../src/engine/market/refusal.js'
import { groupTotal } from '../../../src/engine/market/resting-orders.js'
import { ONE } from '../../../src/engine/math/decimal.js'
import { anySide, anyState, POOLS, runs } from '../../support/books.js'
import { anyOffer, offered, offerOf } from '../../support/offers.js'

const anyOffers = fc.array(anyOffer, { minLength: 1, maxLength: 6 })

const figuresOf = (fill: Fill | Refusal): object =>
  isRefusal(fill)
    ? { refused: fill.refused }
    : (({ side, sold, unsold, bought, fee, groups, exact }) => ({
        side,
        sold,
        unsold,
        bought,
        fee,
        groups,
        exact,
      }))(fill)

describe('one swap through any book', () => {
  test('sells the offer or returns it to the last atomic, whether simulated, quoted or executed', () => {
    fc.assert(
      fc.property(anyState(), anySide, anyOffers, (state, side, draws) => {
        const book = compileBook(state)
        for (const draw of draws) {
          const offer = offerOf(state, side, draw)
          for (const swap of [simulateBook, quoteBook, executeBook]) {
            const fill = swap(book, offered(state, side, offer))
            if (isRefusal(fill)) continue
            assert.equal(fill.sold + fill.unsold, offer)
            assert.ok(fill.sold >= 0n && fill.unsold >= 0n)
            assert.equal(fill.side, side)
          }
        }
      }),
      runs(50),
    )
  })

  test('buys no more than the groups it visits show', () => {
    fc.assert(
      fc.property(anyState(), anySide, anyOffers, (state, side, draws) => {
        const book = compileBook(state)
        for (const draw of draws) {
          const fill = simulateBook(book, offered(state, side, offerOf(state, side, draw)))
          if (isRefusal(fill)) continue
          let depth = 0n
          const groups = priceLevels(state, side)
          for (let i = 0; i < fill.groups; i += 1) depth += groupTotal(groups.next().value as never)
          assert.ok(fill.bought + fill.fee <= depth)
          if (fill.unsold > 0n) assert.equal(groups.next().done, true)
        }
      }),
      runs(50),
    )
  })

  test('pays the fee as its share of the amount bought, rounded up, and never more than that amount', () => {
    fc.assert(
      fc.property(anyState(), anySide, anyOffer, (state, side, draw) => {
        const offer = offered(state, side, offerOf(state, side, draw))
        const fill = quoteBook(compileBook(state), offer)
        fc.pre(!isRefusal(fill))
        const exact = (fill.bought + fill.fee) * state.pair.takerFee
        assert.ok(fill.fee * ONE >= exact && (fill.fee - 1n) * ONE < exact)
        assert.ok(fill.fee >= 0n && fill.bought >= 0n)
      }),
      runs(100),
    )
  })

  test('executes as quoted: amounts, groups, exactness and the reason of a refusal', () => {
    fc.assert(
      fc.property(anyState(), anySide, anyOffers, (state, side, draws) => {
        const book = compileBook(state)
        for (const draw of draws) {
          const offer = offered(state, side, offerOf(state, side, draw))
          const [quoted, executed] = [quoteBook(book, offer), executeBook(book, offer)]
          // A quote may be marked inexact although it is exact (docs/maths.md#exactness).
          const never = { ...quoted, exact: !isRefusal(executed) && executed.exact }
          const same = isRefusal(quoted) || quoted.exact ? quoted : (never as Fill)
          assert.deepEqual(figuresOf(same), figuresOf(executed))
        }
      }),
      runs(100),
    )
  })

  test('settles as it executes: the same fill and the same pair behind it', () => {
    fc.assert(
      fc.property(anyState(), anySide, anyOffers, (state, side, draws) => {
        const book = compileBook(state)
        for (const draw of draws) {
          const offer = offered(state, side, offerOf(state, side, draw))
          const [simulated, executed] = [settleBook(book, offer), executeBook(book, offer)]
          assert.deepEqual(figuresOf(simulated), figuresOf(executed))
          if (!isRefusal(simulated) && !isRefusal(executed))
            assert.deepEqual(simulated.after.state, executed.after.state)
        }
      }),
      runs(100),
    )
  })

  test('gives the same answer whatever was computed before', () => {
    fc.assert(
      fc.property(anyState(), anySide, anyOffers, (state, side, draws) => {
        const offers = draws.map((draw) => offered(state, side, offerOf(state, side, draw)))
        const simulatedFirst = compileBook(state)
        const answers = offers.map((offer) => figuresOf(quoteBook(simulatedFirst, offer)))
        const again = offers
          .toReversed()
          .map((offer) => figuresOf(quoteBook(simulatedFirst, offer)))
        assert.deepEqual(again.toReversed(), answers)
        for (const [i, offer] of offers.entries())
          assert.deepEqual(figuresOf(quoteBook(compileBook(state), offer)), answers[i])
      }),
      runs(50),
    )
  })

  test('pays on execution what simulate returns where the arbitrage step leaves the book unchanged', () => {
    fc.assert(
      fc.property(anyState({ ...POOLS, xyk: 1 }), anySide, anyOffers, (state, side, draws) => {
        const book = compileBook(state)
        const arbitrage = book.afterArbitrage()
        fc.pre(!isRefusal(arbitrage) && !arbitrage.changed)
        for (const draw of draws) {
          const offer = offered(state, side, offerOf(state, side, draw))
          const quoted = quoteBook(book, offer)
          if (!isRefusal(quoted) || quoted.refused !== 'empty_maker_message')
            assert.deepEqual(figuresOf(quoted), figuresOf(simulateBook(book, offer)))
        }
      }),
      runs(50),
    )
  })
})

describe('the pair after a swap', () => {
  test('has paid the taker from each pool what it sold, and holds no drained pools', () => {
    fc.assert(
      fc.property(anyState(), anySide, anyOffer, (state, side, draw) => {
        const book = compileBook(state)
        const done = executeBook(book, offered(state, side, offerOf(state, side, draw)))
        const arbitrage = book.afterArbitrage()
        fc.pre(!isRefusal(done) && !isRefusal(arbitrage))
        const before = totals(arbitrage.state, side)
        for (const { live } of done.trades)
          for (const { part, bought, left } of live.pools) {
            const key = `${part.pool.origin} ${part.pool.rate}`
            assert.equal(before.get(key), bought + left)
            if (left > 0n) before.set(key, left)
            else before.delete(key)
          }
        assert.deepEqual(totals(done.after.state, side), before)
        const other: Side = side === 'ask' ? 'bid' : 'ask'
        assert.deepEqual(totals(done.after.state, other), totals(arbitrage.state, other))
      }),
      runs(50),
    )
  })

  test('has each maker one constant-product step further, paid what it asked', () => {
    fc.assert(
      fc.property(anyState({ ...POOLS, xyk: 2 }), anySide, anyOffer, (state, side, draw) => {
        const book = compileBook(state)
        const done = executeBook(book, offered(state, side, offerOf(state, side, draw)))
        const arbitrage = book.afterArbitrage()
        fc.pre(!isRefusal(done) && !isRefusal(arbitrage))
        for (const [i, was] of arbitrage.state.makers.entries()) {
          const now: Maker | undefined = done.after.state.makers[i]
          const order: MakerOrder | undefined = done.orders.find(({ maker }) => maker === i)
          if (order === undefined) assert.equal(now, was)
          else {
            assert.ok(was.kind === 'xyk' && now?.kind === 'xyk')
            const [x, y] = paidAndGiven(was, side)
            const [x2, y2] = paidAndGiven(now, side)
            assert.equal(x2, x + order.sold)
            assert.ok(x2 * y2 >= x * y && x2 * (y2 - 1n) < x * y)
            assert.ok(order.asked <= y - y2)
          }
        }
      }),
      runs(50),
    )
  })

  test('has balances changed by exactly the amounts paid in and out', () => {
    fc.assert(
      fc.property(anyState(), anySide, anyOffer, (state, side, draw) => {
        const balances = { base: 10n ** 30n, quote: 10n ** 30n }
        const book = compileBook({ ...state, balances })
        const done = executeBook(book, offered(state, side, offerOf(state, side, draw)))
        const arbitrage = book.afterArbitrage()
        fc.pre(!isRefusal(done) && !isRefusal(arbitrage))
        const [sold, bought] =
          side === 'ask' ? (['quote', 'base'] as const) : (['base', 'quote'] as const)
        const before = arbitrage.state.balances
        const after = done.after.state.balances
        assert.ok(before && after)
        const toMakers = done.orders.reduce((all, order) => all + order.sold, 0n)
        const fromMakers = done.orders.reduce((all, order) => all + order.asked, 0n)
        assert.equal(after[sold], before[sold] + done.sold - toMakers)
        assert.equal(after[bought], before[bought] + fromMakers - done.bought - done.fee)
      }),
      runs(50),
    )
  })

  test('holds at least its resting orders if it did before', () => {
    fc.assert(
      fc.property(anyState({ ...POOLS, xyk: 2 }), anySide, anyOffer, (state, side, draw) => {
        const balances = { base: sum(state, 'ask'), quote: sum(state, 'bid') }
        const book = compileBook({ ...state, balances })
        const done = executeBook(book, offered(state, side, offerOf(state, side, draw)))
        fc.pre(!isRefusal(done))
        const { state: after } = done.after
        assert.ok(after.balances)
        assert.ok(after.balances.base >= sum(after, 'ask'))
        assert.ok(after.balances.quote >= sum(after, 'bid'))
      }),
      runs(50),
    )
  })
})

/** A maker's reserves: the one that pays takers of this side, and the one that is paid in. */
const paidAndGiven = (maker: XykMaker, side: Side): readonly [bigint, bigint] =>
  (maker.x === 'quote') === (side === 'ask')
    ? [maker.reserveX, maker.reserveY]
    : [maker.reserveY, maker.reserveX]

const pools = (state: PairState, side: Side) => {
  const { fixed, oracle } = restingOf(state, side)
  return [...fixed, ...oracle]
}

const totals = (state: PairState, side: Side) =>
  new Map(pools(state, side).map((pool) => [`${pool.origin} ${pool.rate}`, pool.total]))

const sum = (state: PairState, side: Side): bigint =>
  pools(state, side).reduce((all, pool) => all + pool.total, 0n)
