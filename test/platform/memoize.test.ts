import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { loadOnce } from '../../src/platform/memoize.js'

/** Loads that count themselves; the first one fails. */
function failingFirst() {
  let count = 0
  return loadOnce(async () => {
    count += 1
    if (count === 1) throw new Error('load 1')
    return `load ${count}`
  })
}

describe('a value that is loaded once', () => {
  test('is loaded again after a failure, and kept after a success', async () => {
    const value = failingFirst()
    await assert.rejects(value.get(), /load 1/)
    assert.equal(await value.get(), 'load 2')
    assert.equal(await value.get(), 'load 2')
  })

  test('is loaded again after it was taken', async () => {
    const value = failingFirst()
    assert.equal(await value.take(), undefined)
    void value.get().catch(() => {})
    assert.equal(await value.take(), undefined)
    assert.equal(await value.get(), 'load 2')
    assert.equal(await value.take(), 'load 2')
    assert.equal(await value.get(), 'load 3')
  })
})
