import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { DEMO_SEED, demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { OperationContext } from '../../../src/operations/context.js'
import { longTest } from '../../support/long.js'
import { ask, problem, sum } from './asking.js'

/** A market without cached computations. */
function freshMarket(): OperationContext {
  const market = decodeSnapshot(demoSnapshot(DEMO_SEED), 'demo')
  return { openMarket: async () => ({ market, graph: graphOf(market) }) }
}

/** Splits of 5,000,000 DOGE with everything that a request may ask for: more work than one request may do. */
const heavy = {
  input: { denom: 'doge-doge', amount: '500000000000000', split_step: 1 },
  output: { denom: 'btc-btc' },
  max_hops: 6,
  max_legs: 10,
  limit: 25,
  explain: true,
  frontier: true,
}

describe('the budget of a search', () => {
  test('ends the search for splits with the best found, its bound and what to change', async () => {
    const { routes, single_best, search_cut, explain, frontier } = await ask(heavy, freshMarket())
    const [best] = routes
    assert.match(search_cut!, /lower max_hops, max_legs or the amount/)
    assert.ok(BigInt(best!.expected_output) > BigInt(single_best!.expected_output))
    assert.ok(best!.optimum_gap_bps! > 0 && best!.optimum_gap_bps! < 10_000)
    assert.equal(sum(best!.legs.map(({ split }) => split.amount)), 500_000_000_000_000n)
    assert.equal(explain!.legs.length, best!.legs.length)
    assert.ok(frontier!.by_legs.length > 0)
  })

  test('counts work and not time: the same request has the same document on a market used before', async () => {
    const used = freshMarket()
    await ask({ input: { denom: 'bch-bch', amount: '1000000000' }, max_hops: 6 }, used)
    assert.deepEqual(await ask(heavy, used), await ask(heavy, freshMarket()))
  })

  longTest('marks the sizes of a refusal as bounds', async () => {
    const input = { denom: 'btc-btc', amount: '4727521597581262', split_step: 1 }
    const output = { denom: 'bsc-bnb' }
    const refused = await problem({ ...heavy, input, output }, freshMarket())
    assert.equal(refused.code, 'INSUFFICIENT_LIQUIDITY')
    assert.equal(refused['search_cut'], 'sizes are bounds: lower max_hops for exact ones')
    assert.match(
      JSON.stringify(refused),
      /the search ended at its budget of work, so the sizes are bounds/,
    )
    assert.ok(BigInt(`${refused['max_input']}`) > 0n)
  })

  test('is enough for a split that uses the market up', async () => {
    const input = { denom: 'btc-btc', amount: '2000000000' }
    const { search_cut, routes } = await ask({ input, grid: false }, freshMarket())
    assert.equal(search_cut, undefined)
    assert.ok(routes[0]!.optimum_gap_bps! < 150)
  })

  test('is enough for an ordinary request', async () => {
    assert.equal((await ask({ frontier: true })).search_cut, undefined)
  })
})
