import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { afterArbitrage } from '../../../src/engine/market/after-arbitrage.js'
import {
  compileBook,
  executeBook,
  quoteBook,
  simulateBook,
} from '../../../src/engine/market/book.js'
import { makerOrders, restAfter } from '../../../src/engine/market/commit.js'
import type { PairState } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { levelRate } from '../../../src/engine/market/venues/maker-level.js'
import { xykLadder } from '../../../src/engine/market/venues/xyk.js'
import { walk } from '../../../src/engine/market/walk.js'
import { formatDecimal } from '../../../src/engine/math/decimal.js'
import { pairOf, pool, quotedMaker, stateWith, xykMaker } from '../../support/books.js'
import { must } from '../../support/matching.js'

/** What selling this much base pays on execution; the quote must agree. */
function sell(state: PairState, amount: bigint): bigint | string {
  const book = compileBook(state)
  const [done, quoted] = [executeBook, quoteBook].map((swap) => {
    const fill = swap(book, { denom: 'base', amount })
    return isRefusal(fill) ? fill.refused : fill.bought
  })
  assert.equal(done, quoted)
  return done!
}

const at = (version: string | undefined, tick = 6) => pairOf({ version, tick })

const tied = (count: number, price: string, size: bigint) =>
  Array.from({ length: count }, (_, i) => quotedMaker(`maker${i}`, { bid: [[price, size]] }))

describe('counterexamples to: offering more never buys less', () => {
  test('with three tied makers, 18 pays less than 17, which leaves two atomics to the next level', () => {
    for (const version of ['1.1.0', '2.1.6', '2.0.4']) {
      const bid = [pool('0.5', 50n)]
      const state = stateWith({ pair: at(version), bid, makers: tied(3, '0.6', 50n) })
      assert.deepEqual([sell(state, 17n), sell(state, 18n)], [10n, 9n])
    }
  })

  test('two tied makers before an order of one atomic, which FIN 1.1 gives for less', () => {
    const bid = [pool('0.8', 1n)]
    const state = stateWith({ pair: at('1.1.0'), bid, makers: tied(2, '0.9', 50n) })
    assert.deepEqual([sell(state, 21n), sell(state, 22n)], [19n, 18n])
    assert.deepEqual(sell({ ...state, pair: at('1.0.0') }, 21n), 18n)
  })

  test('an order tied with a maker twice: the tolerance of the first takes from the second', () => {
    const levels = [
      ['0.1099', 113n],
      ['0.095', 1n],
    ] as const
    const state = stateWith({
      pair: at('1.1.0', 2),
      bid: [pool('0.1', 57n), pool('0.095', 7n)],
      makers: [quotedMaker('maker', { bid: levels })],
    })
    assert.deepEqual([sell(state, 1670n), sell(state, 1671n)], [176n, 175n])
  })

  test('three tied makers lose more than half of what an offer atomic buys in each of them', () => {
    const makers = [1n, 1n, 20n].map((size, i) =>
      quotedMaker(`maker${i}`, { bid: [['0.698027', size]] }),
    )
    const book = compileBook(
      stateWith({ pair: at('1.1.0', 8), bid: [pool('0.693036', 2n)], makers }),
    )
    const bought = [21n, 22n].map((amount) => {
      const fill = simulateBook(book, { denom: 'base', amount })
      return isRefusal(fill) ? fill.refused : fill.bought
    })
    assert.deepEqual(bought, [15n, 13n])
  })
})

describe('counterexamples to: an execution pays no more than simulate returns', () => {
  test('the arbitrage step may clear an order ahead of the offer', () => {
    const state = stateWith({ ask: [pool('0.996004', 3n)], bid: [pool('0.999996', 1n, 'oracle')] })
    const book = compileBook(state)
    const offer = { denom: 'quote', amount: 1n }
    const [simulated, executed] = [simulateBook(book, offer), executeBook(book, offer)]
    assert.ok(!isRefusal(simulated) && !isRefusal(executed))
    assert.deepEqual([simulated.bought, executed.bought], [1n, 2n])
  })
})

describe('counterexamples to: the arbitrage step of a pair with makers is idempotent', () => {
  const maker = xykMaker(9_549_478_148_601n, 84_035_407_707_688n, {
    step: must('0.01'),
    fee: must('0.02'),
    minQuote: 95_494_781_486n,
  })
  const state = stateWith({
    pair: at('1.1.0', 2),
    ask: [
      pool('8.4', 300_765_240_782n),
      pool('8.5', 4n),
      pool('8.4', 1_747_083_440_756n, 'oracle'),
    ],
    bid: [pool('8.5', 2_446_179_194_624n), pool('8.7', 17_201_928_924_866n, 'oracle')],
    makers: [maker],
  })

  test('a maker quotes new levels after the step, and rounding down lets the next step trade with them', () => {
    const once = afterArbitrage(state)
    assert.ok(!isRefusal(once))
    assert.deepEqual(once.orders.bids, [{ maker: 0, sold: 3n, asked: 25n }])
    const twice = afterArbitrage(once.state)
    assert.ok(!isRefusal(twice) && twice.changed)
    assert.deepEqual(twice.orders.bids, [{ maker: 0, sold: 2n, asked: 17n }])
    assert.deepEqual(twice.profit, { base: 0n, quote: 0n })
  })
})

describe('counterexamples to: an unknown version pays no more than FIN 1.1', () => {
  test('three tied makers share one atomic less, which buys one more', () => {
    const bid = [pool('0.7', 1n), pool('0.5', 50n)]
    const state = stateWith({ pair: at(undefined), bid, makers: tied(3, '0.6', 50n) })
    assert.equal(sell(state, 19n), 11n)
    assert.equal(sell({ ...state, pair: at('1.1.0') }, 19n), 10n)
  })

  test('an earlier group that costs an atomic more avoids an offer on which FIN 1.1 aborts', () => {
    const state = stateWith({ pair: at(undefined), bid: [pool('0.7', 1n), pool('0.4', 1n)] })
    assert.equal(sell({ ...state, pair: at('1.1.0') }, 2n), 'abort_window')
    assert.equal(sell(state, 2n), 1n)
    const fill = quoteBook(compileBook(state), { denom: 'base', amount: 2n })
    assert.ok(!isRefusal(fill) && !fill.exact)
  })
})

describe('counterexamples to: two swaps buy no more than one of their sum', () => {
  test('each swap divides its offer among tied orders separately', () => {
    for (const [version, fixed, oracle] of [
      ['1.1.0', 2n, 4n],
      ['1.0.0', 1n, 3n],
    ] as const) {
      const bid = [pool('0.5', fixed), pool('0.5', oracle, 'oracle')]
      const state = stateWith({ pair: at(version), bid })
      const first = walk(state, 'bid', 2n)
      const liveGroups = first.trades.map((trade) => trade.live)
      assert.deepEqual(makerOrders(state.pair.rules, liveGroups), [])
      const second = walk({ ...state, bids: restAfter(state, 'bid', liveGroups) }, 'bid', 2n)
      assert.deepEqual([first.gross, second.gross, walk(state, 'bid', 4n).gross], [1n, 1n, 1n])
    }
  })
})

describe('counterexamples to: the levels of a maker descend in price', () => {
  test('rounding down a small step makes the seventh level show a better rate than the sixth', () => {
    const maker = xykMaker(10_053_970n, 10_053_970n, { step: must('0.0001'), minQuote: 1000n })
    const levels = [...xykLadder(maker, 'base')].slice(5, 7)
    assert.deepEqual(
      levels.map((level) => [formatDecimal(levelRate('bid', 6, level)), level.size]),
      [
        ['0.997014', 1002n],
        ['0.997017', 1003n],
      ],
    )
  })
})
