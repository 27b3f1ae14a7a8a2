import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  compileBook,
  executeBook,
  quoteBook,
  simulateBook,
} from '../../../src/engine/market/book.js'
import type { PairState, Side } from '../../../src/engine/market/pair.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { pairOf, pool, quotedMaker, stateWith } from '../../support/books.js'
import { offered } from '../../support/offers.js'

/** Net output of an offer, or the reason of its refusal; simulated, quoted and executed alike. */
function outcome(state: PairState, side: Side, amount: bigint): bigint | string {
  const book = compileBook(state)
  const answers = [simulateBook, quoteBook, executeBook].map((swap) => {
    const fill = swap(book, offered(state, side, amount))
    return isRefusal(fill) ? fill.refused : fill.bought
  })
  assert.ok(answers.every((answer) => answer === answers[0]))
  return answers[0]!
}

type Window = readonly [side: Side, rate: string, total: bigint, from: bigint, to: bigint]

/** Of FIN 1.1: from `ceil((total − 1) ÷ factor)` to one below `floor(total ÷ factor)`. */
const windows: readonly Window[] = [
  ['ask', '1000', 600n, 599_000n, 599_999n],
  ['ask', '91219', 51_000n, 4_652_077_782n, 4_652_168_999n],
  ['bid', '0.00005', 1000n, 19_980_000n, 19_999_999n],
  ['bid', '0.5', 4n, 6n, 7n],
  ['ask', '1', 600n, 599n, 599n],
  ['bid', '1', 600n, 599n, 599n],
  ['ask', '1000', 1n, 1n, 999n],
  ['bid', '0.3', 1n, 1n, 2n],
]

const alone = (version: string, side: Side, rate: string, total: bigint) =>
  stateWith({ pair: pairOf({ version }), [side]: [pool(rate, total)] })

describe('FIN 1.1 aborts where an offer ends within one atomic of draining a pool', () => {
  for (const [side, rate, total, from, to] of windows) {
    const state = alone('1.1.0', side, rate, total)
    const at = (amount: bigint) => outcome(state, side, amount)
    test(`of ${side} ${total} at ${rate}: exactly from ${from} to ${to}`, () => {
      assert.deepEqual(
        [at(from), at((from + to) / 2n), at(to)],
        ['abort_window', 'abort_window', 'abort_window'],
      )
      if (from > 1n) assert.equal(typeof at(from - 1n), 'bigint')
      assert.equal(at(to + 1n), total)
    })
  }

  const clear: readonly (readonly [Side, string, bigint])[] = [
    ['bid', '3', 1000n],
    ['bid', '1.5', 7n],
    ['ask', '0.3', 11n],
  ]
  for (const [side, rate, total] of clear)
    test(`except ${side} ${total} at ${rate}, where an atomic bought is worth less than one sold`, () => {
      const state = alone('1.1.0', side, rate, total)
      for (let amount = 0n; amount < 500n; amount += 1n)
        assert.equal(typeof outcome(state, side, amount), 'bigint')
    })
})

describe('other FIN versions at the offers on which FIN 1.1 aborts', () => {
  for (const [side, rate, total, from, to] of windows) {
    test(`FIN 1.0 leaves one atomic of ${side} ${total} at ${rate}`, () => {
      for (const amount of [from, to])
        assert.equal(outcome(alone('1.0.0', side, rate, total), side, amount), total - 1n)
    })
    test(`an unknown tolerance refuses to end within ${side} ${total} at ${rate}`, () => {
      for (const version of ['2.0.4', '2.1.6', 'main'])
        for (const amount of [from, to]) {
          const state = alone(version, side, rate, total)
          assert.equal(outcome(state, side, amount), 'abort_window')
        }
    })
  }
})

describe('an abort window behind other levels', () => {
  const side = { ask: [pool('1000', 600n), pool('1010', 100n)] }
  const state = stateWith(side)

  test('begins where the levels before it are drained', () => {
    const last = 600_000n + 101_000n
    assert.equal(outcome(state, 'ask', last - 1n), 'abort_window')
    // 99 atomics are worth 99,990 and a fraction: the inverse of 1010 is rounded down.
    assert.equal(outcome(state, 'ask', last - 1009n), 'abort_window')
    assert.equal(outcome(state, 'ask', last - 1010n), 698n)
    assert.equal(outcome(state, 'ask', last), 700n)
  })

  test('has no effect on an offer that passes its level', () =>
    assert.equal(outcome(state, 'ask', 600_001n), 600n))

  test('has no effect where another part of the group leaves enough of its share', () => {
    const makers = [quotedMaker('maker', { bid: [['0.1099', 113n]] })]
    const tied = stateWith({ pair: pairOf({ tick: 2 }), bid: [pool('0.1', 57n)], makers })
    // The pool's share of 1671 is 560: one atomic short of 57, which cost 570.
    assert.equal(outcome(tied, 'bid', 1671n), 170n)
    assert.equal(outcome(stateWith({ bid: [pool('0.1', 57n)] }), 'bid', 560n), 'abort_window')
    assert.equal(outcome(stateWith({ bid: [pool('0.1', 57n)] }), 'bid', 569n), 'abort_window')
  })
})

describe('swaps at the limit of 128 bits', () => {
  const past = 340_282_366_920_938_463_464n
  test('refuse an output whose fee overflows, and accept one atomic less', () => {
    const state = stateWith({ bid: [pool('1', past * 2n)] })
    assert.equal(outcome(state, 'bid', past), 'overflow')
    assert.equal(outcome(state, 'bid', past - 1n), past - 1n)
  })
  test('refuse an offer too large for a maker even where an order would take it', () => {
    const makers = [quotedMaker('maker', { bid: [['0.5', 10n]] })]
    const state = stateWith({ bid: [pool('1', 10n)], makers })
    assert.equal(outcome(state, 'bid', past + 10n), 'overflow')
    assert.equal(outcome(state, 'bid', past + 9n), 20n)
  })
  test('refuse to drain an ask whose inverse price is zero, since the contract divides by it', () => {
    const state = stateWith({ ask: [pool('10', 1n), pool('1000000000000000001', 1n)] })
    assert.equal(outcome(state, 'ask', 10n), 1n)
    assert.equal(outcome(state, 'ask', 11n), 'overflow')
    const crossed = stateWith({ ask: [pool('1000000000000000001', 1n)], bid: [pool('2', 10n)] })
    assert.equal(outcome(crossed, 'ask', 11n), 'overflow')
  })
  test('stop before a level that overflows, because levels are read one ahead', () => {
    const makers = [quotedMaker('maker', { bid: [['0.5', past]] })]
    const state = stateWith({ bid: [pool('1', 10n)], makers })
    assert.equal(outcome(state, 'bid', 5n), 'overflow')
  })
})
