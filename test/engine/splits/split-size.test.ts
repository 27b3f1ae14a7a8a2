import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { queryOf } from '../../../src/engine/routing/query.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { bestSplit } from '../../../src/engine/splits/find-split.js'
import { splitFor } from '../../../src/engine/splits/split-size.js'

const graph = graphOf(decodeSnapshot(demoSnapshot(1), 'demo'))
const limits = { maxHops: 4, via: [], exclude: [], affiliate: undefined }
const denom = 'btc-btc'
const query = queryOf(graph, denom, 'rune', limits)
const terms = (grid: boolean) => ({ slippageBps: 50, stepPercent: 5, grid })

describe('a split for an output', () => {
  test.each([
    [true, 10_000_000_000_000n],
    [true, 40_000_000_000_001n],
    [false, 40_000_000_000_001n],
  ])(
    'with a grid: %s, demands at least %s, and two atomics of input less would not',
    (grid, wanted) => {
      const found = splitFor(query, denom, wanted, terms(grid))
      assert.ok('split' in found)
      const { input, minReturn } = found.split
      assert.ok(minReturn >= wanted)
      assert.ok((minReturn - wanted) * input.amount < 2n * minReturn, `${minReturn - wanted}`)
      const quoted = bestSplit(query, input, terms(grid))!
      assert.ok(quoted.minReturn * 10_000n <= wanted * 10_001n, `${quoted.minReturn}`)
    },
  )

  test('is the one that demands most where none demands enough', () => {
    const found = splitFor(query, denom, 10n ** 20n, terms(true))
    assert.ok('most' in found && found.most!.minReturn < 10n ** 20n)
  })
})
