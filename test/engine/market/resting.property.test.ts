import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  type PairState,
  type RestingPool,
  restingOf,
  type Side,
} from '../../../src/engine/market/pair.js'
import { priceLevels } from '../../../src/engine/market/price-levels.js'
import {
  disagreement,
  restingFromBook,
  visibleBook,
} from '../../../src/engine/market/resting-orders.js'
import { ArithmeticAbort } from '../../../src/engine/math/decimal.js'
import { ANY_BOOK, anySide, anyState, runs } from '../../support/books.js'

const KNOWN = { ...ANY_BOOK, unknowns: false }

/** The first levels as the pair shows them, of a side that can be read to its end. */
function visibleLevels(state: PairState, side: Side, limit: number) {
  try {
    for (const group of priceLevels(state, side)) assert.ok(group.rate > 0n)
  } catch (error) {
    fc.pre(!(error instanceof ArithmeticAbort))
    throw error
  }
  return visibleBook(state, side, limit)
}

const byRate = (pools: readonly RestingPool[]): ReadonlyMap<bigint, bigint> => {
  const totals = new Map<bigint, bigint>()
  for (const { rate, total } of pools) totals.set(rate, (totals.get(rate) ?? 0n) + total)
  return totals
}

test("resting orders are the book less its makers' quotes, to the last atomic", () => {
  fc.assert(
    fc.property(anyState(KNOWN), anySide, (state, side) => {
      const { levels, truncated } = visibleLevels(state, side, 10_000)
      const rebuilt = restingFromBook(state, side, levels, truncated)
      assert.ok(typeof rebuilt !== 'string', `${rebuilt}`)
      const { fixed, oracle } = restingOf(state, side)
      const sum = (map: ReadonlyMap<bigint, bigint>) =>
        [...map].sort(([a], [b]) => (a < b ? -1 : 1))
      assert.deepEqual(sum(byRate(rebuilt.fixed)), sum(byRate([...fixed, ...oracle])))
      assert.equal(rebuilt.knownTo, undefined)
    }),
    runs(100),
  )
})

test('resting orders of a cut book are complete up to its last level, which is marked', () => {
  fc.assert(
    fc.property(anyState(KNOWN), anySide, fc.integer({ min: 1, max: 6 }), (state, side, limit) => {
      const { levels, truncated } = visibleLevels(state, side, limit)
      fc.pre(truncated)
      const rebuilt = restingFromBook(state, side, levels, truncated)
      assert.ok(typeof rebuilt !== 'string', `${rebuilt}`)
      assert.equal(rebuilt.knownTo, levels.at(-1)?.rate)
      const all = byRate([...restingOf(state, side).fixed, ...restingOf(state, side).oracle])
      for (const [rate, total] of byRate(rebuilt.fixed)) assert.equal(total, all.get(rate))
    }),
    runs(60),
  )
})

test('a book agrees with the pools and makers that it shows', () => {
  fc.assert(
    fc.property(anyState(KNOWN), anySide, fc.integer({ min: 1, max: 50 }), (state, side, limit) => {
      const { levels, truncated } = visibleLevels(state, side, limit)
      assert.equal(disagreement(state, side, levels, truncated), undefined)
    }),
    runs(60),
  )
})

test('a book with one atomic more or less at any level disagrees with its pools', () => {
  fc.assert(
    fc.property(anyState(KNOWN), anySide, fc.nat(20), fc.boolean(), (state, side, at, more) => {
      const { levels, truncated } = visibleLevels(state, side, 20)
      fc.pre(levels.length > 0)
      const wrong = levels.map(({ rate, total }, i) => ({
        rate,
        total: i === at % levels.length ? total + (more ? 1n : -1n) : total,
      }))
      assert.equal(typeof disagreement(state, side, wrong, truncated), 'string')
    }),
    runs(60),
  )
})
