import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Side } from '../../../../src/engine/market/pair.js'
import { finRules } from '../../../../src/engine/market/venues/fin-rules.js'
import {
  distribute,
  poolFactor,
  takePool,
} from '../../../../src/engine/market/venues/resting-pool.js'
import { ArithmeticAbort, decimal, formatDecimal } from '../../../../src/engine/math/decimal.js'
import { SCALED_ONE, SCALED_ZERO, type Scaled } from '../../../../src/engine/math/scaled.js'
import { must } from '../../../support/matching.js'

type Row = readonly [
  title: string,
  side: Side,
  rate: string,
  total: bigint,
  offer: bigint,
  sold: bigint,
  bought: bigint,
]

const rows: readonly Row[] = [
  ['a rate above one is inverted first', 'ask', '91219', 51_000n, 100_000n, 100_000n, 1n],
  ['an exact offer drains', 'ask', '1000', 1600n, 1_600_000n, 1_600_000n, 1600n],
  [
    'an offer below the cost is a partial fill',
    'ask',
    '1000',
    1600n,
    1_000_000n,
    1_000_000n,
    1000n,
  ],
  ['a drain takes its cost only', 'ask', '1000', 600n, 1_600_000n, 600_000n, 600n],
  ['bids multiply', 'bid', '87900', 5_100_000_000n, 5001n, 5001n, 439_587_900n],
  [
    'a drain costs less than its worth',
    'bid',
    '87900',
    4_660_412_100n,
    100_000n,
    53_019n,
    4_660_412_100n,
  ],
  ['one atomic short is drained all the same', 'bid', '3', 1000n, 333n, 333n, 1000n],
  ['two atomics short is a partial fill', 'bid', '3', 1001n, 333n, 333n, 999n],
  [
    'a partial fill far from a drain',
    'bid',
    '90000',
    1_250_000_000n,
    13_888n,
    13_888n,
    1_249_920_000n,
  ],
  ['dust is taken and pays nothing', 'ask', '1000', 1600n, 999n, 999n, 0n],
  ['one atomic buys twenty', 'ask', '0.05', 20n, 1n, 1n, 20n],
  ['a drain may cost nothing', 'bid', '1000', 7n, 1n, 0n, 7n],
  ['an empty pool gives nothing', 'bid', '3', 0n, 333n, 0n, 0n],
  ['an offer of zero takes nothing', 'bid', '3', 1n, 0n, 0n, 0n],
  ['a single atomic may cost more than one', 'ask', '1000', 1n, 1n, 1000n, 1n],
]

describe('a limit pool of FIN 1.1', () => {
  for (const [title, side, rate, total, offer, sold, bought] of rows)
    test(`${title}: ${side} ${total} at ${rate} gives ${bought} for ${sold} of ${offer}`, () => {
      const taken = takePool(finRules('1.1.0'), poolFactor(side, must(rate)), total, offer)
      assert.deepEqual(taken, { sold, bought })
    })

  test('takes an ask at 91219 at its inverse, rounded down', () =>
    assert.equal(formatDecimal(poolFactor('ask', must('91219'))), '0.000010962628399785'))
  test('takes a bid at its rate', () => assert.equal(poolFactor('bid', must('3')), must('3')))
})

type VersionRow = readonly [
  title: string,
  factor: string,
  total: bigint,
  offer: bigint,
  fin10: readonly [bigint, bigint],
  fin11: readonly [bigint, bigint],
  unknown: readonly [bigint, bigint] | 'refused',
]

const versions: readonly VersionRow[] = [
  [
    'far from a drain all versions agree',
    '3',
    1000n,
    100n,
    [100n, 300n],
    [100n, 300n],
    [100n, 300n],
  ],
  [
    'far above a drain its cost is rounded',
    '3',
    1000n,
    999n,
    [334n, 1000n],
    [333n, 1000n],
    [334n, 1000n],
  ],
  [
    'a whole quotient is the same in all versions',
    '2',
    1000n,
    999n,
    [500n, 1000n],
    [500n, 1000n],
    [500n, 1000n],
  ],
  ['worth the whole pool and half an atomic', '0.5', 5n, 11n, [10n, 5n], [10n, 5n], [10n, 5n]],
  ['one atomic short, covered', '3', 1000n, 333n, [333n, 999n], [333n, 1000n], [333n, 999n]],
  [
    'one atomic short, not covered',
    '0.001',
    600n,
    599_500n,
    [599_500n, 599n],
    [600_000n, 600n],
    'refused',
  ],
  [
    'just before the abort window',
    '0.001',
    600n,
    598_999n,
    [598_999n, 598n],
    [598_999n, 598n],
    [598_999n, 598n],
  ],
  [
    'just after the abort window',
    '0.001',
    600n,
    600_000n,
    [600_000n, 600n],
    [600_000n, 600n],
    [600_000n, 600n],
  ],
]

describe('a limit pool by FIN version', () => {
  for (const [title, factor, total, offer, fin10, fin11, unknown] of versions) {
    const take = (version: string) => {
      const { sold, bought } = takePool(finRules(version), must(factor), total, offer)
      return [sold, bought]
    }
    test(`${title}: ${total} at ${factor} for ${offer}`, () => {
      assert.deepEqual(take('1.0.0'), fin10)
      assert.deepEqual(take('1.1.0'), fin11)
      for (const version of ['2.1.6', '2.0.4', 'unknown'])
        if (unknown === 'refused')
          assert.throws(() => take(version), /one atomic short of draining/)
        else assert.deepEqual(take(version), unknown)
    })
  }
})

describe("a pool's running sum and product", () => {
  const third: Scaled = { mantissa: 333333333333333333333333n, scale: 24 }

  test('become sold and left as shares of the total after a first partial fill', () => {
    const taken = { sold: 1_000_000n, bought: 1000n }
    assert.deepEqual(distribute(SCALED_ZERO, SCALED_ONE, 1600n, taken), {
      sum: { mantissa: 625n, scale: 0 },
      product: { mantissa: 375n, scale: 3 },
    })
  })

  test('weigh a second partial fill by the product left by the first', () => {
    const after = { sum: { mantissa: 625n, scale: 0 }, product: { mantissa: 375n, scale: 3 } }
    const next = distribute(after.sum, after.product, 600n, { sold: 1n, bought: 200n })
    assert.deepEqual(next.sum, { mantissa: 62500062499999999999999999975n, scale: 26 })
    assert.deepEqual(next.product, { mantissa: 250000000000000000000000125n, scale: 27 })
  })

  test('keep the product after a fill that pays nothing', () => {
    const { sum, product } = distribute(SCALED_ZERO, third, 3n, { sold: 3n, bought: 0n })
    assert.deepEqual([sum, product], [third, third])
  })

  const lowPrecision: Scaled = { mantissa: 3n ** 161n, scale: 90 }
  test('refuse a fill of half the pool where the product has no spare digits', () => {
    assert.throws(
      () => distribute(SCALED_ONE, lowPrecision, 2000n, { sold: 1n, bought: 1000n }),
      /no precision left/,
    )
  })
  test('refuse a fill that does not change the sum', () => {
    const tiny: Scaled = { mantissa: 1n, scale: 100 }
    assert.throws(
      () => distribute(SCALED_ONE, tiny, 3000n, { sold: 1n, bought: 1000n }),
      /no precision left/,
    )
  })
})

test('a limit pool aborts on a fill beyond 128 bits', () => {
  const huge = decimal(10n ** 38n)
  assert.throws(() => takePool(finRules('1.1.0'), huge, 5n, 10n ** 20n), ArithmeticAbort)
})
