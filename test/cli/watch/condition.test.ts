import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { exactOf, plainNumber, readCondition } from '../../../src/cli/watch/condition.js'
import { SwapError } from '../../../src/engine/errors.js'
import { runs } from '../../support/books.js'

const measures = { output: plainNumber, impact: plainNumber }

describe('a condition', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['output>=39500', '39500', true],
    ['output>=39500', '39499.99999999', false],
    ['output>39500', '39500', false],
    ['output > 39500', '39500.00000001', true],
    ['output<=0.1', '0.1', true],
    ['output<0.1', '0.10', false],
    ['output<.5', '0.4999', true],
  ]
  for (const [text, value, holds] of rows)
    test(`${text} ${holds ? 'holds' : 'does not hold'} of ${value}`, () => {
      assert.equal(readCondition(text, measures).holds(exactOf(value)), holds)
    })
  test('is false for unknown values', () => {
    assert.equal(readCondition('output>=0', measures).holds(undefined), false)
    assert.equal(exactOf(null), undefined)
  })
  test('compares digits that a float would lose', () => {
    const condition = readCondition('output>=9007199254740993.00000001', measures)
    assert.equal(condition.holds(exactOf('9007199254740993')), false)
    assert.equal(condition.holds(exactOf('9007199254740993.00000001')), true)
  })
  test('orders numbers as integers of one scale do', () => {
    const decimal = fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 0, max: 12 }))
    fc.assert(
      fc.property(decimal, decimal, ([a, p], [b, q]) => {
        const text = (digits: bigint, places: number) => {
          const padded = `${digits}`.padStart(places + 1, '0')
          return places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`
        }
        const holds = readCondition(`output<${text(b, q)}`, measures).holds(exactOf(text(a, p)))
        assert.equal(holds, a * 10n ** BigInt(q) < b * 10n ** BigInt(p))
      }),
      runs(200),
    )
  })
  test('takes a ratio of a document as it is written, also a negative one', () => {
    assert.equal(readCondition('impact>=49.97', measures).holds(exactOf(49.97)), true)
    assert.equal(readCondition('impact>49.97', measures).holds(exactOf(49.97)), false)
    assert.equal(readCondition('impact<0', measures).holds(exactOf(-0.01)), true)
  })
})

test('a number that cannot be read is refused with the relation that was typed', () => {
  for (const sign of ['>=', '<=', '>', '<'])
    assert.throws(() => readCondition(`output ${sign} 5x`, measures), {
      hint: `write e.g. --until 'output${sign}39500'`,
    })
})

describe('an unknown condition is refused with the list of conditions', () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ['output', /a condition is a name/],
    ['output=5', /a condition is a name/],
    ['outptu>=5', /"outptu" is not watched; the measures are output, impact/],
    ['__proto__>=5', /is not watched|a condition is a name/],
    ['output>=', /a condition is a name/],
    ['output>=1e6', /plain digits/],
    ['impact>=1%', /plain digits/],
    ['output>=-1', /plain digits/],
    ['output>=.', /plain digits/],
  ]
  for (const [text, why] of rows)
    test(text, () => {
      assert.throws(
        () => readCondition(text, measures),
        (error) =>
          error instanceof SwapError &&
          error.code === 'INVALID_REQUEST' &&
          error.hint?.startsWith(
            `write e.g. --until '${text.startsWith('impact') ? 'impact' : 'output'}>=`,
          ) &&
          why.test(error.why ?? ''),
      )
    })
})
