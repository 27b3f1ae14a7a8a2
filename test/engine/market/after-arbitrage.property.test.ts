import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { afterArbitrage } from '../../../src/engine/market/after-arbitrage.js'
import { compileBook, executeBook, quoteBook } from '../../../src/engine/market/book.js'
import { type PairState, restingOf, type Side } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { ANY_BOOK, anySide, anyState, POOLS, runs } from '../../support/books.js'
import { anyOffer, offered, offerOf } from '../../support/offers.js'

const CROSSED = { ...ANY_BOOK, cross: 4 }

test('the arbitrage step never loses: its profits and required coins are not negative', () => {
  fc.assert(
    fc.property(anyState(CROSSED), (state) => {
      const after = afterArbitrage(state)
      fc.pre(!isRefusal(after))
      for (const denom of ['base', 'quote'] as const) {
        assert.ok(after.profit[denom] >= 0n)
        assert.ok(after.capital[denom] >= after.profit[denom] - paid(after.orders, denom))
        assert.ok(after.capital[denom] >= 0n)
      }
    }),
    runs(160),
  )
})

test('the arbitrage step takes on one side what the other side gives, less the profit', () => {
  fc.assert(
    fc.property(anyState({ ...POOLS, cross: 4, oraclePools: 0 }), (state) => {
      const after = afterArbitrage(state)
      fc.pre(!isRefusal(after) && after.changed)
      const [base, quote] = [paidOut(state, after.state, 'ask'), paidOut(state, after.state, 'bid')]
      assert.ok(base >= after.profit.base && quote >= after.profit.quote)
      assert.ok(base + quote > 0n)
    }),
    runs(80),
  )
})

test('the arbitrage step over limit orders alone is idempotent', () => {
  fc.assert(
    fc.property(anyState({ ...POOLS, cross: 4 }), (state) => {
      const after = afterArbitrage(state)
      fc.pre(!isRefusal(after))
      const again = afterArbitrage(after.state)
      assert.ok(!isRefusal(again) && !again.changed)
      assert.equal(again.state, after.state)
      assert.deepEqual(again.profit, { base: 0n, quote: 0n })
    }),
    runs(160),
  )
})

test('an arbitrage step without trades returns the same state object', () => {
  fc.assert(
    fc.property(anyState({ ...ANY_BOOK, cross: 0 }), (state) => {
      const after = afterArbitrage(state)
      fc.pre(!isRefusal(after) && !after.changed)
      assert.equal(after.state, state)
      assert.deepEqual(after.orders, { asks: [], bids: [] })
    }),
    runs(80),
  )
})

test('the arbitrage step does not depend on the offer: only whether its capital suffices does', () => {
  fc.assert(
    fc.property(anyState(CROSSED), anySide, anyOffer, (state, side, draw) => {
      const book = compileBook(state)
      const arbitrage = book.afterArbitrage()
      const offer = offered(state, side, offerOf(state, side, draw))
      const [quoted, done] = [quoteBook(book, offer), executeBook(book, offer)]
      if (isRefusal(arbitrage)) assert.ok(isRefusal(quoted) && quoted.refused === arbitrage.refused)
      else if (!isRefusal(done)) assert.deepEqual(done.profit, arbitrage.profit)
      const lacking = isRefusal(quoted) && quoted.refused === 'arb_capital'
      if (lacking && !isRefusal(arbitrage)) assert.ok(isShort(state, arbitrage.capital, offer))
    }),
    runs(100),
  )
})

function isShort(
  { balances, pair }: PairState,
  capital: { readonly base: bigint; readonly quote: bigint },
  offer: { readonly denom: string; readonly amount: bigint },
): boolean {
  assert.ok(balances)
  return (['base', 'quote'] as const).some(
    (denom) => capital[denom] > balances[denom] + (offer.denom === pair[denom] ? offer.amount : 0n),
  )
}

/** What the resting orders of a side paid out between two states of a pair. */
const paidOut = (before: PairState, after: PairState, side: Side): bigint =>
  total(before, side) - total(after, side)

const total = (state: PairState, side: Side): bigint =>
  restingOf(state, side).fixed.reduce((sum, pool) => sum + pool.total, 0n)

/** What the makers pay in a denom: ask side makers pay the base of their asks. */
const paid = (
  orders: { readonly asks: readonly Order[]; readonly bids: readonly Order[] },
  denom: 'base' | 'quote',
): bigint => orders[denom === 'base' ? 'asks' : 'bids'].reduce((sum, { asked }) => sum + asked, 0n)
type Order = { readonly asked: bigint }
