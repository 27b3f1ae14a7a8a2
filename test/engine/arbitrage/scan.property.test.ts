import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { scanLoops } from '../../../src/engine/arbitrage/scan.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath, payoutOf, quotePath } from '../../../src/engine/market/router.js'
import { rational } from '../../../src/engine/math/rational.js'
import { pathId } from '../../../src/engine/routing/route.js'
import { seeds } from '../../support/markets.js'
import { allLoops, drawLoops } from './arbitrage-loops.js'

const terms = { minPercent: rational(0n, 1n), maxHops: 4, slippageBps: 50 }

/** The profit of every profitable loop that sells all it offers, by path, found by exhaustive search. */
function exhaustive({ market }: ReturnType<typeof drawLoops>, percent: number) {
  const profits = new Map<string, bigint>()
  for (const input of market.arbs)
    for (const books of allLoops(market, input.denom, 4)) {
      const hops = quotePath(market.router, books, input)
      if (isRefusal(hops) || hops.some(({ fill }) => fill.unsold > 0n)) continue
      const payout = payoutOf(market.router, hops.at(-1)!.output.amount, undefined)
      if (isRefusal(payout)) continue
      const profit = payout.recipient - input.amount
      if (profit * 100n > BigInt(percent) * input.amount)
        profits.set(pathId(books.map(({ state }) => state.pair.address)) + input.denom, profit)
    }
  return profits
}

describe('the scan for arbitrage loops', () => {
  test('finds every profitable loop once, from the denom in which it earns most', () => {
    let reported = 0
    for (const seed of seeds(12)) {
      const drawn = drawLoops(seed)
      const { opportunities } = scanLoops(drawn.graph, terms)
      const all = exhaustive(drawn, 0)
      for (const { route, profit } of opportunities) {
        assert.equal(all.get(route.id + route.input.denom), profit, `seed ${seed}`)
        reported += 1
      }
      const loops = new Set(
        opportunities.map(({ route }) =>
          route.hops
            .map(({ book, fill }) => book.state.pair.address + fill.side)
            .sort()
            .join(' '),
        ),
      )
      assert.equal(loops.size, opportunities.length, 'no loop twice')
      for (const [key, profit] of all) {
        const known = opportunities.some(({ route }) => route.id + route.input.denom === key)
        const better = opportunities.some(({ share, route: { input } }) => {
          const own = drawn.market.arbs.find(({ denom }) => key.endsWith(denom))!
          return (
            input.denom !== own.denom && share.numerator * own.amount >= profit * share.denominator
          )
        })
        assert.ok(known || better, `seed ${seed} misses ${key}`)
      }
    }
    assert.ok(reported > 8, `${reported} reported`)
  })

  test('reports what an execution returns, with a minimum return that is never a loss', () => {
    for (const seed of seeds(8)) {
      const { graph, market } = drawLoops(seed)
      for (const { route, profit } of scanLoops(graph, terms).opportunities) {
        const { input, expected: output } = route
        assert.ok(profit > 0n && route.minReturn >= input.amount)
        const addresses = route.hops.map(({ book }) => book.state.pair.address)
        assert.equal(new Set(addresses).size, addresses.length, 'no book twice')
        const minReturn = { denom: input.denom, amount: route.minReturn }
        const done = executePath(market, addresses, input, { minReturn })
        assert.ok(!isRefusal(done))
        assert.equal(done.recipient, output)
      }
    }
  })

  test('reports only profits strictly above the percentage', () => {
    for (const seed of seeds(8)) {
      const { graph } = drawLoops(seed)
      const all = scanLoops(graph, terms).opportunities
      const middle = all[Math.floor(all.length / 2)]
      if (middle === undefined) continue
      const { numerator, denominator } = middle.share
      const minPercent = rational(numerator * 100n, denominator)
      const above = scanLoops(graph, { ...terms, minPercent }).opportunities
      assert.ok(
        above.every(({ share }) => share.numerator * denominator > numerator * share.denominator),
      )
      assert.ok(above.length < all.length)
    }
  })
})
