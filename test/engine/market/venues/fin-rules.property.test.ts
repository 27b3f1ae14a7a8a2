import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { PairState, Side } from '../../../../src/engine/market/pair.js'
import { priceLevels } from '../../../../src/engine/market/price-levels.js'
import { ContractFailure } from '../../../../src/engine/market/refusal.js'
import { finRules } from '../../../../src/engine/market/venues/fin-rules.js'
import { walk } from '../../../../src/engine/market/walk.js'
import { ArithmeticAbort } from '../../../../src/engine/math/decimal.js'
import { anySide, anyState, POOLS, runs } from '../../../support/books.js'
import { anyOffer, offerOf } from '../../../support/offers.js'

/** Gross output under the rules of a version, or `undefined` where they refuse. */
function gross(state: PairState, version: string | undefined, side: Side, offer: bigint) {
  try {
    const pair = { ...state.pair, rules: finRules(version) }
    return walk({ ...state, pair }, side, offer).gross
  } catch (error) {
    if (error instanceof ContractFailure || error instanceof ArithmeticAbort) return undefined
    throw error
  }
}

const KNOWN = ['1.0.0', '1.1.0']
const shapes = {
  'limit orders, fixed and oracle ones tied': { ...POOLS, oraclePools: 4 },
  'one maker alone': { ...POOLS, pools: 0, oraclePools: 0, xyk: 1 },
}

describe('an unknown FIN version', () => {
  for (const [name, shape] of Object.entries(shapes))
    test(`pays no more than either known version where all accept: ${name}`, () => {
      fc.assert(
        fc.property(anyState(shape), anySide, anyOffer, (state, side, draw) => {
          const offer = offerOf(state, side, draw)
          const cautious = gross(state, undefined, side, offer)
          fc.pre(cautious !== undefined)
          for (const version of KNOWN) {
            const known = gross(state, version, side, offer)
            if (known !== undefined) assert.ok(cautious <= known, `${version} ${offer}`)
          }
        }),
        runs(160),
      )
    })

  test('pays on any book what FIN 1.0 pays, where it does not refuse', () => {
    const anyBook = anyState({ ...POOLS, xyk: 2, quoted: 2 })
    fc.assert(
      fc.property(anyBook, anySide, anyOffer, (state, side, draw) => {
        const offer = offerOf(state, side, draw)
        const cautious = gross(state, undefined, side, offer)
        fc.pre(cautious !== undefined)
        assert.equal(gross(state, '1.0.0', side, offer), cautious)
        assert.equal(gross(state, '2.1.6', side, offer), cautious)
      }),
      runs(100),
    )
  })

  test('refuses every offer on which FIN 1.1 aborts in its first group', () => {
    const onePool = anyState({ ...POOLS, pools: 1, oraclePools: 1 })
    fc.assert(
      fc.property(onePool, anySide, anyOffer, (state, side, draw) => {
        const offer = offerOf(state, side, draw)
        const single = new Set([...priceLevels(state, side)].map((group) => group.rate)).size === 1
        fc.pre(single && gross(state, '1.1.0', side, offer) === undefined)
        assert.equal(gross(state, undefined, side, offer), undefined)
      }),
      runs(50),
    )
  })
})
