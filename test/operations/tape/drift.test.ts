import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Market } from '../../../src/engine/market/market.js'
import { drift } from '../../../src/operations/tape/drift.js'
import { smallMarket } from '../../support/small-market.js'

/** A market of one pair, whose ask has this price and whose token `b` is the dollar. */
const at = (height: number, price: string): Market => ({
  ...smallMarket(
    {
      'a/b': {
        base: [{ price, total: '1000000000' }],
        quote: [{ price: '0.9', total: '1000000000' }],
      },
    },
    { dialect: 'forward' },
  ),
  height,
  usd: 'b',
})
const markets = [at(1, '1'), at(2, '1'), at(3, '1.001'), at(5, '1')]
const answer = (later: readonly number[], pairs = [{ input: 'b', output: 'a' }]) =>
  drift(markets, { pairs, sizes: ['1'], later })

describe('the drift of recorded blocks', () => {
  test('is exactly 0 on the block of the quote', () => {
    const [row] = answer([0]).routes[0]!.later
    assert.deepEqual(row, {
      blocks_later: 0,
      executions: 4,
      failed: 0,
      median_bps: 0,
      p95_bps: 0,
      p99_bps: 0,
      worst_bps: 0,
    })
  })

  test('is what an execution of the same route and amount pays less on a later block', () => {
    const { routes, blocks, first, last } = answer([1, 2])
    assert.deepEqual([blocks, first, last, routes[0]?.quotes], [4, 1, 5, 4])
    // 1 to 2 pays the same, 2 to 3 pays 1/1.001: 9.991 bps less, rounded up.
    assert.deepEqual(routes[0]?.later[0], {
      blocks_later: 1,
      executions: 2,
      failed: 0,
      median_bps: 0,
      p95_bps: 10,
      p99_bps: 10,
      worst_bps: 10,
    })
    // 1 to 3 pays less, 3 to 5 pays more; 2 to 4 was not recorded.
    const [, two] = routes[0]!.later
    assert.deepEqual([two?.executions, two?.median_bps, two?.worst_bps], [2, -10, 10])
  })

  test('is counted once in the histogram, failed executions above every bound', () => {
    const withoutBooks = { ...at(6, '1'), books: new Map() }
    const { histogram, all } = drift([...markets, withoutBooks], {
      pairs: [{ input: 'b', output: 'a' }],
      sizes: ['1', '2'],
      later: [0, 1],
    })
    assert.equal(all[1]?.failed, 2)
    assert.equal(all[1]?.worst_bps, null)
    assert.equal(histogram.at(-1)?.executions, 2)
    assert.equal(
      histogram.reduce((sum, { executions }) => sum + executions, 0),
      all[1]?.executions,
    )
  })

  test('has no figures for a pair without a route or a price', () => {
    const { routes } = answer([1], [{ input: 'b', output: 'c' }])
    assert.deepEqual([routes[0]?.quotes, routes[0]?.later[0]?.median_bps], [0, null])
  })
})
