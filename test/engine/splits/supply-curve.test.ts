import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { compileBook } from '../../../src/engine/market/book.js'
import { boughtBy, hasPart, supplyCurve } from '../../../src/engine/splits/supply-curve.js'
import { pairOf, pool, stateWith } from '../../support/books.js'

describe('the supply curve of a side', () => {
  test('joins an order of a few atomics with a larger one that pays more after rounding', () => {
    // Two atomics at 0.6 cost four, rounded up: 0.5 each. The thousand behind them pay 0.5497.
    const bid = [pool('0.6', 2n), pool('0.55', 1_000n), pool('0.5', 1_000n)]
    const pair = pairOf({ version: '2.1.6', tick: 6 })
    const curve = supplyCurve(compileBook(stateWith({ pair, bid })), 'bid')!
    assert.ok(hasPart(curve, 1) && !hasPart(curve, 2))
    assert.deepEqual(curve.cost, [4 + 1_819, 2_000])
    assert.equal(boughtBy(curve, 1_823), 1_002)
    assert.ok(curve.rate[0]! > curve.rate[1]!)
  })
})
