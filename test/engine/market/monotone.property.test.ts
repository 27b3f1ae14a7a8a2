import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { type Book, compileBook, quoteBook, simulateBook } from '../../../src/engine/market/book.js'
import type { PairState, Side } from '../../../src/engine/market/pair.js'
import { priceLevels } from '../../../src/engine/market/price-levels.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { ceilDiv, ONE } from '../../../src/engine/math/decimal.js'
import { ANY_BOOK, anySide, anyState, type BookShape, POOLS, runs } from '../../support/books.js'
import { anyOffer, offered, offerOf } from '../../support/offers.js'

type Bought = { readonly offer: bigint; readonly net: bigint; readonly groups: number }

/** The amounts bought by those offers that are accepted, smallest offer first. */
function bought(
  swap: typeof quoteBook,
  book: Book,
  side: Side,
  offers: readonly bigint[],
): readonly Bought[] {
  return [...new Set(offers)]
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((offer) => {
      const fill = swap(book, offered(book.state, side, offer))
      return isRefusal(fill) ? [] : [{ offer, net: fill.bought, groups: fill.groups }]
    })
}

/** Every offer up to 120, and offers around the ends of the book's levels. */
const offersFor = (state: PairState, side: Side, draws: readonly Draw[]): readonly bigint[] => {
  const drawn = draws.map((draw) => offerOf(state, side, draw))
  const near = drawn.flatMap((offer) => [offer, offer + 1n, offer + 2n, offer + 3n])
  return [...Array.from({ length: 120 }, (_, i) => BigInt(i + 1)), ...near]
}
type Draw = Parameters<typeof offerOf>[2]
const anyDraws = fc.array(anyOffer, { minLength: 20, maxLength: 20 })

const monotoneShapes: Readonly<Record<string, BookShape>> = {
  'limit orders, fixed and oracle ones tied, in every version': { ...POOLS, oraclePools: 4 },
  'one list of quotes and nothing else, in every version': { ...POOLS, pools: 0, quoted: 1 },
  'one constant-product maker and nothing else, in every version': { ...POOLS, pools: 0, xyk: 1 },
  'limit orders and one maker, where pools have no tolerance': {
    ...POOLS,
    versions: ['1.0.0', '2.1.6', undefined],
    quoted: 1,
    oraclePools: 2,
  },
}

describe('offering more never buys less', () => {
  for (const [name, shape] of Object.entries(monotoneShapes))
    test(`with ${name}`, () => {
      // Without its own makers on both sides the arbitrage step does not depend on the offer at all.
      fc.assert(
        fc.property(anyState(shape), anySide, anyDraws, (state, side, draws) => {
          const book = compileBook(state)
          for (const swap of [simulateBook, quoteBook]) {
            let last: Bought | undefined
            for (const now of bought(swap, book, side, offersFor(state, side, draws))) {
              const text = `${last?.offer} buys ${last?.net}, ${now.offer} buys ${now.net}`
              assert.ok(last === undefined || now.net >= last.net, text)
              last = now
            }
          }
        }),
        runs(15),
      )
    })
})

test('offering more to tied groups loses at most what an offer atomic buys in each part', () => {
  const tied = { ...ANY_BOOK, quoted: 4, xyk: 0, cross: 0, unknowns: false }
  const shape: BookShape = { ...tied, sizes: ['tiny', 'small'] }
  fc.assert(
    fc.property(anyState(shape), anySide, anyDraws, (state, side, draws) => {
      const book = compileBook(state)
      let most: Bought | undefined
      for (const now of bought(simulateBook, book, side, offersFor(state, side, draws))) {
        const loss = most === undefined ? 0n : most.net - now.net
        if (loss > 0n) assert.ok(loss <= slackOf(state, side, now.groups), `${now.offer}`)
        if (loss <= 0n) most = now
      }
    }),
    runs(30),
  )
})

/** What one offer atomic buys, rounded up, for each part of the first groups that have several. */
function slackOf(state: PairState, side: Side, most: number): bigint {
  let slack = 0n
  let index = 0
  for (const { pools, levels } of priceLevels(state, side)) {
    if (index++ === most) break
    const parts = [...pools, ...levels]
    if (parts.length > 1) for (const { factor } of parts) slack += ceilDiv(factor, ONE)
  }
  return slack
}
