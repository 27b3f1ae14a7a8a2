import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { applyDelta, type Delta, deltaOf } from '../../src/tape/json-delta.js'

/** The delta as it is read back from a tape. */
const written = (delta: Delta): Delta => JSON.parse(JSON.stringify(delta))

const changed = (before: unknown, wanted: unknown): unknown => {
  const delta = deltaOf(before, wanted)
  return delta === undefined ? before : applyDelta(before, written(delta))
}

describe('a delta between JSON values', () => {
  test('gives the other value back, byte for byte', () => {
    const value = fc.jsonValue({ maxDepth: 4 }).map((each) => JSON.parse(JSON.stringify(each)))
    const list = fc.array(fc.oneof(fc.constantFrom(1, 2, 3, 'a'), value), { maxLength: 12 })
    const any = fc.oneof(value, list)
    fc.assert(
      fc.property(any, any, (before, wanted) => {
        assert.equal(JSON.stringify(changed(before, wanted)), JSON.stringify(wanted))
      }),
      { numRuns: 1_000 },
    )
  })

  test('inserts more values than a call has arguments', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => i)
    assert.deepEqual(changed([], many), many)
  })

  test('is undefined for equal values', () => {
    const value = { a: [1, { b: null }], c: {} }
    assert.equal(deltaOf(value, JSON.parse(JSON.stringify(value))), undefined)
    assert.equal(deltaOf([], []), undefined)
  })

  test('names only what changed, and keeps the other parts as the same objects', () => {
    const before = { pairs: [{ a: 1 }, { a: 2 }, { a: 3 }], height: 1 }
    const delta = deltaOf(before, { pairs: [{ a: 1 }, { a: 5 }, { a: 3 }, { a: 4 }], height: 2 })
    assert.deepEqual(delta, {
      pairs: ['~', 1, { a: ['=', 5] }, 1, ['+', { a: 4 }]],
      height: ['=', 2],
    })
    const next = applyDelta(before, delta!) as typeof before
    assert.equal(next.pairs[2], before.pairs[2])
    assert.deepEqual(deltaOf([1, 2], [0, 1, 2]), ['~', ['+', 0], 2])
  })

  test('is refused where it does not fit the value', () => {
    assert.throws(() => applyDelta([1], ['~', 2]), TypeError)
    assert.throws(() => applyDelta({}, ['~', 1]), TypeError)
    assert.throws(() => applyDelta([], { a: ['=', 1] }), TypeError)
  })
})
