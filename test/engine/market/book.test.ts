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
import { walk } from '../../../src/engine/market/walk.js'
import { formatDecimal } from '../../../src/engine/math/decimal.js'
import { pairOf, pool, quotedMaker, stateWith, xykMaker } from '../../support/books.js'
import { must } from '../../support/matching.js'

/** An execution, checked against the quote and the simulation of the same offer. */
function swap(state: PairState, denom: 'base' | 'quote', amount: bigint) {
  const book = compileBook(state)
  const done = executeBook(book, { denom, amount })
  assert.ok(!isRefusal(done), 'refused')
  for (const ask of [quoteBook, simulateBook]) {
    const fill = ask(book, { denom, amount })
    assert.ok(!isRefusal(fill))
    assert.deepEqual([fill.bought, fill.fee, fill.unsold], [done.bought, done.fee, done.unsold])
  }
  const trades = done.trades.map(({ rate, sold, bought }) => [formatDecimal(rate), sold, bought])
  return { ...done, trades }
}

const why = (state: PairState, denom: 'base' | 'quote', amount: bigint): string => {
  const done = executeBook(compileBook(state), { denom, amount })
  return isRefusal(done) ? done.refused : 'accepted'
}

describe('worked example A: five groups of orders and one maker', () => {
  const maker = xykMaker(20_000_000n, 2_000_000_000_000n)
  const state = stateWith({
    pair: pairOf({ tick: 8, takerFee: must('0.015') }),
    bid: [
      pool('99700.598', 50_000_000n),
      pool('99600', 50_000_000n),
      pool('100000', 50_000_000n, 'oracle'),
    ],
    makers: [maker],
  })
  const done = swap(state, 'base', 45_500n)

  test('fills 45,500 base over the oracle order, the maker and its tied group', () => {
    assert.deepEqual(done.trades, [
      ['100000', 500n, 50_000_000n],
      ['99900.099', 20_000n, 1_998_001_997n],
      ['99700.598', 20_521n, 2_046_005_991n],
      ['99600', 502n, 50_000_000n],
      ['99501.496', 3977n, 395_717_451n],
    ])
    assert.deepEqual([done.bought, done.fee], [4_471_629_557n, 68_095_882n])
    assert.equal(done.exact, true)
  })

  test('sends the maker one message with the sum of what its levels sold and asked', () => {
    const sold = 20_000n + 20_020n + 3977n
    const asked = 1_998_001_997n + 1_996_005_991n + 395_717_451n
    assert.deepEqual(done.orders, [{ maker: 0, sold, asked }])
  })

  test('removes the drained orders', () => assert.deepEqual(done.after.state.bids.fixed, []))
})

test('worked example B: a fixed and an oracle order at one rate share an offer', () => {
  const state = stateWith({
    bid: [
      pool('90000', 1_250_000_000n),
      pool('87900', 5_100_000_000n),
      pool('90000', 1_000_000_000n, 'oracle'),
    ],
  })
  const done = swap(state, 'base', 30_000n)
  assert.deepEqual(done.trades, [
    ['90000', 24_999n, 2_250_000_000n],
    ['87900', 5001n, 439_587_900n],
  ])
  assert.equal(done.bought, 2_689_587_900n)
  const again = swap(done.after.state, 'base', 100_000n)
  assert.deepEqual([again.bought, again.unsold], [4_660_412_100n, 46_981n])
})

test('worked example C: two makers at one rate leave an atomic to the next level', () => {
  const state = stateWith({
    pair: pairOf({ tick: 8, takerFee: must('0.015') }),
    makers: [
      quotedMaker('base layer', { ask: [['17052.573674776412241516', 499_900_000_000n]] }),
      quotedMaker('bow', {
        ask: [
          ['17052.573581868151794956', 1_169_851_702_931n],
          ['17018.5197', 1_000_000_000_000n],
        ],
      }),
    ],
  })
  const done = swap(state, 'quote', 10_000n)
  assert.deepEqual(done.trades, [
    ['0.000058642175', 9999n, 170_508_683n],
    ['0.000058759518', 1n, 17_018n],
  ])
  assert.deepEqual([done.bought, done.fee], [167_967_815n, 2_557_886n])
  assert.deepEqual(done.orders, [
    { maker: 0, sold: 2993n, asked: 51_038_353n },
    { maker: 1, sold: 7007n, asked: 119_470_330n + 17_018n },
  ])
})

describe('one swap through a book', () => {
  const orders = { ask: [pool('1000', 1600n)], bid: [pool('900', 90_000n)] }
  const state = stateWith(orders)

  test('pays nothing and returns the whole offer on an empty side', () => {
    const { bought, fee, unsold, groups } = swap(stateWith({}), 'base', 7n)
    assert.deepEqual([bought, fee, unsold, groups], [0n, 0n, 7n, 0])
  })
  test('visits one group and takes nothing for an offer of zero', () => {
    const { bought, fee, unsold, groups } = swap(state, 'base', 0n)
    assert.deepEqual([bought, fee, unsold, groups], [0n, 0n, 0n, 1])
  })
  test('rounds the fee up once for the whole swap', () => {
    const pair = pairOf({ takerFee: must('0.0015') })
    assert.deepEqual(swap(stateWith({ ...orders, pair }), 'quote', 1_000_000n).fee, 2n)
    const two = stateWith({ pair, ask: [pool('1000', 500n), pool('1001', 500n)] })
    assert.deepEqual(swap(two, 'quote', 1_000_500n).fee, 2n)
  })
  test('refuses a denom that the pair does not trade', () => {
    const done = quoteBook(compileBook(state), { denom: 'rune', amount: 1n })
    assert.ok(isRefusal(done) && done.refused === 'invalid_denom')
  })
  test('leaves what is behind the levels read unknown, and so the new levels of a maker', () => {
    const exactAfter = (after: PairState, amount: bigint) => {
      const next = quoteBook(compileBook(after), { denom: 'base', amount })
      return !isRefusal(next) && next.exact
    }
    const knownTo = must('900')
    const read = { ...state, bids: { ...state.bids, knownTo } }
    const { after } = swap(read, 'base', 50n)
    assert.deepEqual(
      [50n, 51n].map((amount) => exactAfter(after.state, amount)),
      [true, false],
    )
    const maker = quotedMaker('maker', { bid: [['800', 80_000n]] })
    const met = swap(stateWith({ ...orders, makers: [maker] }), 'base', 110n)
    assert.equal(exactAfter(met.after.state, 1n), false)
  })
  test('takes the whole book and returns the rest of the offer', () => {
    const { sold, unsold, bought } = swap(state, 'quote', 2_000_000n)
    assert.deepEqual([sold, unsold, bought], [1_600_000n, 400_000n, 1600n])
  })
})

describe('a swap that reaches a maker but pays it nothing', () => {
  const maker = quotedMaker('maker', { bid: [['0.4', 100n]] })
  const equalMaker = quotedMaker('twin', { bid: [['0.4', 100n]] })

  const rows: readonly (readonly [string, PairState, bigint, string])[] = [
    [
      'an offer worth less than one atomic',
      stateWith({ makers: [maker] }),
      2n,
      'empty_maker_message',
    ],
    ['an offer worth one atomic', stateWith({ makers: [maker] }), 3n, 'accepted'],
    [
      'a rest of one atomic behind an order',
      stateWith({ bid: [pool('0.5', 10n)], makers: [maker] }),
      21n,
      'empty_maker_message',
    ],
    [
      'an order drained to the last atomic',
      stateWith({ bid: [pool('0.5', 10n)], makers: [maker] }),
      20n,
      'accepted',
    ],
    [
      'two makers that share one atomic',
      stateWith({ makers: [maker, equalMaker] }),
      1n,
      'empty_maker_message',
    ],
    [
      'a second maker of a group that gets no share',
      stateWith({ makers: [maker, quotedMaker('tiny', { bid: [['0.4', 1n]] })] }),
      50n,
      'empty_maker_message',
    ],
    [
      'a maker whose first level pays for its second',
      stateWith({
        makers: [
          quotedMaker('maker', {
            bid: [
              ['0.5', 10n],
              ['0.4', 10n],
            ],
          }),
        ],
      }),
      21n,
      'accepted',
    ],
    ['an offer of nothing', stateWith({ makers: [maker] }), 0n, 'empty_maker_message'],
    [
      'a level whose cost rounds down to nothing',
      stateWith({ makers: [quotedMaker('maker', { bid: [['1000', 7n]] })] }),
      1n,
      'empty_maker_message',
    ],
    [
      'an offer worth less than one atomic and FIN 1.0, which keeps it',
      stateWith({ pair: pairOf({ version: '1.0.0' }), makers: [maker] }),
      2n,
      'accepted',
    ],
  ]
  for (const [title, state, amount, expected] of rows)
    test(`with ${title}: execution is ${expected}, and simulate pays in every case`, () => {
      assert.equal(why(state, 'base', amount), expected)
      const quoted = quoteBook(compileBook(state), { denom: 'base', amount })
      assert.equal(isRefusal(quoted) ? quoted.refused : 'accepted', expected)
      assert.ok(!isRefusal(simulateBook(compileBook(state), { denom: 'base', amount })))
    })
})

describe('a swap with a limit price', () => {
  const state = stateWith({
    ask: [pool('0.22', 3620n)],
    bid: [pool('2', 100n), pool('1', 100n)],
  })
  const takenAt = (side: Side, amount: bigint, price: string, of = state) => {
    const { gross, unsold } = walk(of, side, amount, must(price))
    return [gross, unsold]
  }
  test('stops before the first group whose own average price is worse than the limit', () => {
    assert.deepEqual(takenAt('bid', 100n, '0.5'), [100n, 50n])
    assert.deepEqual(takenAt('bid', 100n, '0.999'), [100n, 50n])
    assert.deepEqual(takenAt('bid', 100n, '1'), [150n, 0n])
    assert.deepEqual(takenAt('bid', 100n, '0.499'), [0n, 100n])
  })
  test('measures the average after the rounding of the group: 85 for 386 is above 0.2202', () => {
    assert.deepEqual(takenAt('ask', 85n, '0.2202'), [0n, 85n])
  })
  test('accepts a third of an atomic as no worse than 0.333333333333333333, its rounded price', () => {
    const thirds = stateWith({ bid: [pool('3', 100n)] })
    assert.deepEqual(takenAt('bid', 10n, '0.333333333333333333', thirds), [30n, 0n])
    assert.deepEqual(takenAt('bid', 10n, '0.333333333333333332', thirds), [0n, 10n])
  })
})
