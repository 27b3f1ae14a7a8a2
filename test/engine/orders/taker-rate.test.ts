import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { formatDecimal, parseDecimal } from '../../../src/engine/math/decimal.js'
import { hundredths } from '../../../src/engine/math/rational.js'
import { takerLimit, takerRate } from '../../../src/engine/orders/taker-rate.js'
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
const found = (side: 'ask' | 'bid', amount: bigint) => {
  const taker = takerRate(book, { side, amount })
  return taker && [formatDecimal(taker.rate), hundredths(taker.depthUsed, 100n)]
}

describe('the rate of the last level that an order takes', () => {
  test('is that of the bids for an order that sells, with the share of their depth', () => {
    assert.deepEqual(found('ask', 50n), ['1', 25])
    assert.deepEqual(found('ask', 100n), ['1', 50])
    assert.deepEqual(found('ask', 101n), ['0.5', 50])
    assert.deepEqual(found('ask', 300n), ['0.5', 100])
  })

  test('is that of the asks for an order that buys', () => {
    assert.deepEqual(found('bid', 60n), ['1.1', 60])
    assert.deepEqual(found('bid', 61n), ['1.2', 61])
  })

  test('is unknown where the side holds less', () => {
    assert.equal(found('ask', 301n), undefined)
    assert.equal(found('bid', 101n), undefined)
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
})
