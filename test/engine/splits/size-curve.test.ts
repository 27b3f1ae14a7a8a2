import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { rational } from '../../../src/engine/math/rational.js'
import { mostInput } from '../../../src/engine/routing/size-limits.js'
import {
  curveOf,
  largestOf,
  largestUnderImpact,
  quoteSingle,
  quoteSplit,
  type SizeQuoter,
} from '../../../src/engine/splits/size-curve.js'
import { REQUEST_UNITS } from '../../../src/operations/route/search-budget.js'
import { runs } from '../../support/books.js'
import { graph, market } from '../../support/demo-market.js'
import { openQuery } from './questions.js'

const usd = market.usd!
const query = openQuery({ graph }, usd, 'rune')
const UNIT = 100_000_000n
const most = mostInput(query)!.amount
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
  test('has exactly that impact, or is the most that passes', () => {
    const growing =
      (whole: bigint): SizeQuoter =>
      (amount) => ({ expected: amount, impact: rational(amount, whole), exact: true })
    const largest = (single: SizeQuoter, split?: SizeQuoter) =>
      largestUnderImpact({ single, split }, 100n, 500)?.amount
    assert.equal(largest(growing(1_000n)), 50n)
    assert.equal(largest(growing(1_000_000n)), 100n)
    assert.equal(largest(growing(1_000n), growing(20_000n)), 1_000n)
    assert.equal(largest(growing(1n), growing(20_000n)), 1_000n)
  })

  test('is within the impact, and one atomic more is not', () => {
    const quote = quoteSingle(query, usd)
    const found = largestUnderImpact({ single: quote }, most, 50)!
    assert.ok(isAtMost(found.quoted.impact!, 50n))
    assert.deepEqual(quote(found.amount)!.expected, found.quoted.expected)
    const more = quote(found.amount + 1n)
    assert.ok(more === undefined || !isAtMost(more.impact!, 50n))
  })

  test('is larger for a split', () => {
    const quote = quoteSingle(query, usd)
    const single = largestUnderImpact({ single: quote }, most, 100)!
    const quoters = { single: quote, split: quoteSplit(query, usd, terms) }
    const split = largestUnderImpact(quoters, most, 100)!
    assert.ok(split.amount >= single.amount)
  })

  test('is undefined where every size has a larger impact', () => {
    assert.equal(largestUnderImpact({ single: quoteSingle(query, usd) }, most, -500), undefined)
  })

  /** A quoter whose impact is 100 bps but for a range of sizes, and that takes no more than `limit`. */
  const fittingFrom =
    (low: bigint, high: bigint, limit: bigint): SizeQuoter =>
    (amount) => {
      const numerator = amount >= low && amount <= high ? 1n : 100n
      return amount > limit
        ? undefined
        : { expected: amount, impact: { numerator, denominator: 10_000n }, exact: true }
    }

  test('is found to the atomic wherever the range that fits begins and ends', () => {
    const size = fc.bigInt({ min: 1n, max: 10n ** 18n })
    fc.assert(
      fc.property(size, size, fc.boolean(), (low, beyond, isSplit) => {
        // Wider than a step of the ladder, as that of splits is where no single path fits.
        const high = low * 2n + 1n
        const limit = high + beyond
        const quote = fittingFrom(low, high, limit)
        const none = fittingFrom(1n, 0n, limit)
        const quoters = isSplit ? { single: none, split: quote } : { single: quote }
        assert.equal(largestUnderImpact(quoters, limit, 50)?.amount, high)
      }),
      runs(200),
    )
  })

  test('of splits is found far above what fits on one path', () => {
    const single = fittingFrom(1_000n, 2_000n, 10n ** 6n)
    const split = fittingFrom(1_000n, 777_777n, 10n ** 8n)
    assert.equal(largestUnderImpact({ single, split }, 10n ** 6n, 50)?.amount, 777_777n)
  })

  test('of splits is what fits on one path where no other size of a ladder fits', () => {
    const quote = fittingFrom(1_000n, 1_000n, 10n ** 6n)
    assert.equal(largestUnderImpact({ single: quote, split: quote }, 1_000n, 50)?.amount, 1_000n)
  })

  test('of splits is not below a size that a quote divides within the impact', () => {
    const between = openQuery({ graph: query.graph }, 'btc-btc', 'rune')
    const quoterOf = (isSplit: boolean) =>
      isSplit
        ? quoteSplit(between, 'btc-btc', { ...terms, grid: false }, REQUEST_UNITS)
        : quoteSingle(between, 'btc-btc')
    const size = 1_200_000_000n
    assert.ok(isAtMost(quoterOf(true)(size)!.impact!, 500n))
    const found = largestOf(between, { isSplit: true, mostBps: 500 }, quoterOf)!
    assert.ok(found.amount >= size, `${found.amount}`)
  })

  test('is not smaller than any of a series of sizes that fit by a factor of two, nor refused for them', () => {
    const { graph } = query
    const pairs = [
      [usd, 'eth-eth'],
      ['rune', usd],
      [usd, 'rune'],
      ['rune', 'btc-btc'],
    ] as const
    for (const [from, to] of pairs)
      for (const bps of [10, 30, 50]) {
        const between = openQuery({ graph }, from, to)
        const quote = quoteSingle(between, from)
        const found = largestUnderImpact({ single: quote }, mostInput(between)!.amount, bps)
        const least = (found?.amount ?? 0n) * 2n
        for (let size = 7n; size < 10n ** 16n; size = (size * 3n) / 2n) {
          const impact = size > least ? quote(size)?.impact : undefined
          assert.ok(!impact || !isAtMost(impact, BigInt(bps)), `${from} ${to} ${bps} bps: ${size}`)
        }
      }
  })
})
