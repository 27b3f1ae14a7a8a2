import assert from 'node:assert/strict'
import { test } from 'vitest'
import { generatedMarket } from '../../../bench/markets.js'
import { drawBetween, seededRandom } from '../../../src/demo-chain/market/random.js'
import { arbitrageRoute } from '../../../src/engine/arbitrage/arbitrage-route.js'
import { compileBook } from '../../../src/engine/market/book.js'
import type { Market } from '../../../src/engine/market/market.js'
import type { RestingSide } from '../../../src/engine/market/pair.js'
import { decimal } from '../../../src/engine/math/decimal.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { loadSolver } from '../splits/linear-program.js'
import { mostArbitrage } from './linear-program.js'

/** The market with the prices of every pair shifted by up to so many thousandths. */
function disagreeing(market: Market, seed: string, thousandths: bigint): Market {
  const random = seededRandom(seed)
  const books = [...market.books].map(([address, { state }]) => {
    const off = drawBetween(random, [1000n - thousandths, 1000n + thousandths])
    const shifted = (side: RestingSide): RestingSide => ({
      ...side,
      fixed: side.fixed.map((pool) => ({ ...pool, rate: decimal((pool.rate * off) / 1000n) })),
    })
    return [
      address,
      compileBook({ ...state, asks: shifted(state.asks), bids: shifted(state.bids) }),
    ] as const
  })
  return { ...market, books: new Map(books) }
}

test('simple arbitrage loops earn nearly the optimum of the linear program for the same number of hops, and never more', async () => {
  const solver = await loadSolver()
  const shares: number[] = []
  for (const seed of ['a', 'b']) {
    const graph = graphOf(disagreeing(generatedMarket(20), seed, 10n))
    const most = mostArbitrage(solver, graph, 't0', 4)
    const capital = { denom: 't0', amount: 10n ** 16n }
    const { profit } = arbitrageRoute(graph, capital, { maxHops: 4, slippageBps: 50 })
    if (most > 1e6) shares.push(Number(profit) / most)
  }
  shares.sort((a, b) => a - b)
  assert.ok(shares.length >= 2, `${shares.length} markets pay`)
  assert.ok(shares.at(-1)! <= 1 + 1e-6, `more than there is: ${shares}`)
  assert.ok(shares[0]! >= 0.88 && shares[shares.length >> 1]! >= 0.95, `${shares}`)
})
