import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Market } from '../../../src/engine/market/market.js'
import { pairPricesOf, pricerOf, pricesFrom } from '../../../src/engine/market/valuation.js'
import { formatRational } from '../../../src/engine/math/rational.js'
import { market as demo } from '../../support/demo-market.js'
import { smallMarket } from '../../support/small-market.js'

/** The prices of all tokens at once. */
const pricesIn = ({ books, usd }: Pick<Market, 'books'> & { readonly usd: string }) =>
  pricesFrom(
    [...books.values()].flatMap((book) => pairPricesOf(book)),
    usd,
  )

describe('the dollar price of one token', () => {
  test('equals its price in the table of all tokens, in any order of queries', () => {
    // Any token may be the reference: this covers paths of several books and unreachable tokens.
    for (const usd of demo.tokens.keys()) {
      const market = { ...demo, usd }
      const all = pricesIn(market)
      const priceOf = pricerOf(market)
      for (const denom of [...market.tokens.keys()].reverse())
        assert.deepEqual(priceOf(denom), all.get(denom), `${denom} in ${usd}`)
    }
  })

  test('equals its price in the table of all tokens over a chain of books', () => {
    const [near, ...far] = [...demo.books.values()]
    for (const usd of demo.tokens.keys()) {
      const some = far.filter((_, i) => i % 4 === 0)
      const books = new Map([near!, ...some].map((book) => [book.state.pair.address, book]))
      const market = { ...demo, books, usd }
      const all = pricesIn(market)
      const priceOf = pricerOf(market)
      for (const denom of market.tokens.keys()) assert.deepEqual(priceOf(denom), all.get(denom))
    }
  })

  test('is exact over a price that has no finite decimal', () => {
    const atThree = {
      base: [{ price: '4', total: '100' }],
      quote: [{ price: '2', total: '100' }],
    }
    const market = smallMarket({ 'usd/x': atThree, 'y/x': atThree }, { dialect: 'forward' })
    const priceOf = pricerOf({ ...market, usd: 'usd' })
    const texts = ['x', 'y'].map((denom) => formatRational(priceOf(denom)!))
    assert.deepEqual(texts, ['0.333333333333333333', '1'])
  })

  test('is unknown without a reference token', () => {
    assert.equal(pricerOf({ ...demo, usd: undefined })('rune'), undefined)
    assert.equal(pricerOf({ ...demo, usd: 'nowhere' })('rune'), undefined)
  })
})
