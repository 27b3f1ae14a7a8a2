import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { bestSplit } from '../../../src/engine/splits/find-split.js'
import { drawMarket } from '../../support/drawn-market.js'
import { ask } from './questions.js'

/** Markets in which makers quote new levels between legs; the figures without refinement are lower. */
const cases = [
  { seed: 1018, refined: 93n, unrefined: 86n },
  { seed: 1050, refined: 12_666n, unrefined: 12_472n },
]

describe('refinement of a split by execution', () => {
  test.each(cases)(
    'pays more than the float estimate alone in market $seed',
    ({ seed, refined }) => {
      const { query, input } = ask(drawMarket(seed))
      const best = bestSplit(query, input, { slippageBps: 50, stepPercent: 5, maxLegs: 6 })
      assert.equal(best?.expected, refined)
    },
  )
})
