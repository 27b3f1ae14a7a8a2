import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { XykMaker } from '../../../src/engine/market/pair.js'
import { ContractFailure } from '../../../src/engine/market/refusal.js'
import { finRules } from '../../../src/engine/market/venues/fin-rules.js'
import { levelCost, takeLevel } from '../../../src/engine/market/venues/maker-level.js'
import {
  distribute,
  drainCost,
  drainThreshold,
  takePool,
} from '../../../src/engine/market/venues/resting-pool.js'
import { fillXyk, xykLadder, xykPriceCeiling } from '../../../src/engine/market/venues/xyk.js'
import { type Decimal, decimal, divCeil, ONE } from '../../../src/engine/math/decimal.js'
import { SCALED_ONE, SCALED_ZERO, type Scaled } from '../../../src/engine/math/scaled.js'
import { runs } from '../../support/books.js'
import { must } from '../../support/matching.js'

const anyFactor: fc.Arbitrary<Decimal> = fc
  .tuple(fc.bigInt(1n, 10n ** 6n), fc.integer({ min: 8, max: 22 }))
  .map(([mantissa, exponent]) => decimal(mantissa * 10n ** BigInt(exponent)))
const anyTotal = fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, 10n ** 12n))
const anyVersion = fc.constantFrom('1.0.0', '1.1.0')

describe('a limit pool', () => {
  test('is drained from its threshold on, and takes the whole offer one atomic below it', () => {
    fc.assert(
      fc.property(
        anyVersion,
        anyFactor,
        anyTotal,
        fc.bigInt(0n, 5n),
        (version, factor, total, n) => {
          const rules = finRules(version)
          const threshold = drainThreshold(rules, factor, total)
          const full = takePool(rules, factor, total, threshold + n)
          assert.deepEqual(full, { sold: drainCost(rules, factor, total), bought: total })
          const less = takePool(rules, factor, total, threshold - 1n)
          assert.equal(less.sold, threshold - 1n)
          assert.ok(less.bought < total)
        },
      ),
      runs(1000),
    )
  })

  test('of FIN 1.0 costs the least offer that is worth the pool, of FIN 1.1 at most one atomic less', () => {
    fc.assert(
      fc.property(anyFactor, anyTotal, (factor, total) => {
        const ceil = drainCost(finRules('1.0.0'), factor, total)
        const floor = drainCost(finRules('1.1.0'), factor, total)
        assert.ok(ceil * factor >= total * ONE && (ceil - 1n) * factor < total * ONE)
        assert.ok(floor === ceil || floor === ceil - 1n)
        assert.equal(floor === ceil, (total * ONE) % factor === 0n)
      }),
      runs(500),
    )
  })

  test('keeps its sum growing and its product shrinking over partial fills until one is refused', () => {
    const anyFills = fc.array(fc.bigInt(1n, 100n), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(anyFills, fc.bigInt(1000n, 10n ** 12n), (fills, start) => {
        let sum = SCALED_ZERO
        let product = SCALED_ONE
        let total = start
        for (const share of fills) {
          const bought = (total * share) / 200n
          let next: ReturnType<typeof distribute>
          try {
            next = distribute(sum, product, total, { sold: bought + 1n, bought })
          } catch (error) {
            assert.ok(error instanceof ContractFailure && error.reason === 'pool_precision')
            return
          }
          assert.ok(value(next.sum) > value(sum) && value(next.product) <= value(product))
          total -= bought
          sum = next.sum
          product = next.product
        }
      }),
      runs(300),
    )
  })
})

/** A scaled number in units of 10^-400, so that two of them compare. */
const value = ({ mantissa, scale }: Scaled): bigint => mantissa * 10n ** BigInt(400 - scale)

describe("a maker's level", () => {
  test('never takes more than the offer, nor pays more than its price or its size', () => {
    fc.assert(
      fc.property(anyFactor, anyTotal, fc.bigInt(0n, 10n ** 12n), (price, size, offer) => {
        fc.pre(size * ONE * ONE < price << 128n && offer * price < 1n << 128n)
        const { sold, bought } = takeLevel(price, size, offer)
        assert.ok(sold <= offer && bought <= size && bought * ONE <= offer * price)
      }),
      runs(500),
    )
  })

  test('is drained from its threshold on, at a cost of the threshold or one atomic less', () => {
    fc.assert(
      fc.property(anyFactor, anyTotal, fc.bigInt(0n, 5n), (price, size, more) => {
        const threshold = divCeil(size, price)
        fc.pre((threshold + more) * price < 1n << 128n && threshold * ONE < 1n << 128n)
        const [cost, full] = [levelCost(price, size), takeLevel(price, size, threshold + more)]
        assert.deepEqual(full, { sold: cost, bought: size })
        assert.ok(cost === threshold || cost === threshold - 1n)
        if (threshold > 0n) assert.ok(takeLevel(price, size, threshold - 1n).bought < size)
      }),
      runs(500),
    )
  })
})

const anyMaker: fc.Arbitrary<XykMaker> = fc.record({
  kind: fc.constant('xyk' as const),
  address: fc.constant('maker'),
  x: fc.constant('x'),
  y: fc.constant('y'),
  step: fc.constantFrom('0.001', '0.01', '0.05', '0.1').map(must),
  minQuote: fc.bigInt(1n, 1000n),
  fee: fc.constantFrom('0', '0.001', '0.02', '0.1').map(must),
  reserveX: fc.oneof(fc.bigInt(10n, 300n), fc.bigInt(10n, 10n ** 13n)),
  reserveY: fc.oneof(fc.bigInt(10n, 300n), fc.bigInt(10n, 10n ** 13n)),
})
const anyParts = fc.array(fc.bigInt(0n, 1500n), { minLength: 1, maxLength: 30 })

describe('a constant-product maker', () => {
  test('pays in one step the sum of what its levels quoted, for any parts of them', () => {
    fc.assert(
      fc.property(anyMaker, anyParts, fc.constantFrom('x', 'y'), (maker, parts, offered) => {
        let sold = 0n
        let asked = 0n
        const ladder = xykLadder(maker, offered)
        for (const thousandths of parts) {
          const { value: level } = ladder.next()
          if (level === undefined) break
          const taken = takeLevel(
            level.price,
            level.size,
            (divCeil(level.size, level.price) * thousandths) / 1000n,
          )
          sold += taken.sold
          asked += taken.bought
        }
        const [x, y] = offered === 'x' ? ['reserveX', 'reserveY'] : ['reserveY', 'reserveX']
        const [paid, given] = [x as 'reserveX', y as 'reserveY']
        const after = fillXyk(maker, offered, sold, asked)
        assert.equal(after[paid], maker[paid] + sold)
        const out = maker[given] - after[given]
        assert.ok(asked <= out)
        const invariant = maker.reserveX * maker.reserveY
        assert.ok(after.reserveX * after.reserveY >= invariant)
        assert.ok(after[paid] * (after[given] - 1n) < invariant)
      }),
      runs(500),
    )
  })

  test('quotes a ladder that pays less than the curve, and no level above the ceiling', () => {
    fc.assert(
      fc.property(anyMaker, fc.constantFrom('x', 'y'), (maker, offered) => {
        const ceiling = xykPriceCeiling(maker, offered)
        let paid = 0n
        let given = 0n
        const [x, y] =
          offered === 'x' ? [maker.reserveX, maker.reserveY] : [maker.reserveY, maker.reserveX]
        let count = 0
        for (const { price, size } of xykLadder(maker, offered)) {
          assert.ok(Number(price) / 1e18 <= ceiling)
          assert.ok(size > 0n)
          paid += levelCost(price, size)
          given += size
          assert.ok((x + paid) * (y - given) >= x * y)
          if (count++ > 100) break
        }
      }),
      runs(200),
    )
  })

  test('has no levels if its step pays nothing or is below its least quote', () => {
    fc.assert(
      fc.property(anyMaker, fc.constantFrom('x', 'y'), (maker, offered) => {
        for (const { size } of xykLadder(maker, offered)) {
          const before = size + (size * maker.fee) / (ONE - maker.fee) + 2n
          assert.ok(before >= maker.minQuote)
          break
        }
        const withHighMinimum = { ...maker, minQuote: 10n ** 14n }
        assert.equal([...xykLadder(withHighMinimum, offered)].length, 0)
      }),
      runs(200),
    )
  })
})
