import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { arbitrageRoute } from '../../../src/engine/arbitrage/arbitrage-route.js'
import { scanLoops } from '../../../src/engine/arbitrage/scan.js'
import type { Market } from '../../../src/engine/market/market.js'
import { rational } from '../../../src/engine/math/rational.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { workBudget } from '../../../src/engine/routing/query.js'
import { arbroute } from '../../../src/operations/arbitrage/arbroute.js'
import { arbs } from '../../../src/operations/arbitrage/arbs.js'
import { NeedsWorker, type OperationContext } from '../../../src/operations/context.js'
import { drawLoops, linkedMarket } from '../../engine/arbitrage/arbitrage-loops.js'
import { seeds } from '../../support/markets.js'
import { app } from '../split/asking.js'

const contextOf = (market: Market): OperationContext => {
  const graph = graphOf(market)
  return { openMarket: async () => ({ market, graph }) }
}
const linked = () => contextOf(linkedMarket(20))
const capital = { input: { denom: 't0', amount: '100000000000' } }

describe('the budget of a search for arbitrage loops', () => {
  test('ends a scan of a market in which every pair is linked, with the best loops of every length', async () => {
    const { opportunities, search_cut } = await arbs(linked(), { max_hops: 6 })
    assert.equal(search_cut, 'lower max_hops or raise minPercent')
    assert.ok(opportunities.length > 100 && opportunities.length <= 1_000)
    assert.deepEqual(
      [...new Set(opportunities.map(({ hops }) => hops.length))].sort(),
      [3, 4, 5, 6],
    )
    const short = await arbs(linked(), { max_hops: 3 })
    assert.equal(short.search_cut, undefined)
    const known = new Set(opportunities.map(({ id }) => id))
    for (const { id } of short.opportunities.slice(0, 20)) assert.ok(known.has(id), id)
    assert.ok(opportunities[0]!.profit_percent > 2 * short.opportunities[0]!.profit_percent)
  })

  test('ends an arbitrage route with executions that earn more than all loops of three hops', async () => {
    const { profit, steps, search_cut } = await arbroute(linked(), { ...capital, max_hops: 6 })
    assert.equal(search_cut, 'lower max_hops')
    assert.ok(steps.length > 10)
    const short = await arbroute(linked(), { ...capital, max_hops: 3 })
    assert.equal(short.search_cut, undefined)
    assert.ok(BigInt(profit.amount) > BigInt(short.profit.amount))
  })

  test('counts work and not time: the same request has the same document on a market used before', async () => {
    const used = linked()
    await arbroute(used, { ...capital, max_hops: 4 })
    for (const ask of [
      (where: OperationContext) => arbs(where, { max_hops: 6, limit: 5 }),
      (where: OperationContext) => arbroute(where, { ...capital, max_hops: 6 }),
    ])
      assert.deepEqual(await ask(used), await ask(linked()))
  })

  test('is kept to, but for the last step', () => {
    const graph = graphOf(linkedMarket(20))
    const terms = { minPercent: rational(0n, 1n), maxHops: 6, slippageBps: 50 }
    const input = { denom: 't0', amount: 100_000_000_000n }
    const budgets = [workBudget(20_000), workBudget(20_000)] as const
    scanLoops(graph, terms, budgets[0])
    arbitrageRoute(graph, input, terms, budgets[1])
    for (const { spent, isCut } of budgets) assert.ok(isCut && spent < 24_000, `${spent}`)
  })

  test('that suffices leaves a small market the loops of a search without one', () => {
    const terms = { minPercent: rational(0n, 1n), maxHops: 4, slippageBps: 50 }
    let cuts = 0
    for (const seed of seeds(30)) {
      const { graph } = drawLoops(seed)
      const budget = workBudget(300)
      const found = scanLoops(graph, terms, budget)
      if (budget.isCut) cuts += 1
      else assert.deepEqual(found, scanLoops(graph, terms), `seed ${seed}`)
    }
    assert.ok(cuts > 3 && cuts < 27 * (seeds(30).length / 30), `${cuts} cut`)
  })

  test('is small on the serving thread, which leaves the rest to a worker', async () => {
    const inline = { ...app, inline: true as const }
    assert.deepEqual(await arbs(inline, {}), await arbs(app, {}))
    await assert.rejects(arbs({ ...linked(), inline: true }, {}), NeedsWorker)
  })
})
