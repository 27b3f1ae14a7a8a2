import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { route } from '../../../src/operations/route/route.js'
import { documentOf, marketOf, pairOf } from '../../support/markets.js'
import { ask } from './asking.js'

describe('explaining a route', () => {
  test('lists every level that the best route consumes, and they add up', async () => {
    const { routes, explain } = await ask({ explain: true })
    const best = routes[0]!
    assert.equal(explain!.levels.length, best.hops.length)
    for (const [i, hop] of best.hops.entries()) {
      const { address, levels } = explain!.levels[i]!
      assert.equal(address, hop.address)
      assert.equal(levels.length, hop.levels_used)
      assert.equal(sum(levels.map((level) => level.sold)), BigInt(hop.input.amount))
      const received = BigInt(hop.output.amount) + BigInt(hop.fee.amount)
      assert.equal(sum(levels.map((level) => level.bought)), received)
      for (const { sold, bought, parts } of levels) {
        assert.equal(sum(parts.map((part) => part.sold)), BigInt(sold))
        assert.equal(sum(parts.map((part) => part.bought)), BigInt(bought))
      }
    }
    assert.deepEqual(
      explain!.lost.map(({ id, gap_bps, hops }) => [id, gap_bps, hops]),
      routes.slice(1).map((each) => [each.id, each.gap_bps, each.hops.length]),
    )
    assert.ok(explain!.examined >= routes.length)
  })

  test('lists the levels of a pair that is used twice, for each hop after the previous one', async () => {
    const { market, graph } = marketOf(
      documentOf([
        pairOf(['p', 'a', 'b'], {
          bids: [
            ['1', '10'],
            ['0.5', '1000'],
          ],
        }),
        pairOf(['q', 'b', 'a'], { bids: [['1', '1000']] }),
      ]),
    )
    const { routes, explain } = await route(
      { openMarket: async () => ({ market, graph }) },
      {
        input: { denom: 'a', amount: '8' },
        output: { denom: 'b' },
        path: ['p', 'q', 'p'],
        explain: true,
      },
    )
    const bought = explain!.levels.map(({ levels }) => sum(levels.map((level) => level.bought)))
    assert.deepEqual(
      bought,
      routes[0]!.hops.map((hop) => BigInt(hop.output.amount)),
    )
  })
})

const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n)
