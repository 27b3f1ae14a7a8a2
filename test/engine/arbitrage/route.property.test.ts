import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { arbitrageRoute } from '../../../src/engine/arbitrage/arbitrage-route.js'
import { exactSize, loopReturn, profitCurve } from '../../../src/engine/arbitrage/loop-size.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { executePath, type RouterState } from '../../../src/engine/market/router.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { ladderOf } from '../../../src/operations/split/sizes.js'
import { seeds } from '../../support/markets.js'
import { smallMarket } from '../../support/small-market.js'
import { allLoops, drawLoops } from './arbitrage-loops.js'

const terms = { maxHops: 4, slippageBps: 50 }

describe('an arbitrage plan for a capital', () => {
  test('executes on the chain as computed, within the capital and never at a loss', () => {
    let executions = 0
    for (const seed of seeds(40)) {
      const { graph, market } = drawLoops(seed)
      const capital = { ...market.arbs[0]!, amount: market.arbs[0]!.amount * 100n }
      const { steps, output, profit } = arbitrageRoute(graph, capital, terms)
      let world: RouterState = market
      let earned = 0n
      for (const step of steps) {
        assert.equal(step.count, step.executions.length)
        for (const route of step.executions) {
          assert.ok(route.input.amount <= capital.amount && route.input.amount > 0n)
          assert.ok(route.minReturn >= route.input.amount && route.expected > route.input.amount)
          const addresses = route.hops.map(({ book }) => book.state.pair.address)
          assert.equal(new Set(addresses).size, addresses.length, 'no book twice')
          const minReturn = { denom: capital.denom, amount: route.minReturn }
          const done = executePath(world, addresses, route.input, { minReturn })
          assert.ok(!isRefusal(done), `seed ${seed}`)
          assert.ok(done.hops.every(({ unsold }) => unsold === 0n))
          assert.equal(done.recipient, route.expected)
          earned += done.recipient - route.input.amount
          world = done.after
          executions += 1
        }
      }
      assert.equal(profit, earned)
      assert.equal(output, capital.amount + earned)
    }
    assert.ok(executions > 20, `${executions} executions`)
  })

  test('leaves no loop that is profitable after gas at any of many sizes', () => {
    // In market 37 a level of one atomic is in front of the levels that pay.
    for (const seed of [...seeds(6), 37]) {
      const drawn = drawLoops(seed).market
      // Coins that the router holds by accident are not looked for.
      const market = { ...drawn, router: { ...drawn.router, balances: new Map() } }
      const graph = graphOf(market)
      const capital = { ...market.arbs[0]!, amount: market.arbs[0]!.amount * 20n }
      const { steps, profit } = arbitrageRoute(graph, capital, terms)
      const executions = steps.flatMap(({ executions }) => executions)
      // A plan has at most so many: what is left is for the next one.
      if (executions.length === 64) continue
      let world: RouterState = market
      for (const route of executions) {
        const addresses = route.hops.map(({ book }) => book.state.pair.address)
        const minReturn = { denom: capital.denom, amount: 1n }
        const done = executePath(world, addresses, route.input, { minReturn })
        assert.ok(!isRefusal(done))
        world = done.after
      }
      const least = capital.amount / 1000n + 1n
      const sizes = ladderOf(least, capital.amount, 25)
      for (const books of allLoops({ ...market, ...world }, capital.denom, 3)) {
        const addresses = books.map(({ state }) => state.pair.address)
        const points = profitCurve({ ...market, ...world }, addresses, capital.denom, sizes)
        for (const point of points)
          assert.ok(
            point.profit === undefined || point.profit <= profit / 10_000n + 20n,
            `seed ${seed}: ${point.profit} more at ${point.amount} after ${profit}`,
          )
      }
    }
  })

  test('has no steps and returns the capital where no loop is profitable', () => {
    const market = smallMarket(
      {
        'a/b': { base: [{ price: '2', total: '1000' }], quote: [{ price: '1.9', total: '1000' }] },
      },
      { dialect: 'forward' },
    )
    const capital = { denom: 'a', amount: 500n }
    const route = arbitrageRoute(graphOf(market), capital, terms)
    assert.deepEqual(route, { steps: [], output: 500n, profit: 0n })
    assert.equal(arbitrageRoute(graphOf(market), { denom: 'zzz', amount: 5n }, terms).profit, 0n)
  })
})

describe('the size of an arbitrage loop', () => {
  /** Two books between a and b whose prices differ: 1,000,000 bought at 2, sold at 2.1 and then at 1.9. */
  const market = smallMarket(
    {
      'a/b': { base: [{ price: '2', total: '1000000' }] },
      'a/c': { quote: [{ price: '3', total: '3000000' }] },
      'c/b': {
        quote: [
          { price: '0.7', total: '1400000' },
          { price: '0.6', total: '600000' },
        ],
      },
    },
    { dialect: 'forward' },
  )
  const books = ['a/b', 'a/c', 'c/b'].map((address) => market.books.get(address)!)
  const loop = { router: market.router, books, denom: 'b' }

  test('is the end of a level, to the atomic, outside the abort window', () => {
    const [step] = arbitrageRoute(graphOf(market), { denom: 'b', amount: 5_000_000n }, terms).steps
    const { amount } = step!.executions[0]!.input
    let best = 0n
    for (let size = amount - 400n; size <= amount + 400n; size += 1n) {
      const back = loopReturn(loop, size)
      if (back !== undefined && back - size > best) best = back - size
    }
    assert.ok(amount >= 1_333_320n && amount <= 1_333_346n, `${amount}`)
    assert.equal(step!.output - step!.input, best)
  })

  test('earns the same from any nearby initial size of the search', () => {
    for (const off of [-900n, -30n, 0n, 7n, 800n]) {
      const size = exactSize(loop, 1_333_334n + off, 5_000_000n)!
      assert.equal(size.returned - size.amount, 66_666n)
    }
  })

  test('never exceeds the capital', () => {
    assert.ok(exactSize(loop, 2_000_000n, 1_000n)!.amount <= 1_000n)
  })
})
