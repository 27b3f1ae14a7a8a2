import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readPairContract } from '../../../src/chain/market/pair-config.js'
import { readPair } from '../../../src/chain/market/read-pair.js'
import { ReaderCache } from '../../../src/chain/market/reader-cache.js'
import { Unreadable } from '../../../src/chain/queries/query-batch.js'
import type { Market } from '../../../src/engine/market/market.js'
import { isBetter } from '../../../src/engine/market/pair.js'
import { visibleBook } from '../../../src/engine/market/resting-orders.js'
import { MAX_UINT128 } from '../../../src/engine/math/decimal.js'
import { marketOf } from '../../support/small-market.js'
import { placesOf, replaced } from './places.js'
import { scripted } from './scripted.js'

const config = {
  denoms: ['btc', 'usdc'],
  oracles: null,
  market_makers: [],
  tick: 6,
  fee_taker: '0.0015',
  fee_maker: '0.00075',
}

const level = (price: string, total: string) => ({ price, total })
const book = {
  base: [level('101', '5'), level('102.5', '7'), level('103', '1')],
  quote: [level('99', '500'), level('98.25', '700'), level('0.000001', '1')],
}

/** Values that a node, a new version of the contract, or a proxy may put in any member. */
const badValues: readonly unknown[] = [
  undefined,
  null,
  true,
  7,
  -1,
  0.5,
  1e300,
  '',
  '0',
  '-1',
  '+1',
  '1e5',
  '0x1',
  ' 1',
  '1.0000000000000000001',
  '340282366920938463463374607431768211456',
  '9'.repeat(200),
  'NaN',
  [],
  {},
  { amount: '1' },
  '100',
]

/** One pair with refused storage and this book; or why it cannot be read. */
async function read(answer: unknown): Promise<Market | string> {
  const ask = scripted({
    smart: (_address, message) => {
      if ('config' in (message as object)) return JSON.stringify(config)
      return 'book' in (message as object) ? JSON.stringify(answer) : undefined
    },
  })
  try {
    const facts = await readPairContract(ask, 'pair', 1)
    const cache = new ReaderCache()
    const { document } = await readPair(ask, facts, cache.pair('pair', 1))
    return marketOf([document], config.denoms)
  } catch (error) {
    assert.ok(error instanceof Unreadable, String(error))
    return error.message
  }
}

/** Asserts that a book is valid: prices and amounts in bounds, best first. */
function assertSound(market: Market): void {
  const state = market.books.get('pair')?.state
  assert.ok(state)
  for (const side of ['ask', 'bid'] as const) {
    const { levels } = visibleBook(state, side, 1000)
    for (const [at, { rate, total }] of levels.entries()) {
      assert.ok(rate > 0n && rate <= MAX_UINT128 && total > 0n && total <= MAX_UINT128)
      const before = levels[at - 1]
      assert.ok(before === undefined || isBetter(side, before.rate, rate))
    }
  }
}

describe('a book with one malformed value', () => {
  test('is compared with the unchanged one, which is read', async () => {
    const market = await read(book)
    assert.ok(typeof market === 'object')
    assertSound(market)
  })

  test('is excluded with a reason, or is still a valid book', async () => {
    let count = 0
    let out = 0
    for (const place of placesOf(book))
      for (const by of badValues) {
        const market = await read(replaced(book, place, by))
        count += 1
        if (typeof market === 'object' && market.books.size === 1) assertSound(market)
        else {
          out += 1
          const reason = typeof market === 'string' ? market : market.excluded[0]?.reason
          assert.ok(reason, 'left out without a reason')
        }
      }
    assert.ok(count >= 200, `${count} books`)
    // Only a different valid amount or price may pass.
    assert.ok(out / count > 0.85, `${out} of ${count}`)
  })

  test('or with renamed members is refused', async () => {
    for (const renamed of [
      { asks: book.base, bids: book.quote },
      { base: book.base, quotes: book.quote },
      { base: book.base.map(({ price, total }) => ({ rate: price, total })), quote: [] },
      { base: book.base.map(({ price, total }) => ({ price, amount: total })), quote: [] },
      { data: book },
    ])
      assert.equal(typeof (await read(renamed)), 'string')
  })
})
