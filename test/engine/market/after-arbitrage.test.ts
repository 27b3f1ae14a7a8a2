import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { afterArbitrage } from '../../../src/engine/market/after-arbitrage.js'
import {
  compileBook,
  executeBook,
  quoteBook,
  simulateBook,
} from '../../../src/engine/market/book.js'
import type { PairState } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { pairOf, pool, quotedMaker, stateWith, xykMaker } from '../../support/books.js'
import { must } from '../../support/matching.js'

type Denom = 'base' | 'quote'

const simulated = (state: PairState, denom: Denom, amount: bigint) => {
  const fill = simulateBook(compileBook(state), { denom, amount })
  return isRefusal(fill) ? fill.refused : [fill.bought, fill.fee, fill.unsold]
}

const executed = (state: PairState, denom: Denom, amount: bigint) => {
  const book = compileBook(state)
  const [done, quoted] = [executeBook(book, { denom, amount }), quoteBook(book, { denom, amount })]
  if (isRefusal(done) || isRefusal(quoted)) {
    assert.deepEqual(isRefusal(done) && done.refused, isRefusal(quoted) && quoted.refused)
    return isRefusal(done) ? done.refused : 'accepted'
  }
  assert.deepEqual([quoted.bought, quoted.unsold], [done.bought, done.unsold])
  return [done.bought, done.fee, done.unsold]
}

const settled = (state: PairState) => {
  const after = afterArbitrage(state)
  assert.ok(!isRefusal(after), 'refused')
  return after
}

const bow = xykMaker(200_000_000n, 200_000_000_000n)

describe('the arbitrage step before a swap', () => {
  const crossed = stateWith({ ask: [pool('1000', 500n)], bid: [pool('1010', 202_000n)] })

  test('clears a bid above the ask, so that a taker who sells finds no bid', () => {
    assert.deepEqual(simulated(crossed, 'base', 100n), [101_000n, 0n, 0n])
    assert.deepEqual(executed(crossed, 'base', 100n), [0n, 0n, 100n])
    assert.deepEqual(settled(crossed).profit, { base: 2n, quote: 0n })
  })
  test('clears a bid above the ask, so that a taker who buys finds a shorter ask', () => {
    assert.deepEqual(simulated(crossed, 'quote', 500_000n), [500n, 0n, 0n])
    assert.deepEqual(executed(crossed, 'quote', 500_000n), [298n, 0n, 202_000n])
  })
  test('removes the smaller side and shortens the larger one', () => {
    const { state } = settled(crossed)
    assert.deepEqual(state.bids.fixed, [])
    assert.deepEqual(
      state.asks.fixed.map(({ total }) => total),
      [298n],
    )
  })
  test('gives a pool the sum and product of both rounds that filled it, not of the discarded one', () => {
    const bid = [pool('1001', 100_100n), pool('1000', 200_000n), pool('999', 99_900n)]
    const { state } = settled(stateWith({ ask: [pool('1000', 500n)], bid }))
    // 100,100 of 500, then 200,000 of 400 weighed by the 0.8 that the first left; the third would lose.
    const precision = { sum: { mantissa: 6002n, scale: 1 }, product: { mantissa: 4n, scale: 1 } }
    assert.deepEqual(state.asks.fixed, [{ ...pool('1000', 200n), ...precision }])
  })
  test('matches equal prices without profit', () => {
    const after = settled(stateWith({ ask: [pool('1000', 500n)], bid: [pool('1000', 100_000n)] }))
    assert.deepEqual(after.profit, { base: 0n, quote: 0n })
    assert.deepEqual([after.state.asks.fixed[0]?.total, after.state.bids.fixed.length], [400n, 0])
  })
  test('leaves asks above the bids unchanged', () => {
    const apart = stateWith({ ask: [pool('1010', 500n)], bid: [pool('1000', 100_000n)] })
    assert.equal(settled(apart).changed, false)
    assert.equal(settled(apart).state, apart)
  })
})

describe('the arbitrage step of a pair whose book shows no cross', () => {
  const fee = pairOf({ takerFee: must('0.0015') })
  const dusty = stateWith({
    pair: fee,
    ask: [pool('6', 61n)],
    bid: [pool('5.55363', 32n), pool('5.49188', 1083n)],
  })

  test('matches a bid of 32 atomics, worth five whole base, with an ask at six', () => {
    assert.deepEqual(simulated(dusty, 'base', 202n), [1111n, 2n, 0n])
    assert.deepEqual(executed(dusty, 'base', 202n), [1081n, 2n, 5n])
    assert.deepEqual(settled(dusty).profit, { base: 0n, quote: 0n })
  })

  test('may clear the very pool that makes simulate abort', () => {
    const blocked = stateWith({
      ask: [pool('0.03213', 2_355_101_571_057n)],
      bid: [pool('0.0321', 6n)],
    })
    assert.equal(simulated(blocked, 'base', 183n), 'abort_window')
    assert.deepEqual(executed(blocked, 'base', 183n), [0n, 0n, 183n])
  })
})

describe('makers in the arbitrage step', () => {
  test('sell to an ask below their bid, and the difference is profit', () => {
    const balances = { base: 10_000n, quote: 7n }
    const after = settled(stateWith({ ask: [pool('998', 10_000n)], makers: [bow], balances }))
    assert.deepEqual(after.orders, {
      asks: [],
      bids: [{ maker: 0, sold: 10_000n, asked: 9_990_009n }],
    })
    assert.deepEqual(after.profit, { base: 0n, quote: 10_009n })
    assert.deepEqual(after.capital, { base: 10_000n, quote: 0n })
    assert.deepEqual(after.state.balances, { base: 0n, quote: 9_980_007n })
    assert.deepEqual(after.state.asks.fixed, [])
  })

  test('are bought from by a bid above two of their levels', () => {
    const pair = pairOf({ tick: 8 })
    const after = settled(stateWith({ pair, bid: [pool('1004', 600_000_000n)], makers: [bow] }))
    assert.deepEqual(after.orders.asks, [{ maker: 0, sold: 400_200_000n, asked: 399_398n }])
    assert.equal(after.certain, true)
  })

  const apart = [
    quotedMaker('seller', { ask: [['0.5', 50n]] }),
    quotedMaker('buyer', { bid: [['3', 150n]] }),
  ]
  const lowBalances = { base: 0n, quote: 40n }

  test('that cross are paid from the balance of the pair and the coin of the taker', () => {
    const after = settled(stateWith({ makers: apart }))
    assert.deepEqual(after.orders.asks, [{ maker: 0, sold: 100n, asked: 50n }])
    assert.deepEqual(after.orders.bids, [{ maker: 1, sold: 50n, asked: 150n }])
    assert.deepEqual(after.capital, { base: 0n, quote: 100n })
    assert.deepEqual(after.profit, { base: 0n, quote: 50n })
  })
  test('that cross fail every swap of the pair where both the balance and the offer are too small', () => {
    const state = stateWith({ makers: apart, balances: lowBalances })
    assert.equal(executed(state, 'quote', 59n), 'arb_capital')
    assert.equal(executed(state, 'base', 1000n), 'arb_capital')
    assert.notEqual(executed(state, 'quote', 60n), 'arb_capital')
  })
  test('make an answer inexact with unknown balances unless the resting orders pay for the step', () => {
    const makers = [
      xykMaker(10n ** 9n, 10n ** 9n, { address: 'seller' }),
      xykMaker(10n ** 9n, 1_100_000_000n, { address: 'buyer' }),
    ]
    const exact = (bids: readonly ReturnType<typeof pool>[]) => {
      const book = compileBook(stateWith({ bid: bids, makers }))
      const fill = quoteBook(book, { denom: 'base', amount: 1000n })
      return !isRefusal(fill) && fill.exact
    }
    assert.equal(exact([]), false)
    assert.equal(exact([pool('0.1', 10n ** 9n)]), true)
  })
})

describe('an arbitrage step that never ends', () => {
  const equalMaker = (address: string) => quotedMaker(address, { bid: [['1', 10n]] })
  const stuck = stateWith({ ask: [pool('1', 1n)], makers: [equalMaker('a'), equalMaker('b')] })

  test('is one atomic between two tied makers, which moves nothing', () => {
    const after = afterArbitrage(stuck)
    assert.ok(isRefusal(after) && after.refused === 'arb_endless')
  })
  test('fails every swap of the pair, while simulate works', () => {
    assert.equal(executed(stuck, 'quote', 1n), 'arb_endless')
    assert.equal(executed(stuck, 'base', 5n), 'arb_endless')
    assert.deepEqual(simulated(stuck, 'base', 4n), [4n, 0n, 0n])
  })
  test('does not occur with one maker, or with two atomics', () => {
    assert.equal(settled({ ...stuck, makers: [equalMaker('a')] }).changed, true)
    const two = stateWith({ ask: [pool('1', 2n)], makers: [equalMaker('a'), equalMaker('b')] })
    assert.equal(settled(two).changed, true)
  })
})

test('a pool without spare precision fails the arbitrage step and every swap, but not simulate', () => {
  const lowPrecision = {
    sum: { mantissa: 1n, scale: 0 },
    product: { mantissa: 3n ** 161n, scale: 90 },
  }
  const state = stateWith({
    ask: [{ ...pool('1000', 2000n), ...lowPrecision }],
    bid: [pool('1000', 1_000_000n)],
  })
  assert.equal(executed(state, 'base', 1n), 'pool_precision')
  assert.deepEqual(simulated(state, 'base', 1n), [1000n, 0n, 0n])
})
