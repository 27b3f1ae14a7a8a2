import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { type Decimal, decimal, formatDecimal } from '../../../src/engine/math/decimal.js'
import { fitsTick } from '../../../src/engine/math/tick.js'
import { type Ladder, ladderEntries } from '../../../src/engine/orders/ladder.js'
import { isOrderFailure } from '../../../src/engine/orders/order-failure.js'
import { runs } from '../../support/books.js'
import { must } from '../../support/matching.js'

const rows = (ladder: Partial<Ladder>): readonly string[] | string => {
  const result = ladderEntries(
    {
      side: 'bid',
      from: must('0.48'),
      to: must('0.5'),
      steps: 3,
      weight: 'flat',
      total: 100n,
      ...ladder,
    },
    6,
  )
  return isOrderFailure(result)
    ? `${result.refused}: ${result.why}`
    : result.map(({ price, target }) =>
        'fixed' in price ? `${formatDecimal(price.fixed)} ${target}` : '',
      )
}

describe('the entries of a ladder', () => {
  test('are evenly spaced, from the first price to the last, in either direction', () => {
    assert.deepEqual(rows({}), ['0.48 33', '0.49 33', '0.5 34'])
    assert.deepEqual(rows({ from: must('0.5'), to: must('0.48') }), [
      '0.5 33',
      '0.49 33',
      '0.48 34',
    ])
  })

  test('have no price that is worse by a part of an atomic than the even one', () => {
    const uneven = { from: must('1'), to: must('1.000020000000000001'), total: 3n }
    assert.deepEqual(rows({ ...uneven, side: 'ask' }), ['1 1', '1.00002 1', '1.00003 1'])
    assert.deepEqual(rows({ ...uneven, side: 'bid' }), ['1 1', '1.00001 1', '1.00002 1'])
  })

  test('grow linearly with weight linear', () => {
    assert.deepEqual(rows({ weight: 'linear', total: 600n }), ['0.48 100', '0.49 200', '0.5 300'])
  })

  test('of one step have the first price and the whole total', () => {
    assert.deepEqual(rows({ steps: 1 }), ['0.48 100'])
  })

  test('are refused where two steps share a price or one has no amount', () => {
    const close = { from: must('0.48'), to: must('0.480001') }
    assert.match(`${rows(close)}`, /^invalid_ladder: steps 1 and 2 of 3 are both at 0\.48, since/)
    assert.match(`${rows({ total: 2n })}`, /^invalid_ladder: a total of 2 gives nothing to step 1/)
  })

  test('are refused where no price on the tick is as good as a step', () => {
    const greatest = must('340282366920938463463')
    assert.match(
      `${rows({ side: 'ask', to: greatest })}`,
      /^invalid_price: .* the greatest is 340282000000000000000, and /,
    )
    assert.match(
      `${rows({ from: must('0.000000000000000001') })}`,
      /^invalid_price: .* the least is 0\.0000000000001, and /,
    )
  })

  test('add up to the total, on the tick, never worse for their owner than the even spacing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('ask' as const, 'bid' as const),
        fc.bigInt(10n ** 15n, 10n ** 19n),
        fc.bigInt(10n ** 15n, 10n ** 19n),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom('flat' as const, 'linear' as const),
        fc.bigInt(1n, 10n ** 12n),
        (side, from, to, steps, weight, total) => {
          const ladder: Ladder = {
            side,
            from: decimal(from),
            to: decimal(to),
            steps,
            weight,
            total,
          }
          const entries = ladderEntries(ladder, 6)
          if (isOrderFailure(entries)) return
          assert.equal(
            entries.reduce((sum, { target }) => sum + target!, 0n),
            total,
          )
          for (const [i, { price }] of entries.entries()) {
            const fixed = (price as { fixed: Decimal }).fixed
            assert.ok(fitsTick(fixed, 6))
            const gaps = BigInt(steps - 1 || 1)
            const even = from * gaps + (to - from) * BigInt(i)
            assert.ok(side === 'bid' ? fixed * gaps <= even : fixed * gaps >= even)
          }
        },
      ),
      runs(100),
    )
  })
})
