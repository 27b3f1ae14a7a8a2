import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type PageSizes, readBook } from '../../../src/chain/market/read-book.js'
import { Unreadable } from '../../../src/chain/queries/query-batch.js'
import { scripted } from './scripted.js'

type Asked = { readonly book: { readonly limit: number; readonly offset: number } }

/** A pair with this many levels a side, on a node whose gas suffices for this many. */
function pairOf(asks: number, bids: number, gas: number) {
  const limits: number[] = []
  const ask = scripted({
    smart: (_address, message) => {
      const { limit, offset } = (message as Asked).book
      limits.push(limit)
      assert.ok(limit >= 1 && limit <= 255 && offset <= 255)
      // Skipped levels cost as much gas as those that are returned.
      if (Math.min(limit + offset, Math.max(asks, bids)) > gas) return undefined
      const side = (count: number, price: (at: number) => number) =>
        Array.from({ length: count }, (_, at) => ({ price: `${price(at)}`, total: '1' })).slice(
          offset,
          offset + limit,
        )
      return JSON.stringify({
        base: side(asks, (at) => 2000 + at),
        quote: side(bids, (at) => 1999 - at),
      })
    },
  })
  return { ask, limits }
}

const shape = async (asks: number, bids: number, gas: number, known?: PageSizes) => {
  const { ask, limits } = pairOf(asks, bids, gas)
  const book = await readBook(ask, 'pair', known)
  return { limits, book }
}

describe('reading a book', () => {
  test('takes one query for a book that fits one page', async () => {
    const { book, limits } = await shape(100, 254, 1000)
    assert.deepEqual([book.asks.length, book.bids.length], [100, 254])
    assert.deepEqual(book.truncated, { asks: false, bids: false })
    assert.deepEqual(limits, [255])
  })

  test('takes a second page up to 510 levels, and marks a book that may have more', async () => {
    const some = (await shape(300, 10, 1000)).book
    assert.deepEqual([some.asks.length, some.bids.length], [300, 10])
    assert.deepEqual(some.truncated, { asks: false, bids: false })
    const full = (await shape(700, 509, 1000)).book
    assert.deepEqual([full.asks.length, full.bids.length], [510, 509])
    assert.deepEqual(full.truncated, { asks: true, bids: false })
  })

  test('keeps the first page and marks the book as cut where the second runs out of gas', async () => {
    const { book } = await shape(300, 10, 260)
    assert.deepEqual([book.asks.length, book.bids.length], [255, 10])
    assert.deepEqual(book.truncated, { asks: true, bids: false })
  })

  test('finds the largest page that the gas allows', async () => {
    for (const gas of [1, 2, 3, 30, 39, 40, 127, 128, 253, 254]) {
      const { book, limits } = await shape(300, 300, gas)
      assert.equal(book.fit.fits, gas)
      assert.deepEqual([book.asks.length, book.bids.length], [gas, gas])
      assert.deepEqual(book.truncated, { asks: true, bids: true })
      assert.ok(limits.length <= 10, `${limits.length} questions for ${gas}`)
    }
  })

  test('starts with the page size that worked before, and searches again only when it fails', async () => {
    const known = { fits: 39, refused: 40 }
    assert.deepEqual((await shape(300, 300, 39, known)).limits, [39])
    const { book } = await shape(300, 300, 20, known)
    assert.deepEqual(book.fit, { fits: 20, refused: 21 })
  })

  test('follows a book that outgrew its page as far as the gas allows', async () => {
    const known = { fits: 23, refused: 31 }
    assert.deepEqual((await shape(21, 20, 30, known)).limits, [23])
    const { book } = await shape(200, 20, 30, known)
    assert.equal(book.asks.length, 30)
    assert.deepEqual(book.truncated, { asks: true, bids: false })
  })

  test('marks a side that ends inside the page as complete though the other is cut', async () => {
    const { book } = await shape(300, 12, 39)
    assert.deepEqual(book.truncated, { asks: true, bids: false })
  })

  test('excludes a pair that refuses even one level', async () => {
    await assert.rejects(readBook(scripted({}), 'pair'), Unreadable)
  })

  test('refuses more levels than were requested', async () => {
    const level = { price: '1', total: '1' }
    const base = Array.from({ length: 256 }, () => level)
    const ask = scripted({ smart: () => JSON.stringify({ base, quote: [] }) })
    await assert.rejects(readBook(ask, 'pair'), /at most 255/)
  })
})
