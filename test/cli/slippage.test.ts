import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readFlag } from '../../src/cli/flags/checked-flag.js'
import { requestFlag } from '../../src/cli/flags/request-flags.js'
import { parseRatio, slippageFlag } from '../../src/config/readers.js'
import { formatUnits } from '../../src/engine/math/units.js'
import { refusal } from './refusal.js'

const parseBps = (text: string) => parseRatio(text, slippageFlag)

describe('a slippage', () => {
  const taken: readonly (readonly [text: string, bps: number])[] = [
    ['0.5%', 50],
    ['.5%', 50],
    ['50bps', 50],
    ['50 bps', 50],
    ['0%', 0],
    ['0.01%', 1],
    ['0.500%', 50],
    ['99.99%', 9999],
  ]
  for (const [text, bps] of taken)
    test(`${text} is ${bps} bps`, () => assert.equal(parseBps(text), bps))

  const refused: readonly (readonly [sentence: string, text: string, pattern: RegExp])[] = [
    ['without a unit it could be either', '0.5', /unit is missing.*write --slippage 0\.5%$/],
    ['a fraction without a unit is percent or a fraction', '0.01', /0\.01% or --slippage 1%$/],
    ['one of too small a percentage is a fraction', '.0125', /write --slippage 1\.25%$/],
    ['a whole number without a unit could be either', '50', /50% or --slippage 50bps$/],
    ['a fraction of a basis point is refused', '0.005%', /smallest step/],
    ['a fraction of a basis point is refused in bps too', '0.5bps', /smallest step/],
    ['all of it is too much', '100%', /largest is 99\.99%/],
    ['a very large number is too much', '999999999999999%', /largest is 99\.99%/],
    ['a sign is refused', '-1%', /not a percentage/],
    ['an exponent is refused', '1e-3%', /not a percentage/],
    ['a unit alone is refused', '%', /not a percentage/],
    ['nothing is refused', '', /not a percentage/],
    ['NaN is refused', 'NaN%', /not a percentage/],
  ]
  for (const [sentence, text, pattern] of refused)
    test(`${sentence}: ${text}`, () => {
      const error = refusal(() => parseBps(text))
      assert.equal(error.code, 'INVALID_SLIPPAGE')
      assert.deepEqual(error.members, { min: 0, max: 9999, pointer: '/slippage_bps' })
      assert.match(error.text, pattern)
    })

  test('another flag is reported by its own name and code', () => {
    const maxImpactOf = (maxImpact: string) =>
      readFlag(requestFlag('route', 'max_impact_bps'), { maxImpact })
    assert.equal(maxImpactOf('5%'), 500)
    assert.equal(maxImpactOf('100%'), 10_000)
    const error = refusal(() => maxImpactOf('5'))
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.match(error.text, /--max-impact 5%/)
  })

  test('whole basis points are read back from either unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9999 }), (bps) => {
        assert.equal(parseBps(`${bps}bps`), bps)
        assert.equal(parseBps(`${formatUnits(BigInt(bps), 2)}%`), bps)
      }),
    )
  })
})
