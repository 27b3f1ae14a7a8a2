import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Market } from '../../../src/engine/market/market.js'
import { formatDecimal } from '../../../src/engine/math/decimal.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { takerPrice } from '../../../src/operations/orders/taker-price.js'
import { smallMarket } from '../../support/small-market.js'

/** A market whose pair has one order on each side at a price, at a height. */
const at = (height: number, price: string): Market => ({
  ...smallMarket({ 'a/b': { base: [{ price, total: '1000' }] } }, { dialect: 'forward' }),
  height,
})
/** 201 blocks at price 1, each hundredth higher. */
const markets = Array.from({ length: 201 }, (_, i) => at(i + 1, i % 100 === 99 ? '1.002' : '1'))
const market = markets.at(-1)!
const context = {
  openMarket: async () => ({ market, graph: graphOf(market) }),
  evidence: async () => ({ markets, quantileBps: 10_000 }),
}
const { pair } = market.books.get('a/b')!.state
const buying = (amount: bigint, isAuto: boolean, app: Parameters<typeof takerPrice>[0] = context) =>
  takerPrice(app, pair, { side: 'bid', amount }, { bps: 50, isAuto })

describe('the price of an order that takes at once', () => {
  test('is the last rate less a fixed slippage', async () => {
    const { price, rate, slippageBps, choice } = await buying(10n, false)
    assert.deepEqual([formatDecimal(rate), slippageBps, choice], ['1', 50, undefined])
    assert.equal(formatDecimal(price), '1.00502')
  })

  test('has the slippage that the rates of recorded blocks suggest, with the evidence', async () => {
    const { price, choice, source } = await buying(10n, true)
    assert.equal(source.slippageBps, 20)
    // A quote of 1 that is executed at 1.002 pays 19.97 bps less.
    assert.deepEqual(
      [choice?.source, choice?.bps, choice?.evidence?.move_bps],
      ['recorded', 20, 19.97],
    )
    assert.deepEqual(choice?.thinnest, { address: 'a/b', depth_used_percent: 1 })
    assert.equal(formatDecimal(price), '1.002')
  })

  test('counts a higher rate against a purchase and a lower one against a sale', async () => {
    /** 201 blocks at price 1, the second half at another. */
    const moveOf = async (side: 'ask' | 'bid', later: string) => {
      const blocks = Array.from({ length: 201 }, (_, i) => {
        const order = { price: i < 100 ? '1' : later, total: '1000' }
        const sides = side === 'bid' ? { base: [order] } : { quote: [order] }
        return { ...smallMarket({ 'a/b': sides }, { dialect: 'forward' }), height: i + 1 }
      })
      const newest = blocks.at(-1)!
      const app = {
        openMarket: async () => ({ market: newest, graph: graphOf(newest) }),
        evidence: async () => ({ markets: blocks, quantileBps: 10_000 }),
      }
      const slippage = { bps: 50, isAuto: true }
      const { choice } = await takerPrice(app, pair, { side, amount: 10n }, slippage)
      return choice?.evidence?.move_bps
    }
    assert.equal(await moveOf('bid', '1.002'), 19.97)
    assert.equal(await moveOf('bid', '0.998'), 0)
    assert.equal(await moveOf('ask', '0.998'), 20)
    assert.equal(await moveOf('ask', '1.002'), 0)
  })

  test('has the configured slippage where nothing was recorded', async () => {
    const { choice } = await buying(10n, true, { openMarket: context.openMarket })
    assert.deepEqual([choice?.source, choice?.bps], ['configured', 50])
  })

  test('does not exist where the book holds less', async () => {
    const hint = 'offer less, or take what there is within a price: --ioc --price <price>'
    await assert.rejects(buying(1_001n, false), { code: 'ORDER_REFUSED', hint })
  })
})
