import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { DEMO_SEED, demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import {
  curveOf,
  largestUnderImpact,
  quoteSingle,
  quoteSplit,
} from '../../../src/engine/splits/size-curve.js'
import { openQuery } from './questions.js'

const market = decodeSnapshot(demoSnapshot(DEMO_SEED), 'demo')
const usd = market.usd!
const query = openQuery({ graph: graphOf(market) }, usd, 'rune')
const UNIT = 100_000_000n
const terms = { slippageBps: 50, stepPercent: 5 }

/** Whether an impact is at most so many basis points. */
const isAtMost = (impact: { numerator: bigint; denominator: bigint }, bps: bigint): boolean =>
  impact.numerator * 10_000n <= bps * impact.denominator

describe('a size curve', () => {
  const sizes = [100n, 1000n, 10_000n, 50_000n].map((dollars) => dollars * UNIT)

  test('buys more for more input, at a worse price', () => {
    const points = curveOf(quoteSingle(query, usd), usd, sizes)
    assert.deepEqual(
      points.map(({ input }) => input.amount),
      sizes,
    )
    const quoted = points.flatMap((point) => point.quoted ?? [])
    assert.ok(quoted.length >= 3)
    for (const [i, { expected }] of quoted.entries()) {
      if (i === 0) continue
      const before = quoted[i - 1]!
      assert.ok(expected > before.expected)
      // Each of the two amounts rounds down by an atomic or two.
      assert.ok(expected * sizes[i - 1]! <= (before.expected + 3n) * sizes[i]!)
    }
  })

  test('never buys less with splits than with one path', () => {
    const single = curveOf(quoteSingle(query, usd), usd, sizes)
    const split = curveOf(quoteSplit(query, usd, terms), usd, sizes)
    for (const [i, { quoted }] of split.entries())
      if (single[i]!.quoted !== undefined)
        assert.ok(quoted!.expected >= single[i]!.quoted!.expected)
  })
})

describe('the largest size within a price impact', () => {
  test('is within the impact, and one atomic more is not', () => {
    const quote = quoteSingle(query, usd)
    const found = largestUnderImpact(quote, 50)!
    assert.ok(isAtMost(found.quoted.impact!, 50n))
    assert.deepEqual(quote(found.amount)!.expected, found.quoted.expected)
    const more = quote(found.amount + 1n)
    assert.ok(more === undefined || !isAtMost(more.impact!, 50n))
  })

  test('is larger for a split', () => {
    const single = largestUnderImpact(quoteSingle(query, usd), 100)!
    const split = largestUnderImpact(quoteSplit(query, usd, terms), 100)!
    assert.ok(split.amount >= single.amount)
  })

  test('is undefined where even the smallest size has a larger impact', () => {
    assert.equal(largestUnderImpact(quoteSingle(query, usd), -500), undefined)
  })
})
