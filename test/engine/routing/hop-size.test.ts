import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { DEMO_SEED, demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { type Edge, graphOf } from '../../../src/engine/routing/graph.js'
import { envelopeHop, leastOffer, mostOffer } from '../../../src/engine/routing/hop-size.js'
import { workBudget } from '../../../src/engine/routing/query.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { LIMIT, smallMarkets } from './small-markets.js'

/** Sides of small markets with what they pay for each offer. */
function* sides(count: number) {
  for (const { seed, query } of smallMarkets(count))
    for (const edge of query.graph.leaving.flat()) {
      const points = Array.from({ length: LIMIT }, (_, x) => envelopeHop(edge, BigInt(x)))
      yield { edge, points, label: `seed ${seed}: ${edge.book.state.pair.address} ${edge.side}` }
    }
}

const least = (edge: Edge, wanted: bigint) => leastOffer(edge, wanted, workBudget())
const most = (edge: Edge, last: number) => mostOffer(edge, BigInt(last), workBudget())

describe('a side of a small market', () => {
  test('pays each output for the least offer, if it takes that whole', () => {
    let unpaid = 0
    for (const { edge, points, label } of sides(10)) {
      const isEnd = !points.at(-1)!.taken
      const paid = points.reduce((sum, { gross }) => (gross > sum ? gross : sum), 0n)
      const wanted = [0n, 1n, 2n, 3n, paid / 3n, paid / 2n, paid - 1n, paid, paid + 1n]
      for (const gross of wanted.filter((each) => each >= 0n)) {
        const first = points.findIndex((point) => point.gross >= gross)
        const expected = points[first]?.taken ? BigInt(first) : undefined
        if (first < 0) unpaid += 1
        if (first >= 0 || isEnd) assert.equal(least(edge, gross), expected, `${label} ${gross}`)
      }
    }
    assert.ok(unpaid > 10, `${unpaid}`)
  })

  test('has a largest offer that it takes whole', () => {
    let ended = 0
    for (const { edge, points, label } of sides(10)) {
      const over = points.findIndex(({ taken, aborts }) => aborts || !taken)
      if (over > 0) ended += 1
      for (const last of [1, 5, over - 1, over, over + 1].filter((each) => each > 0)) {
        const expected = over < 0 || over > last ? last : Math.max(over - 1, 0)
        const { gross } = points[expected]!
        assert.deepEqual(most(edge, last), { offer: BigInt(expected), gross }, `${label} ${last}`)
      }
    }
    assert.ok(ended > 10, `${ended}`)
  })
})

test('an output of a side of the demo market takes two or three fills', () => {
  const graph = graphOf(decodeSnapshot(demoSnapshot(DEMO_SEED), 'demo'))
  const budget = workBudget()
  let inverted = 0
  for (const edge of graph.leaving.flat())
    for (const share of [2n, 3n, 7n, 100n, 12_345n]) {
      const wanted = edge.book.depth(edge.side) / share
      if (wanted > 0n && leastOffer(edge, wanted, budget) !== undefined) inverted += 1
    }
  const one = workBudget()
  envelopeHop(graph.leaving.flat()[0]!, 1n, one)
  const fills = budget.spent / one.spent / inverted
  assert.ok(inverted > 300 && fills < 3, `${fills} for ${inverted}`)
})
