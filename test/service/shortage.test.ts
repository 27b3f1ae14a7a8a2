import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { Market } from '../../src/engine/market/market.js'
import { shortageOf } from '../../src/service/feed/polling-feed.js'
import { demoMarket } from './stage.js'

/** A market with this many pairs of each kind. */
function marketOf(read: number, unreadable: number, closed: number): Market {
  const books = new Map([...demoMarket.books].slice(0, read))
  const left = (status: string) => ({ address: 'pair', status, reason: `${status}: -` })
  const excluded = [
    ...Array.from({ length: unreadable }, () => left('unreadable')),
    ...Array.from({ length: closed }, () => left('halted')),
  ]
  return { ...demoMarket, books, excluded }
}

describe('the readable share of a market', () => {
  const rows: readonly (readonly [number, number, number, boolean])[] = [
    [10, 0, 0, false],
    [8, 2, 0, false],
    [7, 2, 0, true],
    [7, 3, 0, true],
    [7, 0, 3, false],
    [1, 9, 0, true],
    [4, 1, 50, false],
    [0, 1, 0, true],
  ]
  for (const [read, unreadable, closed, short] of rows)
    test(`${read} readable, ${unreadable} unreadable, ${closed} closed by the chain is ${short ? 'too small' : 'enough'} at 80 %`, () => {
      const shortage = shortageOf(marketOf(read, unreadable, closed), 8_000)
      assert.deepEqual(shortage, short ? { read, of: read + unreadable } : undefined)
    })
  test('is enough exactly when no larger share is required', () => {
    const count = fc.nat({ max: 40 })
    fc.assert(
      fc.property(
        count,
        count,
        count,
        fc.nat({ max: 10_000 }),
        (read, unreadable, closed, least) => {
          const short = shortageOf(marketOf(read, unreadable, closed), least) !== undefined
          assert.equal(short, BigInt(read) * 10_000n < BigInt(least) * BigInt(read + unreadable))
        },
      ),
    )
  })
})
