import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { walk } from '../../../src/engine/market/walk.js'
import { formatDecimal, parseDecimal } from '../../../src/engine/math/decimal.js'
import { toPercent } from '../../../src/engine/math/rational.js'
import { takerLimit, takerOffer, takerRate } from '../../../src/engine/orders/taker-rate.js'
import { pool, quotedMaker, stateWith } from '../../support/books.js'
import { smallMarket } from '../../support/small-market.js'

const book = smallMarket(
  {
    'a/b': {
      base: [
        { price: '1.1', total: '60' },
        { price: '1.2', total: '40' },
      ],
      quote: [
        { price: '1', total: '100' },
        { price: '0.5', total: '100' },
      ],
    },
  },
  { dialect: 'forward' },
).books.get('a/b')!
const rateOf = (side: 'ask' | 'bid', amount: bigint) => {
  const taker = takerRate(book, { side, amount })
  return taker && [formatDecimal(taker.rate), toPercent(taker.depthUsed)]
}

describe('the rate of the last level that an order takes', () => {
  test('is that of the bids for an order that sells, with the share of their depth', () => {
    assert.deepEqual(rateOf('ask', 50n), ['1', 25])
    assert.deepEqual(rateOf('ask', 100n), ['1', 50])
    assert.deepEqual(rateOf('ask', 101n), ['0.5', 50])
    assert.deepEqual(rateOf('ask', 300n), ['0.5', 100])
  })

  test('is that of the asks for an order that buys', () => {
    assert.deepEqual(rateOf('bid', 60n), ['1.1', 60])
    assert.deepEqual(rateOf('bid', 61n), ['1.2', 61])
  })

  test('is unknown where the side holds less', () => {
    assert.equal(rateOf('ask', 301n), undefined)
    assert.equal(rateOf('bid', 101n), undefined)
  })

  test('is unknown behind a level at which the contract aborts', () => {
    // The second level has fewer digits than the tick.
    const levels = {
      bid: [
        ['0.5', 100n],
        ['0.000000000000000001', 100n],
      ] as const,
    }
    const aborting = compileBook(stateWith({ makers: [quotedMaker('maker', levels)] }))
    assert.equal(takerRate(aborting, { side: 'ask', amount: 200n })?.rate, parseDecimal('0.5'))
    assert.equal(takerRate(aborting, { side: 'ask', amount: 201n }), undefined)
  })
})

describe('the offer of an order that buys', () => {
  const offer = (amount: bigint, limit: string) =>
    takerOffer(book, { side: 'bid', amount }, parseDecimal(limit)!)

  test('is what the amount costs in the book, whatever the limit above it', () => {
    assert.deepEqual([offer(60n, '1.1'), offer(60n, '2'), offer(60n, '5')], [66n, 66n, 66n])
    // 60 at 1.1 and 40 at 1.2
    assert.deepEqual([offer(100n, '1.2'), offer(100n, '9')], [114n, 114n])
  })

  test('is the cost of what the book holds up to the limit, and the rest at the limit', () => {
    assert.equal(offer(61n, '1.1'), 66n + 2n)
    assert.equal(offer(101n, '2'), 114n + 2n)
    assert.equal(offer(121n, '2'), 114n + 42n)
    assert.equal(offer(70n, '1.15'), 66n + 12n)
    assert.equal(offer(10n, '1'), 10n)
  })

  test('is the amount itself for a sale', () => {
    assert.equal(takerOffer(book, { side: 'ask', amount: 77n }, parseDecimal('2')!), 77n)
  })

  test('is the cost at the limit, of an unknown rate, where the arbitrage step of the book is refused', () => {
    const tied = ['a', 'b'].map((address) => quotedMaker(address, { bid: [['1', 10n]] }))
    const ask = [pool('1', 1n), pool('2', 90n)]
    const endless = compileBook(stateWith({ ask, makers: tied }))
    assert.ok(isRefusal(endless.afterArbitrage()))
    assert.equal(takerRate(endless, { side: 'bid', amount: 5n }), undefined)
    assert.equal(takerOffer(endless, { side: 'bid', amount: 5n }, parseDecimal('12')!), 60n)
  })

  test('buys the amount, and an atomic less of it does not', () => {
    const bought = (offered: bigint): bigint => {
      try {
        return walk(book.state, 'ask', offered).gross
      } catch {
        return 0n
      }
    }
    for (let amount = 1n; amount <= 100n; amount += 1n) {
      const least = offer(amount, '3')
      assert.ok(bought(least) >= amount, `${amount}`)
      assert.ok(bought(least - 1n) < amount, `${amount}`)
    }
  })
})

describe('the limit of an order that takes', () => {
  const limit = (side: 'ask' | 'bid', rate: string, bps: number) =>
    formatDecimal(takerLimit(side, parseDecimal(rate)!, bps, 6))
  test('is so much less than the rate for a sale, on the tick and no worse', () => {
    assert.equal(limit('ask', '0.5057', 50), '0.503172')
    assert.equal(limit('ask', '0.5057', 0), '0.5057')
  })
  test('pays so much less for a purchase', () => {
    // 0.5057 / 0.995 = 0.50824...
    assert.equal(limit('bid', '0.5057', 50), '0.508241')
  })
  test('is no worse either where the price has no digits to round', () => {
    // 123457 · 0.995 = 122839.715, 123457 / 0.995 = 124077.38...
    assert.equal(limit('ask', '0.000000000000123457', 50), '0.00000000000012284')
    assert.equal(limit('bid', '0.000000000000123457', 50), '0.000000000000124077')
  })
})
