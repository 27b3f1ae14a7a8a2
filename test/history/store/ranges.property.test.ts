import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { mark, mergeRanges, subtractRanges } from '../../../src/history/store/ranges.js'
import type { DoneRow } from '../../../src/history/store/schema.js'
import { runs } from '../../support/books.js'

const MOST = 40
const hash = (height: number): Uint8Array => Buffer.from([height + 1])
const linkOf = (height: number) => ({
  height,
  hash: hash(height),
  parentHash: hash(height - 1),
  results: hash(height + 100),
  parentResults: hash(height + 99),
})

const heights = fc.array(fc.integer({ min: 1, max: MOST }), { maxLength: 60 })
const range = fc
  .tuple(fc.integer({ min: 1, max: MOST }), fc.integer({ min: 0, max: 9 }))
  .map(([from, length]) => ({ from, to: from + length }))

/** The contents of the table after blocks in this order, so many at a time. */
function storedRuns(all: readonly number[], size: number): readonly DoneRow[] {
  let rows: readonly DoneRow[] = []
  for (let start = 0; start < all.length; start += size) {
    const some = all.slice(start, start + size)
    const [low, high] = [Math.min(...some) - 1, Math.max(...some) + 1]
    const near = rows.filter(({ first, last }) => last >= low && first <= high)
    const { removed, written } = mark(near, some.map(linkOf))
    const removedKeys = new Set([...removed, ...written.map(({ first }) => first)])
    rows = [...rows.filter(({ first }) => !removedKeys.has(first)), ...written]
  }
  return [...rows].sort((a, b) => a.first - b.first)
}

const covered = (ranges: readonly { from: number; to: number }[]): Set<number> =>
  new Set(
    ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i)),
  )

describe('the ranges of indexed heights', () => {
  test('are the same in whatever order and batches the blocks are added', () => {
    fc.assert(
      fc.property(heights, fc.integer({ min: 1, max: 7 }), (all, size) => {
        const once = [...new Set(all)].sort((a, b) => a - b)
        const rows = storedRuns(all, size)
        assert.deepEqual(rows, storedRuns(once, 1))
        assert.deepEqual(
          [...covered(rows.map(({ first, last }) => ({ from: first, to: last })))],
          once,
        )
        for (const [i, row] of rows.entries()) {
          const next = rows[i + 1]
          if (next !== undefined) assert.ok(next.first > row.last + 1, 'neighbours are merged')
          assert.deepEqual(row.parent_hash, hash(row.first - 1))
          assert.deepEqual(row.last_hash, hash(row.last))
          assert.deepEqual(row.last_results, hash(row.last + 100))
        }
      }),
      runs(300),
    )
  })

  test('refuse a block with a different parent, child or own hash, or parent of other results', () => {
    const rows = storedRuns([5, 6, 7, 10], 9)
    const wrong = Buffer.from([99])
    for (const link of [
      { ...linkOf(8), parentHash: wrong },
      { ...linkOf(8), parentResults: wrong },
      { ...linkOf(9), hash: wrong },
      { ...linkOf(7), hash: wrong },
      { ...linkOf(5), parentHash: wrong },
      { ...linkOf(11), parentHash: wrong },
    ])
      assert.throws(() => mark(rows, [link]), { code: 'UPSTREAM_INVALID_DATA' }, `${link.height}`)
    const unknown = { ...linkOf(8), results: null, parentResults: null }
    for (const link of [linkOf(8), unknown])
      assert.equal(mark(rows, [link, linkOf(9)]).written[0]?.last, 10)
  })
})

describe('the gaps between ranges', () => {
  test('are exactly the heights that no range covers', () => {
    fc.assert(
      fc.property(range, fc.array(range, { maxLength: 8 }), (within, ranges) => {
        const gaps = subtractRanges(within, ranges)
        const all = covered(ranges)
        assert.deepEqual(
          [...covered(gaps)],
          [...covered([within])].filter((height) => !all.has(height)),
        )
        assert.deepEqual(mergeRanges(gaps), gaps)
      }),
      runs(300),
    )
  })
})
